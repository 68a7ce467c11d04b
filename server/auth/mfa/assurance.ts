import type { ISql } from "postgres";
import type { Authenticated } from "../authenticate.ts";
import { AuthError } from "../errors.ts";
import { listFactors } from "../users.ts";

/**
 * Refuses somebody who has a second factor and has not used it in this session. Token and session
 * both have to say so: a token from before the factor was used is worth what it was worth then.
 */
export async function requireAssurance(
  sql: ISql,
  { user, session, claims }: Authenticated,
): Promise<void> {
  if (session.aal === "aal2" && claims.aal === "aal2") return;
  const factors = await listFactors(sql, user.id);
  if (!factors.some(({ status }) => status === "verified")) return;
  throw new AuthError(403, "insufficient_aal", "AAL2 session is required when MFA is enabled");
}
