import { campaignState } from "../_shared/domain/rules/campaign-state.ts";
import { phoneToDial } from "../_shared/domain/rules/phone-number.ts";
import type { CodeListStatus } from "../_shared/domain/schemas/code-status.ts";
import type { ReviewState } from "../_shared/domain/schemas/reviews.ts";
import { type Cell, csvLine } from "../_shared/http/csv.ts";
import { exportsCopy } from "./exports.copy.ts";

/** A row of the SQL function `export_customers`. */
export type CustomerRow = {
  first_name: string | null;
  last_name: string | null;
  name: string;
  email: string | null;
  phone: string | null;
  consent: boolean;
  consent_at: string | null;
  locale: string;
  store: string | null;
  reviews: number;
  rating_sum: number;
  spins: number;
  wins: number;
  redemptions: number;
  last_activity_at: string | null;
  created_at: string;
};

/** A row of the SQL function `export_redemptions`. */
export type RedemptionRow = {
  code: string;
  status: CodeListStatus;
  reward: string;
  campaign: string | null;
  /** Where it is good. */
  store: string;
  /** Both null where customers may not be named. */
  customer: string | null;
  email: string | null;
  created_at: string;
  expires_at: string | null;
  used_at: string | null;
  used_store: string | null;
  used_by: string | null;
  /** Won on a wheel, or given by the team. */
  origin: "wheel" | "goodwill";
};

/** A row of the SQL function `export_reviews`. */
export type ReviewRow = {
  created_at: string;
  rating: number;
  /** Null, as the customer and the answer, where customers may not be named. */
  text: string | null;
  customer: string | null;
  email: string | null;
  phone: string | null;
  is_erased: boolean;
  locale: string | null;
  store: string;
  campaign: string;
  state: ReviewState;
  assignee: string | null;
  /** The last answer, by mail or elsewhere; one that was given elsewhere has no words. */
  answered_at: string | null;
  answered_by: string | null;
  answer: string | null;
  /** Reward that a code was given for. */
  gesture: string | null;
  went_public: boolean;
};

/** A row of the SQL function `export_campaigns`. */
export type CampaignRow = {
  name: string;
  is_archived: boolean;
  active: boolean;
  starts_at: Date | null;
  ends_at: Date | null;
  store: string | null;
  /** Dates in words; one without a start began when it was made. */
  begun: string;
  ended: string | null;
  created: string;
  scans: number;
  reviews: number;
  rating_sum: number;
  spins: number;
  wins: number;
  redemptions: number;
};

/** A mean to one decimal; nothing of nothing. */
function average(sum: number, count: number): Cell {
  return count === 0 ? null : Math.round((sum / count) * 10) / 10;
}

function yesNo(isSo: boolean): string {
  return isSo ? exportsCopy.yes : exportsCopy.no;
}

/** The line of a customer, in the order of `exportsCopy.customers`. */
export function customerLine(row: CustomerRow): string {
  return csvLine([
    row.first_name,
    row.last_name,
    row.name,
    row.email,
    row.phone && phoneToDial(row.phone),
    yesNo(row.consent),
    row.consent_at,
    row.locale,
    row.store,
    average(row.rating_sum, row.reviews),
    row.reviews,
    row.spins,
    row.wins,
    row.redemptions,
    row.last_activity_at,
    row.created_at,
  ]);
}

/** The names of the columns of codes; without customers for a member who may not see them. */
export function redemptionHeader(isNamed: boolean): string {
  const { code, customer, dates } = exportsCopy.redemptions;
  return csvLine([...code, ...(isNamed ? customer : []), ...dates]);
}

/** The line of a code, in the order of `redemptionHeader`. */
export function redemptionLine(row: RedemptionRow, isNamed: boolean): string {
  return csvLine([
    row.code,
    exportsCopy.statuses[row.status],
    row.reward,
    row.campaign,
    row.store,
    ...(isNamed ? [row.customer, row.email] : []),
    row.created_at,
    row.expires_at,
    row.used_at,
    row.used_store,
    row.used_by,
    exportsCopy.origins[row.origin],
  ]);
}

/** The names of the columns of reviews; without words and customers for a member who may not see customers. */
export function reviewHeader(isNamed: boolean): string {
  const { review, customer, place, followUp, answer, rest } = exportsCopy.reviews;
  return csvLine([
    ...review,
    ...(isNamed ? customer : []),
    ...place,
    ...followUp,
    ...(isNamed ? answer : []),
    ...rest,
  ]);
}

/** The line of a review, in the order of `reviewHeader`. */
export function reviewLine(row: ReviewRow, isNamed: boolean): string {
  return csvLine([
    row.created_at,
    row.rating,
    ...(isNamed
      ? [
          row.text,
          row.is_erased ? exportsCopy.erased : row.customer,
          row.email,
          row.phone && phoneToDial(row.phone),
        ]
      : []),
    row.locale,
    row.store,
    row.campaign,
    row.state && exportsCopy.reviewStates[row.state],
    row.assignee,
    row.answered_at,
    row.answered_by,
    ...(isNamed ? [row.answer] : []),
    row.gesture,
    yesNo(row.went_public),
  ]);
}

/** The line of a campaign at a moment, in the order of `exportsCopy.campaigns`. */
export function campaignLine(row: CampaignRow, now: Date): string {
  const { active, starts_at, ends_at } = row;
  const dates = {
    active,
    starts_at: starts_at?.toISOString() ?? null,
    ends_at: ends_at?.toISOString() ?? null,
  };
  const state = row.is_archived ? "archived" : campaignState(dates, now);
  return csvLine([
    row.name,
    exportsCopy.campaignStates[state],
    row.store,
    row.begun,
    row.ended,
    row.created,
    row.scans,
    row.reviews,
    average(row.rating_sum, row.reviews),
    row.spins,
    row.wins,
    row.redemptions,
  ]);
}
