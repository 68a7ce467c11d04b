import type { SpinResult } from "#domain/schemas/journey.ts";
import { type SaidWords, say } from "#domain/text/merchant-words.ts";

/** A draw as the page's language calls it. The phone keeps it as it was answered: the language may be another one later. */
export function inWords(result: SpinResult, words: SaidWords | undefined): SpinResult {
  if (words === undefined) return result;
  const { reward, segment_label } = result;
  return {
    ...result,
    segment_label: say(words, segment_label),
    reward: reward && { ...reward, name: say(words, reward.name) },
  };
}
