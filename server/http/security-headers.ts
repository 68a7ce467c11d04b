import type { ServerResponse } from "node:http";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
];

/** What a page of ours may load and do: only what comes from here. */
const pagePolicy = POLICY.join("; ");

/** The same for the application, whose camera reader is WebAssembly. */
export const applicationPolicy = pagePolicy.replace(
  "script-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
);

const HEADERS: readonly (readonly [string, string])[] = [
  ["content-security-policy", pagePolicy],
  ["x-content-type-options", "nosniff"],
  ["referrer-policy", "strict-origin-when-cross-origin"],
  ["permissions-policy", "camera=(self), geolocation=(), microphone=(), payment=()"],
  ["cross-origin-opener-policy", "same-origin"],
];

/** Two years, as browsers ask before they believe it for good. */
const TRANSPORT_SECURITY = "max-age=63072000; includeSubDomains";

/** Puts the headers that every answer carries; a page may replace its policy afterwards. */
export function putSecurityHeaders(response: ServerResponse, isSecureOrigin: boolean): void {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  if (isSecureOrigin) response.setHeader("strict-transport-security", TRANSPORT_SECURITY);
}
