import type { CustomerPage } from "../../web/customer/page-data.ts";

/** What the server's build of the phone pages exports. */
export type RenderPage = (page: CustomerPage) => { title: string; html: string };

/** Fills the template of the phone pages; without a page the browser finds its data itself. */
export function fillCustomerTemplate(
  template: string,
  render: RenderPage,
  page: CustomerPage | null,
): string {
  const { title, html } = page ? render(page) : { title: "Tournavis", html: "" };
  const parts: Record<string, string> = {
    "page-title": `<title>${escapeHtml(title)}</title>`,
    "page-head": "",
    "page-html": html,
    "page-data": page
      ? `<script type="application/json" id="page-data">${escapeJson(page)}</script>`
      : "",
  };
  return template.replace(/<!--(page-(?:title|head|html|data))-->/g, (_, name: string) => {
    return parts[name] ?? "";
  });
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** JSON that cannot end the script element it stands in. */
function escapeJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
