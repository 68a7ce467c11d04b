import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { FallenSegment } from "../../ui/states/fallen-segment.tsx";
import { rewardsCopy } from "./rewards.copy.ts";

const copy = rewardsCopy.notFound;

/** There is no such reward, or it is somebody else's: the same answer. */
export function RewardMissing() {
  usePageTitle(copy.title);
  return (
    <div className="grid justify-items-center gap-5 px-4 py-16 text-center">
      <FallenSegment className="h-24" />
      <div className="grid gap-2">
        <h1 className="text-2xl">{copy.title}</h1>
        <p className="text-lg text-muted">{copy.text}</p>
      </div>
      <Link to="/rewards" className={buttonClass()}>
        {copy.back}
      </Link>
    </div>
  );
}
