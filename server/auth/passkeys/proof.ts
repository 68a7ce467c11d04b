import type { Authenticated } from "../authenticate.ts";
import type { AuthDeps } from "../deps.ts";
import { requireRecentProof } from "../mfa/assurance.ts";
import { listFactors } from "../users.ts";

/** Refuses who has not proven lately that they are the account's person: passkeys open it (`requireRecentProof`). */
export async function requireProof(deps: AuthDeps, who: Authenticated): Promise<void> {
  const factors = await listFactors(deps.sql, who.user.id);
  requireRecentProof(who, factors, deps.now(), "manage passkeys");
}
