import type { CodeListStatus } from "../_shared/domain/schemas/code-status.ts";
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
  /** Both null where nobody may be named. */
  customer: string | null;
  email: string | null;
  created_at: string;
  expires_at: string | null;
  used_at: string | null;
  used_store: string | null;
  /** Won on a wheel, or given by the team. */
  origin: "wheel" | "goodwill";
};

/** A mean to one decimal; nothing of nothing. */
function average(sum: number, count: number): Cell {
  return count === 0 ? null : Math.round((sum / count) * 10) / 10;
}

/** The line of a customer, in the order of `exportsCopy.customers`. */
export function customerLine(row: CustomerRow): string {
  return csvLine([
    row.first_name,
    row.last_name,
    row.name,
    row.email,
    row.phone,
    row.consent ? exportsCopy.yes : exportsCopy.no,
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

/** The names of the columns of codes; without customers for whoever may not see them. */
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
    ...(isNamed ? [row.customer, row.email] : []),
    row.created_at,
    row.expires_at,
    row.used_at,
    row.used_store,
    exportsCopy.origins[row.origin],
  ]);
}
