import { type LinkProps, linkOptions } from "@tanstack/react-router";
import type { Dashboard } from "#domain/back-office.ts";
import { usageOf } from "#domain/usage.ts";
import { formatElapsed } from "../../lib/figures.ts";
import { formatNumber } from "../../lib/format.ts";
import { dashboardCopy } from "./dashboard.copy.ts";

const copy = dashboardCopy.next;

/** Most that are shown at once: a longer list is no help. */
const MOST = 4;

/** Something that deserves attention, and where it is dealt with. */
export type Step = {
  title: string;
  text: string;
  link?: { action: string; options: LinkProps };
  /** Instant of the review that it is about: it can be marked as seen. */
  seenUntil?: string;
};

/** Without these, customers cannot take part. */
function unfinished({ has_campaign, has_reward, used, todo }: Dashboard): (Step | null)[] {
  if (!has_campaign) return [step(copy.firstCampaign, linkOptions({ to: "/campaigns/new" }))];
  if (used.active_campaigns === 0)
    return [step(copy.noneActive, linkOptions({ to: "/campaigns" }))];
  if (!has_reward) return [step(copy.firstReward, linkOptions({ to: "/rewards/new" }))];
  const { empty_campaign: empty } = todo;
  return [
    empty &&
      step(
        { ...copy.emptyCampaign, title: copy.emptyCampaign.title(empty.name) },
        linkOptions({ to: "/rewards/new", search: { campaign: empty.id } }),
      ),
  ];
}

function badReview({ todo: { bad_review: review } }: Dashboard, now: Date): Step | null {
  if (!review) return null;
  const { rating, name, at, count, customer_id, campaign_id } = review;
  const who = copy.badReview.who(
    name ?? dashboardCopy.activity.anonymous,
    formatElapsed(new Date(at), now),
  );
  return {
    ...step(
      {
        title: copy.badReview.title(rating),
        text: count > 1 ? `${who} ${copy.badReview.others(formatNumber(count))}` : who,
        action: copy.badReview.action,
      },
      customer_id
        ? linkOptions({ to: "/customers/$customerId", params: { customerId: customer_id } })
        : linkOptions({ to: "/campaigns/$campaignId", params: { campaignId: campaign_id } }),
    ),
    seenUntil: at,
  };
}

function lowStock({ todo: { low_stock } }: Dashboard): Step | null {
  const [first] = low_stock;
  if (!first) return null;
  const { id, name, stock } = first;
  const others = low_stock.length - 1;
  return step(
    {
      title: stock === 0 ? copy.lowStock.none(name) : copy.lowStock.few(formatNumber(stock), name),
      text: others > 0 ? copy.lowStock.others(others) : copy.lowStock.text,
      action: copy.lowStock.action,
    },
    others > 0
      ? linkOptions({ to: "/rewards" })
      : linkOptions({ to: "/rewards/$rewardId/edit", params: { rewardId: id } }),
  );
}

function spins({ used, limits }: Dashboard): { reached: Step | null; near: Step | null } {
  const { state } = usageOf(used.monthly_spins, limits.monthly_spins);
  const plans = linkOptions({ to: "/pricing" });
  const left = formatNumber(limits.monthly_spins - used.monthly_spins);
  return {
    reached: state === "reached" ? step(copy.spinsReached, plans) : null,
    near:
      state === "near" ? step({ ...copy.spinsNear, text: copy.spinsNear.text(left) }, plans) : null,
  };
}

function unlinkedStore({ todo: { unlinked_store: store } }: Dashboard): Step | null {
  if (!store) return null;
  return step(
    { ...copy.unlinkedStore, text: copy.unlinkedStore.text(store.name) },
    linkOptions({ to: "/stores/$storeId/settings", params: { storeId: store.id } }),
  );
}

function neverScanned({ has_reward, used, totals }: Dashboard): Step | null {
  if (!has_reward || used.active_campaigns === 0 || totals.scans > 0) return null;
  return step(copy.neverScanned, linkOptions({ to: "/campaigns" }));
}

function step(
  { title, text, action }: { title: string; text: string; action: string },
  options: LinkProps,
): Step {
  return { title, text, link: { action, options } };
}

/** What deserves attention, the most urgent first; nothing when all is well. */
export function nextSteps(dashboard: Dashboard, now: Date): Step[] {
  const { reached, near } = spins(dashboard);
  return [
    ...unfinished(dashboard),
    reached,
    badReview(dashboard, now),
    lowStock(dashboard),
    near,
    unlinkedStore(dashboard),
    neverScanned(dashboard),
  ]
    .filter((found) => found !== null)
    .slice(0, MOST);
}
