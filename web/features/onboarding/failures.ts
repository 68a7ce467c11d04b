import { AppError, NETWORK, NO_DATA } from "../../lib/app-error.ts";
import { onboardingCopy } from "./onboarding.copy.ts";

const { reasons } = onboardingCopy;

/** Five characters of the database: its own name of an error. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** In the place of the raw message that the specification shows: what a person can do about it. */
function reasonOf(code: string): string {
  if (code === NETWORK) return reasons.network;
  if (code === "TV003") return reasons.limit;
  if (code === "TV170") return reasons.link;
  if (code === "forbidden") return reasons.forbidden;
  return code === "23514" || code === "23502" || code === "22001"
    ? reasons.malformed
    : reasons.other;
}

/** Why no organisation was made (specification, section 8). */
export function organizationFailure(error: unknown): string {
  const copy = onboardingCopy.organization.failed;
  const code = error instanceof AppError ? error.code : "";
  switch (code) {
    case "23505":
      return copy.taken;
    case "forbidden":
      return copy.forbidden;
    case NO_DATA:
      return copy.noData;
    case "TV021":
      return copy.member(reasons.other);
    case "TV022":
      return copy.subscription(reasons.other);
    case NETWORK:
      return copy.database(reasons.network);
  }
  return SQLSTATE.test(code) ? copy.database(reasonOf(code)) : copy.fallback;
}

/** Why no store was made or changed (specification, section 8). */
export function storeFailure(error: unknown): string {
  const copy = onboardingCopy.store.failed;
  const code = error instanceof AppError ? error.code : "";
  if (code === "23505") return copy.taken;
  if (code === "TV023") return copy.noOrganization;
  if (code === "TV050") return copy.organization(reasons.other);
  const isKnown = code === NETWORK || code === "forbidden" || SQLSTATE.test(code);
  return isKnown ? copy.other(reasonOf(code)) : copy.fallback;
}
