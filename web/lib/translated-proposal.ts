import type { translateProposal } from "#domain/rules/proposed-words.ts";
import { AppError, NETWORK } from "./app-error.ts";

/** The segments of a new wheel with the translations of what was proposed, which are fetched for the one moment that needs them. */
export async function translatedProposal<
  Segment extends Parameters<typeof translateProposal>[0][number],
>(segments: readonly Segment[]) {
  const words = await import("#domain/rules/proposed-words.ts").catch(() => null);
  if (words === null) throw new AppError(NETWORK);
  return words.translateProposal(segments);
}
