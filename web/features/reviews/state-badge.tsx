import type { ReviewState } from "#domain/schemas/reviews.ts";
import { Badge } from "../../ui/badge.tsx";
import { reviewsCopy } from "./reviews.copy.ts";

const TONES = { open: "careful", answered: "good", closed: "neutral" } as const;

/** State of a review; nothing for one that needs no action. */
export function StateBadge({ state }: { state: ReviewState }) {
  return state && <Badge tone={TONES[state]}>{reviewsCopy.badges[state]}</Badge>;
}
