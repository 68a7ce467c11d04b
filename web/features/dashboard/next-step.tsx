import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { Dashboard } from "#domain/back-office.ts";
import { usageOf } from "#domain/usage.ts";
import { formatNumber } from "../../lib/format.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { dashboardCopy } from "./dashboard.copy.ts";

const copy = dashboardCopy.next;

type Step = {
  title: string;
  text: string;
  to?: "/campaigns/new" | "/campaigns" | "/rewards/new";
  action?: string;
};

/** The one thing that deserves attention first; null when all is well. */
function nextStep({ has_campaign, has_reward, used, limits }: Dashboard): Step | null {
  if (!has_campaign) return { ...copy.firstCampaign, to: "/campaigns/new" };
  if (used.active_campaigns === 0) return { ...copy.noneActive, to: "/campaigns" };
  if (!has_reward) return { ...copy.firstReward, to: "/rewards/new" };
  const { state } = usageOf(used.monthly_spins, limits.monthly_spins);
  if (state === "reached") return copy.spinsReached;
  if (state !== "near") return null;
  const left = formatNumber(limits.monthly_spins - used.monthly_spins);
  return { title: copy.spinsNear.title, text: copy.spinsNear.text(left) };
}

/** The dashboard opens on what to do next. */
export function NextStep({ dashboard }: { dashboard: Dashboard }) {
  const titleId = useId();
  const step = nextStep(dashboard);
  if (!step) return null;
  return (
    <section
      aria-labelledby={titleId}
      className="relative overflow-hidden rounded-card bg-violet-soft p-6 sm:p-8"
    >
      <WheelMark className="pointer-events-none absolute -right-14 -bottom-20 hidden w-60 rotate-12 sm:block lg:right-6" />
      <div className="relative max-w-lg sm:pr-24 lg:pr-0">
        <p className="font-semibold text-muted">{copy.label}</p>
        <h2 id={titleId} className="mt-1 text-2xl">
          {step.title}
        </h2>
        <p className="mt-2 text-lg text-pretty">{step.text}</p>
        {step.to && (
          <Link to={step.to} className={`mt-5 w-full min-[480px]:w-auto ${buttonClass()}`}>
            {step.action}
          </Link>
        )}
      </div>
    </section>
  );
}
