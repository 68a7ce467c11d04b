import { type LinkProps, linkOptions } from "@tanstack/react-router";
import { campaignState } from "#domain/rules/campaign-state.ts";
import { usageOf } from "#domain/rules/usage.ts";
import type { Dashboard } from "#domain/schemas/back-office.ts";
import { firstOfMonth } from "#domain/text/first-of-month.ts";
import { CHECKS_HASH } from "../../../lib/campaign-links.ts";
import { formatNumber } from "../../../lib/format.ts";
import type { Screen } from "../../../lib/screens.ts";
import { dashboardCopy } from "../dashboard.copy.ts";
import { type ReviewLine, reviewLines } from "./unseen-reviews.ts";

const copy = dashboardCopy.next;

/** Most that are shown at once: a longer list is no help. */
const MAX_SHOWN = 4;

/** Something that deserves attention, and where it is dealt with. */
export type Step = {
  title: string;
  text: string;
  /** None where it leads to what is not for the reader. */
  link?: { action: string; options: LinkProps };
  /** Its reviews are listed with it. */
  isReviews?: true;
};

/** Whether the user can reach a screen. */
type MayOpen = (screen: Screen) => boolean;

/** Everybody sees it; the link to the archive is for members who may restore a store. */
function archivedStores(mayOpen: MayOpen): Step {
  const { title, text, asked, action } = copy.archivedStores;
  return mayOpen("/stores/new")
    ? step({ title, text, action }, linkOptions({ to: "/stores", search: { archived: true } }))
    : { title, text: asked };
}

/** Without these, customers cannot take part: a task for members who may do it. */
function unfinished(
  { has_campaign, has_reward, used, todo }: Dashboard,
  now: Date,
  mayOpen: MayOpen,
) {
  const { over_campaign: over, empty_campaign: empty } = todo;
  const mayMakeCampaign = mayOpen("/campaigns/new");
  const mayMakeReward = mayOpen("/rewards/new");
  if (!has_campaign) {
    // A member who may not make the prizes as well begins with the campaign alone.
    const options = mayMakeReward
      ? linkOptions({ to: "/onboarding/wheel" })
      : linkOptions({ to: "/campaigns/new" });
    return mayMakeCampaign && step(copy.firstCampaign, options);
  }
  if (used.active_campaigns === 0)
    return mayMakeCampaign && step(copy.noneActive, linkOptions({ to: "/campaigns" }));
  if (over)
    return (
      mayMakeCampaign &&
      step(
        { ...copy.overCampaign, title: copy.overCampaign.title(over.name) },
        linkOptions({ to: "/campaigns" }),
      )
    );
  if (!mayMakeReward) return null;
  if (!has_reward) return step(copy.firstReward, linkOptions({ to: "/rewards/new" }));
  if (!empty) return null;
  const { title, text, scheduled, action } = copy.emptyCampaign;
  const isToCome = campaignState(empty, now) === "scheduled";
  return step(
    {
      title: title(empty.name),
      text: isToCome ? scheduled(beginning(empty)) : text,
      action,
    },
    linkOptions({ to: "/rewards/new", search: { campaign: empty.id } }),
  );
}

/** The day on which a campaign begins, by its store's clock. */
function beginning({ starts_at, timezone }: NonNullable<Dashboard["todo"]["empty_campaign"]>) {
  const format = new Intl.DateTimeFormat("fr-FR", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: timezone,
  });
  return firstOfMonth(format.format(new Date(starts_at ?? 0)));
}

/** As far as the database counts bad reviews. */
const MAX_COUNTED = 100;

function badReviews(
  { todo: { unseen_reviews } }: Dashboard,
  lines: readonly ReviewLine[],
): Step | null {
  const [first, ...others] = lines.filter(({ isSeen }) => !isSeen);
  if (lines.length === 0) return null;
  const { title, titles, manyTitle, allSeen } = copy.badReview;
  if (!first) return { title: allSeen, text: "", isReviews: true };
  // A review that was just marked may still be counted.
  const count = Math.max(unseen_reviews.count, 1 + others.length);
  const isOne = others.length === 0 && unseen_reviews.items.length <= 1;
  return {
    title: isOne
      ? title(first.review.rating)
      : count < MAX_COUNTED
        ? titles(formatNumber(count))
        : manyTitle,
    text: "",
    isReviews: true,
  };
}

/** For members who may decide about them. */
function checks({ todo: { checks: count } }: Dashboard, mayOpen: MayOpen): Step | null {
  if (count === 0 || !mayOpen("/rewards") || !mayOpen("/rewards/$rewardId/edit")) return null;
  return step(
    { ...copy.checks, text: copy.checks.text(count) },
    linkOptions({ to: "/rewards", hash: CHECKS_HASH }),
  );
}

function lowStock({ todo: { low_stock } }: Dashboard, mayOpen: MayOpen): Step | null {
  const [first] = low_stock;
  if (!first || !mayOpen("/rewards/$rewardId/edit")) return null;
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

/** Everybody sees it; the link to the plans is for members who may change the plan. */
function spins({ used, limits }: Dashboard, mayOpen: MayOpen) {
  const { state } = usageOf(used.monthly_spins, limits.monthly_spins);
  const plans = mayOpen("/pricing") ? linkOptions({ to: "/pricing" }) : null;
  const left = limits.monthly_spins - used.monthly_spins;
  return {
    reached: state === "reached" ? step(copy.spinsReached, plans) : null,
    near:
      state === "near" ? step({ ...copy.spinsNear, text: copy.spinsNear.text(left) }, plans) : null,
  };
}

function unlinkedStore(
  { todo: { unlinked_store: store } }: Dashboard,
  mayOpen: MayOpen,
): Step | null {
  if (!store || !mayOpen("/stores/$storeId/settings")) return null;
  return step(
    { ...copy.unlinkedStore, text: copy.unlinkedStore.text(store.name) },
    linkOptions({ to: "/stores/$storeId/settings", params: { storeId: store.id } }),
  );
}

function neverScanned({ has_reward, used, totals }: Dashboard, mayOpen: MayOpen): Step | null {
  if (!has_reward || used.active_campaigns === 0 || totals.scans > 0) return null;
  if (!mayOpen("/campaigns")) return null;
  const options = mayOpen("/campaigns/new")
    ? linkOptions({ to: "/onboarding/poster" })
    : linkOptions({ to: "/campaigns" });
  return step(copy.neverScanned, options);
}

function step(
  { title, text, action }: { title: string; text: string; action: string },
  options: LinkProps | null,
): Step {
  return { title, text, ...(options && { link: { action, options } }) };
}

/** Data beside the dashboard's own. */
type Surroundings = {
  lines?: readonly ReviewLine[];
  /** Whether a store is in use; without one nothing else can be begun. */
  hasStore?: boolean;
  /** Whether the plan is in force; after it nothing can be changed, and the banner says why. */
  isOpen?: boolean;
};

/** Steps for this reader, the most urgent first; none when all is well. */
export function nextSteps(
  dashboard: Dashboard,
  now: Date,
  mayOpen: MayOpen,
  {
    lines = reviewLines(dashboard.todo.unseen_reviews.items, []),
    hasStore = true,
    isOpen = true,
  }: Surroundings = {},
): Step[] {
  const reviews = badReviews(dashboard, lines);
  if (!isOpen) return reviews ? [reviews] : [];
  const { reached, near } = spins(dashboard, mayOpen);
  return [
    hasStore ? unfinished(dashboard, now, mayOpen) : archivedStores(mayOpen),
    reached,
    reviews,
    checks(dashboard, mayOpen),
    lowStock(dashboard, mayOpen),
    near,
    unlinkedStore(dashboard, mayOpen),
    neverScanned(dashboard, mayOpen),
  ]
    .filter((found) => found !== null && found !== false)
    .slice(0, MAX_SHOWN);
}
