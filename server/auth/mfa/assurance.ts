import type { ISql } from "postgres";
import type { Authenticated } from "../authenticate.ts";
import { AuthError } from "../errors.ts";
import { listFactors } from "../users.ts";

/**
 * Whether a second factor was used in this session. Token and session both have to say so: a token from
 * before the factor was used is worth what it was worth then.
 */
export function isStrong({ session, claims }: Pick<Authenticated, "session" | "claims">): boolean {
  return session.aal === "aal2" && claims.aal === "aal2";
}

/** Whether somebody has a second factor and has not used it in this session. */
export async function lacksAssurance(sql: ISql, who: Authenticated): Promise<boolean> {
  if (isStrong(who)) return false;
  const factors = await listFactors(sql, who.user.id);
  return factors.some(({ status }) => status === "verified");
}

/** Refuses them. */
export async function requireAssurance(sql: ISql, who: Authenticated): Promise<void> {
  if (!(await lacksAssurance(sql, who))) return;
  throw new AuthError(403, "insufficient_aal", "AAL2 session is required when MFA is enabled");
}
