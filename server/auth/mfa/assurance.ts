import type { ISql } from "postgres";
import { DAY_MS } from "#domain/text/durations.ts";
import type { Authenticated } from "../authenticate.ts";
import { AuthError } from "../errors.ts";
import { type FactorRow, listFactors } from "../users.ts";

/** How long a sign-in is recent, in milliseconds: what opens an account may be changed, and the present password suffices for another. */
export const RECENT_SIGN_IN_MS = DAY_MS;

/** Proofs that are themselves a second factor. */
const SECOND_PROOFS: readonly string[] = ["totp", "mfa/phone", "mfa/webauthn"];

/**
 * Whether a second factor was used in this session. Token and session both have to say so: a token from
 * before the factor was used is worth what it was worth then.
 */
export function isStrong({ session, claims }: Pick<Authenticated, "session" | "claims">): boolean {
  return session.aal === "aal2" && claims.aal === "aal2";
}

/** Whether one of a user's factors guards the account: one that was set up to the end. */
export function hasSecondFactor(factors: readonly FactorRow[]): boolean {
  return factors.some(({ status }) => status === "verified");
}

/** Whether the user has a second factor and has not used it in this session. */
export async function lacksAssurance(sql: ISql, who: Authenticated): Promise<boolean> {
  if (isStrong(who)) return false;
  const factors = await listFactors(sql, who.user.id);
  return hasSecondFactor(factors);
}

/** Refuses them. */
export async function requireAssurance(sql: ISql, who: Authenticated): Promise<void> {
  if (!(await lacksAssurance(sql, who))) return;
  throw new AuthError(403, "insufficient_aal", "AAL2 session is required when MFA is enabled");
}

/**
 * Refuses who has not proven lately that they are the account's person: with the second factor where there is one, else
 * by a recent sign-in. A person who finds an open session could otherwise take over the account, or lock its owner out for good.
 */
export function requireRecentProof(
  who: Authenticated,
  factors: readonly FactorRow[],
  now: Date,
  purpose: string,
): void {
  if (hasSecondFactor(factors)) {
    if (isStrong(who)) return;
    throw new AuthError(403, "insufficient_aal", `AAL2 required to ${purpose}`);
  }
  const isRecent = who.claims.amr.some(
    ({ method, timestamp }) =>
      // A clock ahead may have dated it.
      !SECOND_PROOFS.includes(method) &&
      Math.abs(now.getTime() - timestamp * 1000) < RECENT_SIGN_IN_MS,
  );
  if (isRecent) return;
  throw new AuthError(403, "recent_sign_in_needed", `A recent sign-in is required to ${purpose}`);
}
