import { fillText } from "../start/fill-text.ts";
import { StartupError } from "../start/startup-error.ts";
import { operatorCopy } from "./operator.copy.ts";
import type { OperatorCommand } from "./operator-command.ts";
import { requireAccount } from "./subjects.ts";
import { noteCommand } from "./trail.ts";

/** Characters of a check that says something. */
const CHECK_MIN_LENGTH = 10;
const CHECK_MAX_LENGTH = 500;

/** `sessions`: signs an account out everywhere; its tokens are refused from the next request on. */
export const endAllSessions: OperatorCommand = async (sql, { argument }) => {
  const id = await requireAccount(sql, argument);
  const { count } = await sql`delete from auth.sessions where user_id = ${id}`;
  await noteCommand(sql, "account.signed_out", id);
  return fillText(operatorCopy.sessionsDone, { count });
};

/**
 * `factors`: takes lost second factors, their recovery codes and passkeys away, once the operator has written down how they
 * checked who asks. The device may be in other hands, and may be signed in: sessions end, and the person is notified.
 */
export const removeFactors: OperatorCommand = async (sql, { argument, check }) => {
  const note = check?.trim() ?? "";
  if (note.length < CHECK_MIN_LENGTH || note.length > CHECK_MAX_LENGTH) {
    throw new StartupError("operator_check_short");
  }
  const id = await requireAccount(sql, argument);
  const { count } = await sql`delete from auth.mfa_factors where user_id = ${id}`;
  const [passkeys] = await sql<{ count: number }[]>`select private.drop_passkeys(${id}) as count`;
  await noteCommand(sql, "account.factors_removed", id, note);
  const keys = passkeys?.count ?? 0;
  if (count + keys === 0) return operatorCopy.noFactor;
  await sql`delete from private.recovery_codes where user_id = ${id}`;
  await sql`delete from auth.sessions where user_id = ${id}`;
  if (count > 0) {
    await sql`
      select private.enqueue_mail(
        'factor_removed', u.email, jsonb_build_object('email', u.email), now() + interval '1 day')
      from auth.users u where u.id = ${id} and u.email <> ''`;
  }
  return fillText(operatorCopy.factorsDone, { count, keys });
};
