import { TriangleAlert } from "lucide-react";
import { campaignBadgesCopy as copy } from "./campaign-badges.copy.ts";

/** Said before a campaign without a prize is switched on, and while it is. */
export function NoPrizeNotice({ id }: { id: string }) {
  return (
    <p
      id={id}
      className="mb-2 flex gap-2 rounded-field bg-sun-soft px-3 py-2 text-sm font-medium text-pretty text-sun-ink"
    >
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {copy.noPrizeText}
    </p>
  );
}
