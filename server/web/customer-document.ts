import { escapeHtml, escapeJson } from "#domain/text/html.ts";
import type { RenderedPage } from "../../web/customer/page-data.ts";

/** Exports of the server's build of the phone pages. */
export type RenderPage = (page: RenderedPage) => {
  title: string;
  description: string | null;
  html: string;
  /** A style sheet of this page alone; null without one. */
  style: string | null;
};

/** A filled template, and the style sheet in it that the security policy has to name, as an element. */
type Filled = { html: string; style: string | null };

/** Pages that are whole in their HTML: they come without script and data. */
const WHOLE: readonly string[] = ["rules", "no-page"];

/** Whether a page says that there is nothing at its address, or nothing for now. */
export function isMissing(page: RenderedPage | null): boolean {
  return page?.kind === "not-found" || page?.kind === "no-page";
}

/** Customers' pages are in no index, unless they say where they want to be found (docs/decisions/038). */
const NOT_FOUND_BY_SEARCH = /<meta name="robots" content="noindex" ?\/?>\s*/;

/** Elements that start the script of a page, and fetch its parts ahead. */
const SCRIPTS = /<script\b[^>]*>[^<]*<\/script>|<link rel="modulepreload"[^>]*>/g;

/**
 * Fills the template of the phone pages; without a page the browser finds its data itself. The rules of a draw are
 * a text: they come without a script, as does the page of an address that nothing has. `found` is the whole address under which search engines may know the page.
 */
export function fillCustomerTemplate(
  template: string,
  render: RenderPage,
  page: RenderedPage | null,
  found: string | null,
): Filled {
  const { title, description, html, style } = page
    ? render(page)
    : { title: "Tournavis", description: null, html: "", style: null };
  const sheet = style === null ? null : `<style>${style}</style>`;
  const parts: Record<string, string> = {
    "page-title": `<title>${escapeHtml(title)}</title>`,
    "page-head": [
      description && `<meta name="description" content="${escapeHtml(description)}" />`,
      found && `<link rel="canonical" href="${escapeHtml(found)}" />`,
      sheet,
    ]
      .filter(Boolean)
      .join("\n    "),
    "page-html": html,
    "page-data":
      page && !WHOLE.includes(page.kind)
        ? `<script type="application/json" id="page-data">${escapeJson(JSON.stringify(page))}</script>`
        : "",
  };
  const known = found ? template.replace(NOT_FOUND_BY_SEARCH, "") : template;
  const document = page && WHOLE.includes(page.kind) ? known.replace(SCRIPTS, "") : known;
  const filled = document.replace(/<!--(page-(?:title|head|html|data))-->/g, (_, name: string) => {
    return parts[name] ?? "";
  });
  return { html: filled, style: sheet };
}
