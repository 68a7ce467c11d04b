/** Text escaped for HTML, also within quotation marks. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

/** JSON that cannot end the script element that contains it. */
export function escapeJson(json: string): string {
  return json.replaceAll("<", "\\u003c");
}
