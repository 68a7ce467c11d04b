import type { CodeLookup, RedeemResponse } from "#domain/schemas/journey.ts";
import type { AppError } from "../../../lib/app-error.ts";

/** Answer of the server about a code, before or at its redemption. */
export type Answer = {
  state: CodeLookup["state"] | "redeemed" | "restored";
  code: string;
  reward: string | null;
  customer: string | null;
  store: string | null;
  expiresAt: Date | null;
  usedAt: Date | null;
  usedBy: string | null;
  /** Identifier that undoes the redemption, while that is possible. */
  undoId: string | null;
};

function date(text: string | null | undefined): Date | null {
  return text ? new Date(text) : null;
}

/** The answer to a code that was looked up. */
export function lookedUp(lookup: CodeLookup): Answer {
  return {
    state: lookup.state,
    code: lookup.code,
    reward: lookup.reward?.name ?? null,
    customer: lookup.customer?.name ?? null,
    store: lookup.store?.name ?? null,
    expiresAt: date(lookup.expires_at),
    usedAt: date(lookup.used_at),
    usedBy: lookup.used_by,
    undoId: lookup.undo_id,
  };
}

/** The answer to a redemption that succeeded. */
export function redeemed(response: RedeemResponse, before: Answer): Answer {
  return {
    ...before,
    state: "redeemed",
    code: response.code,
    reward: response.reward.name,
    customer: response.customer.name,
    usedAt: new Date(response.used_at),
    undoId: response.undo_id,
  };
}

/** The answer to an undone redemption. */
export function restored(before: Answer): Answer {
  return {
    ...before,
    state: "restored",
    usedAt: null,
    usedBy: null,
    undoId: null,
  };
}

/** Refusals that say what the code is; any other error says nothing about it. */
const REFUSALS: Readonly<Record<string, Answer["state"]>> = {
  code_used: "used",
  code_expired: "expired",
  code_held: "held",
  code_cancelled: "cancelled",
  code_other_store: "other_store",
  code_test: "test",
  code_not_found: "unknown",
  too_many_attempts: "too_many_attempts",
};

/** The answer to a redemption that was refused, or `null` when the error says nothing about the code. */
export function refused(error: AppError, before: Answer): Answer | null {
  const state = Object.hasOwn(REFUSALS, error.code) ? REFUSALS[error.code] : undefined;
  if (!state) return null;
  const { details } = error;
  return {
    ...before,
    state,
    store: details?.store_name ?? before.store,
    expiresAt: date(details?.expires_at) ?? before.expiresAt,
    usedAt: date(details?.used_at),
    usedBy: details?.used_by ?? null,
  };
}
