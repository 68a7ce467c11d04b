import * as z from "zod/mini";
import { presenceKind } from "../rules/presence-kind.ts";

/** Why a prize is to be checked. */
const checkKind = z.enum(["device", "network", "disposable", "quiet_hours"]);
export type CheckKind = z.infer<typeof checkKind>;

const count = z.int().check(z.minimum(0));

const checkedCode = z.object({
  id: z.uuid(),
  code: z.string(),
  reward: z.string(),
  reward_id: z.uuid(),
  /** Name, else e-mail; null for an erased customer, and for a member who may not see customers. */
  customer: z.nullable(z.string()),
  state: z.enum(["available", "used", "expired", "held", "cancelled"]),
  created_at: z.string(),
  used_at: z.nullable(z.string()),
  /** All reasons of this prize, other groups' as well. */
  reasons: z.array(checkKind),
});
export type CheckedCode = z.infer<typeof checkedCode>;

/** Prizes that have one reason to be checked. */
const checkGroup = z.object({
  id: z.uuid(),
  kind: checkKind,
  campaign: z.object({ id: z.uuid(), name: z.string() }),
  /** Domain of disposable addresses, or day at the store (ISO 8601); null otherwise. */
  label: z.nullable(z.string()),
  /** How many people are concerned, as far as is known. */
  names: count,
  /** Losing turns of the same device, network or domain. */
  losses: count,
  opened_at: z.string(),
  last_at: z.string(),
  closed_at: z.nullable(z.string()),
  closed_by: z.nullable(z.string()),
  /** A member of the team approved the wins. */
  is_normal: z.boolean(),
  /** Codes of the group, of which the newest 50 follow. */
  total: count,
  codes: z.array(checkedCode),
});
export type CheckGroup = z.infer<typeof checkGroup>;

/** Answer of the SQL function `check_groups`. */
export const checkGroups = z.object({
  /** Groups that are not dealt with, counted up to 100. */
  open: count,
  /** Whether there are any that were dealt with. */
  closed: z.boolean(),
  has_next: z.boolean(),
  items: z.array(checkGroup),
});

/** Answer of the SQL function `decide_check`. */
export const checkDecision = z.object({
  changed: count,
  /** Codes that could not be decided on: used meanwhile, or no stock left to give them back from. */
  left: count,
});

export type CheckDecision = z.infer<typeof checkDecision>;

/** Action of a merchant on a group of prizes, or on some of its codes. */
export type CheckAction = "hold" | "cancel" | "release" | "clear" | "reopen";

/** Answer of the SQL function `check_settings`; null when there is no such campaign. */
export const checkSettings = z.nullable(
  z.object({
    /** Turns that a device has in a day of the store; null for no limit. */
    device_daily_limit: z.nullable(count),
    device_names: count,
    network_names: count,
    marks_disposable: z.boolean(),
    /** « 02:00:00 », by the clock of the store; both null for never. */
    quiet_from: z.nullable(z.string()),
    quiet_to: z.nullable(z.string()),
    /** Proof that a customer is in the store; null where none is asked. */
    presence: z.nullable(presenceKind),
  }),
);
export type CheckSettings = NonNullable<z.infer<typeof checkSettings>>;
