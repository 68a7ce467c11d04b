/** Code of whatever was thrown, for the log: never its text, which may quote what people typed. */
export function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error ? String(error.code) : error.name;
}
