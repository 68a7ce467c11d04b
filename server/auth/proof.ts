import type { ISql } from "postgres";
import type { AuthDeps } from "./deps.ts";
import { dropWaysIn, type UserRow, updateUser } from "./users.ts";

/**
 * The person who signed up with an address need not be its owner; a link or a code proves the owner
 * alone. A sign-up's pending password and data are kept only where both are known to be one person
 * (docs/decisions/055-sign-up-proof.md).
 */

/** How many sign-ups wait for the confirmation of an account; of several, it is unknown whose password was stored. */
export async function countSignUps(sql: ISql, userId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select private.count_sign_ups(${userId}) as count`;
  return row?.count ?? 0;
}

/** Whether what opens an account is known to be its address's own person's. */
export async function isProven(sql: ISql, userId: string): Promise<boolean> {
  const [row] = await sql<{ proven: boolean }[]>`select private.is_proven(${userId}) as proven`;
  return row?.proven === true;
}

/** Notes that it is. */
export async function proveAccount(sql: ISql, userId: string): Promise<void> {
  await sql`select private.prove_account(${userId})`;
}

/**
 * Removes from an unconfirmed account its password, name, ways in, passkeys, second factors, sessions and whatever was
 * sent. Then it goes to the person who has just proven that its address or number is theirs.
 */
export async function resetUnprovenAccount(
  sql: ISql,
  deps: Pick<AuthDeps, "now">,
  user: UserRow,
  contact: "email" | "phone",
): Promise<UserRow> {
  const { id } = user;
  await dropWaysIn(sql, id);
  const facts = { sub: id, [contact]: user[contact], email_verified: false, phone_verified: false };
  const emptied = await updateUser(
    sql,
    id,
    {
      encrypted_password: null,
      ...(contact === "email" ? { phone: null, phone_confirmed_at: null } : { email: null }),
      phone_change: null,
      email_change: null,
      email_change_confirm_status: 0,
      raw_user_meta_data: facts,
      raw_app_meta_data: { provider: contact, providers: [contact] },
    },
    deps.now(),
  );
  await proveAccount(sql, id);
  return emptied;
}
