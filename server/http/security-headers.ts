import type { ServerResponse } from "node:http";
import type { InlineHashes } from "../web/inline-hashes.ts";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
];

/** A page that no other one may show within itself. */
const UNFRAMED = "frame-ancestors 'none'";

/** A page that only our own may show within themselves. */
const FRAMED_BY_US = "frame-ancestors 'self'";

/**
 * Policy of our pages: they load only our own files, and the parts that their build has put into
 * them.
 */
function pagePolicy(inline: InlineHashes = NOTHING): string {
  return [...withInline(POLICY, inline), UNFRAMED].join("; ");
}

/** The same for the phone pages, which the back-office shows small while a merchant chooses logo and colour. */
export function customerPolicy(inline: InlineHashes): string {
  return [...withInline(POLICY, inline), FRAMED_BY_US].join("; ");
}

const NOTHING: InlineHashes = { styles: [], scripts: [] };

function withInline(policy: readonly string[], { styles, scripts }: InlineHashes): string[] {
  return policy.map((directive) => {
    if (directive.startsWith("style-src")) return [directive, ...styles].join(" ");
    if (directive.startsWith("script-src")) return [directive, ...scripts].join(" ");
    return directive;
  });
}

/** Sources from which each captcha provider loads its parts. */
const CAPTCHA_SOURCES = {
  turnstile: {
    directives: ["script-src", "frame-src"],
    from: "https://challenges.cloudflare.com",
  },
  hcaptcha: {
    directives: ["script-src", "frame-src", "style-src", "connect-src"],
    from: "https://hcaptcha.com https://*.hcaptcha.com",
  },
} as const;

/**
 * The same for the application: its camera reader is WebAssembly, and it shows phone pages in frames. If a captcha is
 * configured, its provider's widget is allowed.
 */
export function applicationPolicy(
  captcha: keyof typeof CAPTCHA_SOURCES | null,
  inline: InlineHashes = NOTHING,
): string {
  const policy = [...withInline(POLICY, inline), "frame-src 'self'", UNFRAMED].map((directive) =>
    directive.startsWith("script-src") ? `${directive} 'wasm-unsafe-eval'` : directive,
  );
  if (captcha === null) return policy.join("; ");
  const { directives, from } = CAPTCHA_SOURCES[captcha];
  for (const name of directives) {
    const index = policy.findIndex((directive) => directive.startsWith(`${name} `));
    if (index < 0) policy.push(`${name} ${from}`);
    else policy[index] += ` ${from}`;
  }
  return policy.join("; ");
}

type Headers = readonly (readonly [name: string, value: string])[];

/** Headers of every page and every file. */
const FOR_ALL: Headers = [
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  ["permissions-policy", "camera=(self), geolocation=(), microphone=(), payment=()"],
  ["cross-origin-opener-policy", "same-origin"],
];

const HEADERS: Headers = [
  ["content-security-policy", pagePolicy()],
  ...FOR_ALL,
  // An answer that may be kept says so itself; the data API says nothing, and its answers are
  // personal.
  ["cache-control", "no-store"],
];

/** Two years, as browsers ask before they believe it for good. */
const TRANSPORT_SECURITY = "max-age=63072000";

/**
 * Value of `Strict-Transport-Security` for an origin, null over plain HTTP. Names below our own are bound as well; at the top of
 * a domain (`exemple.fr`) they are not, since others there may speak HTTP alone.
 */
export function transportSecurity(origin: string): string | null {
  const { protocol, hostname } = new URL(origin);
  if (protocol !== "https:") return null;
  const isTop = hostname.split(".").length <= 2;
  return isTop ? TRANSPORT_SECURITY : `${TRANSPORT_SECURITY}; includeSubDomains`;
}

/** Puts the headers that every answer carries; a page may replace its policy afterwards, and say how long it may be kept. */
export function putSecurityHeaders(response: ServerResponse, security: string | null): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (security !== null) response.setHeader("strict-transport-security", security);
}

/**
 * The headers of a static host, one set for all its pages: they may do what any of them needs, and reach the Supabase
 * project, which is on another host.
 */
export function staticHeaders(options: {
  captcha: Parameters<typeof applicationPolicy>[0];
  inline: InlineHashes;
  projectUrl: string;
  siteUrl: string;
}): Headers {
  const { projectUrl } = options;
  // « https » in a policy does not include « wss », which the project's channels use.
  const policy = applicationPolicy(options.captcha, options.inline)
    .replace("img-src ", `img-src ${projectUrl} `)
    .replace("connect-src ", `connect-src ${projectUrl} ${projectUrl.replace(/^http/, "ws")} `);
  const security = transportSecurity(options.siteUrl);
  return [
    ["content-security-policy", policy],
    ...FOR_ALL,
    ...(security === null ? [] : [["strict-transport-security", security] as const]),
  ];
}
