import { AppError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { storeFormCopy } from "./store-form.copy.ts";
import { CONFLICT } from "./stores.mutations.ts";

const { failures } = storeFormCopy;

const REASONS: Readonly<Record<string, string>> = {
  TV003: failures.limit,
  forbidden: failures.forbidden,
  "23514": failures.timezone,
  TV170: failures.link,
  [NETWORK]: failures.network,
};

/** Why a store was not created or changed (specification, section 8). */
export function storeFailure(error: unknown, isNew: boolean): string {
  const code = error instanceof AppError ? error.code : "";
  if (code === "subscription_closed") return errorMessage(error);
  if (code === "23505") return failures.taken;
  if (code === "TV023") return failures.noOrganization;
  if (code === "TV050") return failures.organization(failures.unknown);
  if (code === CONFLICT) return failures.conflict;
  const reason = REASONS[code];
  if (isNew) return reason ? failures.other(reason) : failures.fallback;
  return failures.update(reason ?? failures.unknown);
}
