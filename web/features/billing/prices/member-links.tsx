import { LayoutDashboard } from "lucide-react";
import { Badge } from "../../../ui/badge.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import type { Subscribed } from "./plan-action.ts";
import { pricingCopy as copy } from "./pricing.copy.ts";

/** Plan and way to the dashboard of a signed-in visitor, where others find the way in. */
export function MemberLinks({ subscribed }: { subscribed: Subscribed }) {
  return (
    <>
      {subscribed && (
        <span className="max-[19rem]:hidden">
          <Badge tone="violet">
            <span className="sr-only">{copy.planLabel} : </span>
            {copy.names[subscribed.plan]}
          </Badge>
        </span>
      )}
      {/* The narrowest phones have it in the menu. */}
      <a
        href="/dashboard"
        className={`whitespace-nowrap max-sm:px-2.5 max-[22.4rem]:hidden sm:-mr-3 ${buttonClass({ variant: "quiet" })}`}
      >
        <LayoutDashboard aria-hidden="true" className="size-6 sm:hidden" />
        <span className="max-sm:sr-only">{copy.dashboard}</span>
      </a>
    </>
  );
}
