import type { Context } from "hono";
import type { ISql } from "postgres";
import { enqueueMail } from "../../mail/outbox.ts";
import { requireUser } from "../authenticate.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { nameOf } from "../messages.ts";
import { type FactorRow, lockUser, type UserRow } from "../users.ts";
import { isStrong } from "./assurance.ts";
import { proofOf, readFactor } from "./factors.ts";

/** `DELETE /factors/{id}`: one that counts goes only from a session that has used a second factor. */
export async function removeFactor(context: Context, deps: AuthDeps): Promise<Response> {
  const who = await requireUser(context, deps);
  const { user } = who;
  const id = await deps.sql.begin(async (sql) => {
    await lockUser(sql, user.id);
    const factor = await readFactor(context, sql, user.id);
    if (factor.status === "verified" && !isStrong(who)) {
      throw new AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    }
    await dropFactor(sql, deps, user, factor);
    return factor.id;
  });
  return context.json({ id });
}

/**
 * Removes a factor from an account, whose owner is notified. Sessions that rested on it have one proof left, and the recovery codes of
 * the last one go too. Call it with the account locked.
 */
export async function dropFactor(
  sql: ISql,
  deps: Pick<AuthDeps, "now">,
  user: UserRow,
  factor: FactorRow,
): Promise<void> {
  await sql`
    delete from auth.mfa_amr_claims c using auth.sessions s
    where s.id = c.session_id and s.user_id = ${user.id} and s.factor_id = ${factor.id}
      and c.authentication_method = ${proofOf(factor)}`;
  await sql`
    update auth.sessions set aal = 'aal1', factor_id = null, updated_at = ${deps.now()}
    where user_id = ${user.id} and factor_id = ${factor.id}`;
  await sql`delete from auth.mfa_factors where id = ${factor.id}`;
  await sql`select private.drop_idle_recovery_codes(${user.id})`;
  if (factor.status === "verified" && user.email) {
    await enqueueMail(sql, {
      template: "factor_removed",
      to: user.email,
      data: { email: user.email, ...nameOf(user) },
    });
  }
}
