import type { ReviewState } from "#domain/schemas/reviews.ts";
import { Badge } from "../../ui/badge.tsx";
import { reviewsCopy } from "./reviews.copy.ts";

const TONES = { open: "careful", answered: "good", closed: "neutral" } as const;

/** What became of a review; nothing for one that asks for nothing. */
export function StateBadge({ state }: { state: ReviewState }) {
  return state && <Badge tone={TONES[state]}>{reviewsCopy.badges[state]}</Badge>;
}
