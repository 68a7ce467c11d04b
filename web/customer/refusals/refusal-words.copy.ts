/** What the server says of a refusal: its sentences are French. Empty where none of ours came. */
export const refusalWords = (refusal: { code: string; message: string } | undefined) =>
  refusal?.message ?? "";
