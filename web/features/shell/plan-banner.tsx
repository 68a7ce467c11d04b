import { Link } from "@tanstack/react-router";
import { Hourglass, TriangleAlert } from "lucide-react";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { billingOwnersCopy } from "../../ui/plans/billing-owners.copy.ts";
import { uiCopy } from "../../ui/ui.copy.ts";
import { planBannerCopy as copy } from "./plan-banner.copy.ts";
import { planNotice } from "./plan-state.ts";

const LOOKS = {
  warning: { look: "bg-sun-soft text-sun-ink", icon: TriangleAlert },
  info: { look: "bg-violet-soft text-ink", icon: Hourglass },
} as const;

/** The line above every screen that says why something is closed, or soon will be. */
export function PlanBanner() {
  const notice = planNotice(useWorkspace()?.plan ?? null, new Date());
  if (!notice) return null;
  const { look, icon: Icon } = LOOKS[notice.tone];
  return (
    <div role="status" className={look}>
      <p className="mx-auto flex max-w-6xl gap-3 px-4 py-3 font-medium sm:px-8 xl:max-w-7xl">
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
        <span>
          {notice.text} {notice.way && <Way way={notice.way} />}
        </span>
      </p>
    </div>
  );
}

const TEXTS = { plans: uiCopy.seePlans, pay: billingOwnersCopy.pay, keep: copy.keep } as const;

/** Leads whoever may manage the subscription to where it is mended; others learn whom to ask. */
function Way({ way }: { way: keyof typeof TEXTS }) {
  const { may } = useMay();
  if (!may("billing.manage")) return billingOwnersCopy.ask;
  const look = "inline-block underline underline-offset-4";
  if (way === "plans") {
    return (
      <Link to="/pricing" className={look}>
        {TEXTS[way]}
      </Link>
    );
  }
  return (
    <Link
      to="/settings"
      search={{ section: "subscription", ...(way === "pay" && { pay: true }) }}
      className={look}
    >
      {TEXTS[way]}
    </Link>
  );
}
