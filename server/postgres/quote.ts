/** A name of the database as statements write it: its parts, such as schema and table, with dots between them. */
export function quoteName(...parts: string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join(".");
}

/** A text as statements write it. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
