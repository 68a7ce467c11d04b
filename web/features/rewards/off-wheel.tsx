import { Link } from "@tanstack/react-router";
import { CircleAlert, Plus } from "lucide-react";
import type { RewardItem } from "#domain/schemas/rewards.ts";
import { useMay } from "../../lib/use-may.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { rewardsCopy as copy } from "./rewards.copy.ts";

/** A reward that no slice wins, and the way onto the wheel: nothing changes there before its odds were seen. */
export function OffWheel({ reward: { id, name, campaign_id } }: { reward: RewardItem }) {
  const mayPlace = useMay().mayOpen("/campaigns/$campaignId/edit");
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-field bg-sun-soft px-4 py-2 text-sun-ink">
      <p className="flex min-h-11 items-center gap-2 font-medium">
        <CircleAlert aria-hidden="true" className="size-5 shrink-0" />
        {copy.offWheel}
      </p>
      {campaign_id && mayPlace && (
        <Link
          to="/campaigns/$campaignId/edit"
          params={{ campaignId: campaign_id }}
          search={{ reward: id }}
          aria-label={copy.toWheelOf(name)}
          className={buttonClass({ variant: "secondary" })}
        >
          <Plus aria-hidden="true" className="size-5" />
          {copy.toWheel}
        </Link>
      )}
    </div>
  );
}
