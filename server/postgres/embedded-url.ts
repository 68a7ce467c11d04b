/** Administrator's address of a database of the embedded PostgreSQL. */
export function embeddedUrl(password: string, port: number, database: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}
