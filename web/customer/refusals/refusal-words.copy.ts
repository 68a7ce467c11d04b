/** Sentence of the server for a refusal, in French. Empty where no refusal of ours came. */
export const refusalWords = (refusal: { code: string; message: string } | undefined) =>
  refusal?.message ?? "";
