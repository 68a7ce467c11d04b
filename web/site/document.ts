import { escapeHtml, escapeJson } from "#domain/text/html.ts";
import { ORIGIN_PLACE } from "./placeholders.ts";

/** Inline parts of a page, so that its first paint waits for nothing else (docs/decisions/038). */
export type Inline = {
  style: string;
  /** `web/public/early.js`: what must run before the first paint. */
  early: string;
  /** The element that starts the page's script afterwards (`server/build/start-later.js`); null without one. */
  start: string | null;
};

/** Files that a page loads: addresses made by the build, or by the development server. */
export type Assets = {
  /** Null while developing: then everything is fetched. */
  inline: Inline | null;
  styles: readonly string[];
  script: string | null;
  /** Scripts that the first one needs: fetched beside it, not after it. */
  preloads: readonly string[];
  /** Styles that the script needs and the prerendered page does not: they come with the script. */
  takenOver?: readonly string[];
  fonts: readonly string[];
};

/** A page in words, for people, search engines and those who share it. */
export type PageWords = {
  /** Address on this site. */
  path: string;
  title: string;
  description: string;
  /** Facts for search engines (schema.org). */
  facts: readonly object[];
  /** One more: where plans are sold, and where they are not. */
  offer?: { sold: object; unsold: object };
};

/** JSON that cannot end the script element that contains it; its places are filled as JSON. */
function json(value: object): string {
  return escapeJson(JSON.stringify(value)).replaceAll("{{", "{{json:");
}

function factScript(fact: object): string {
  const text = json({ "@context": "https://schema.org", ...fact });
  return `<script type="application/ld+json">${text}</script>`;
}

/** Blocking on purpose: the first paint is dark where the system is, and shows members that they are led on. */
function stylesAndScripts({ inline, styles, script }: Assets): string[] {
  if (!inline) {
    return [
      '<script src="/early.js"></script>',
      ...styles.map((href) => `<link rel="stylesheet" href="${href}" />`),
      ...(script ? [`<script type="module" src="${script}"></script>`] : []),
    ];
  }
  return [
    `<script>${inline.early}</script>`,
    `<style>${inline.style}</style>`,
    ...(inline.start ? [inline.start] : []),
  ];
}

/** The head of a public page. */
export function headOf(words: PageWords, assets: Assets): string {
  const { path, title, description, facts, offer } = words;
  const address = `${ORIGIN_PLACE}${path}`;
  const picture = `${ORIGIN_PLACE}/social.jpg`;
  const meta = (name: string, content: string) =>
    `<meta name="${name}" content="${escapeHtml(content)}" />`;
  const property = (name: string, content: string) =>
    `<meta property="${name}" content="${escapeHtml(content)}" />`;
  return [
    '<meta charset="utf-8" />',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content" />',
    `<title>${escapeHtml(title)}</title>`,
    meta("description", description),
    `<link rel="canonical" href="${address}" />`,
    ...assets.fonts.map(
      (href) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${href}" />`,
    ),
    ...stylesAndScripts(assets),
    '<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />',
    '<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14121f" />',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml" />',
    '<link rel="icon" href="/icons/favicon-32.png" type="image/png" sizes="32x32" />',
    '<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />',
    '<link rel="manifest" href="/site.webmanifest" />',
    property("og:type", "website"),
    property("og:site_name", "Tournavis"),
    property("og:locale", "fr_FR"),
    property("og:title", title),
    property("og:description", description),
    property("og:url", address),
    property("og:image", picture),
    property("og:image:width", "1200"),
    property("og:image:height", "630"),
    meta("twitter:card", "summary_large_image"),
    ...facts.map(factScript),
    ...(offer
      ? [
          `<when-known entry="payments">${factScript(offer.sold)}</when-known>`,
          `<when-unknown entry="payments">${factScript(offer.unsold)}</when-unknown>`,
        ]
      : []),
  ].join("\n    ");
}

/** A public page whole. */
export function documentOf(head: string, body: string): string {
  return `<!doctype html>
<html lang="fr">
  <head>
    ${head}
  </head>
  <body>
${body}
  </body>
</html>
`;
}
