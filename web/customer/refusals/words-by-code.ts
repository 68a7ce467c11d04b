/**
 * Words for a refusal in another language than the server's, by its code. A code that no page of
 * customers expects is a fault of the service. Empty where no refusal of ours came.
 */
export function wordsByCode(words: Readonly<Record<string, string>> & { internal_error: string }) {
  return (refusal: { code: string } | undefined): string =>
    refusal === undefined ? "" : (words[refusal.code] ?? words.internal_error);
}
