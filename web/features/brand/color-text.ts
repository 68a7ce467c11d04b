/** Whether a text is a colour as the database takes it, in capitals or not. */
export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text);
}
