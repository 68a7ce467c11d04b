import { Badge } from "../../../ui/badge.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import type { Subscribed } from "./plan-action.ts";
import { pricingCopy as copy } from "./pricing.copy.ts";

/** Plan and way to the dashboard of a signed-in visitor, where others find the way in. */
export function MemberLinks({ subscribed }: { subscribed: Subscribed }) {
  return (
    <>
      {subscribed && (
        <Badge tone="violet">
          <span className="sr-only">{copy.planLabel} : </span>
          {copy.names[subscribed.plan]}
        </Badge>
      )}
      <a href="/dashboard" className={`-mr-3 ${buttonClass({ variant: "quiet" })}`}>
        {copy.dashboard}
      </a>
    </>
  );
}
