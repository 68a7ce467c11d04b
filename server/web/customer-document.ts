import { escapeHtml, escapeJson } from "#domain/html.ts";
import type { PaintedPage } from "../../web/customer/page-data.ts";

/** What the server's build of the phone pages exports. */
export type RenderPage = (page: PaintedPage) => { title: string; html: string };

/** What starts the script of a page, and fetches its parts ahead. */
const SCRIPTS = /<script\b[^>]*><\/script>|<link rel="modulepreload"[^>]*>/g;

/**
 * Fills the template of the phone pages; without a page the browser finds its data itself. The rules of a draw are
 * a text: they come without a script.
 */
export function fillCustomerTemplate(
  template: string,
  render: RenderPage,
  page: PaintedPage | null,
): string {
  const { title, html } = page ? render(page) : { title: "Tournavis", html: "" };
  const parts: Record<string, string> = {
    "page-title": `<title>${escapeHtml(title)}</title>`,
    "page-head": "",
    "page-html": html,
    "page-data":
      page && page.kind !== "rules"
        ? `<script type="application/json" id="page-data">${escapeJson(JSON.stringify(page))}</script>`
        : "",
  };
  const document = page?.kind === "rules" ? template.replace(SCRIPTS, "") : template;
  return document.replace(/<!--(page-(?:title|head|html|data))-->/g, (_, name: string) => {
    return parts[name] ?? "";
  });
}
