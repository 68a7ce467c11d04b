import type { TransactionSql } from "postgres";
import { hashAtOnce } from "./passwords.ts";
import { findUserByEmail, insertUser, mergeIdentity } from "./users.ts";

/**
 * Makes a user whose address needs no confirmation (the demo's owner, tests) and answers their
 * identifier; one who is there already stays as they are.
 */
export async function createConfirmedUser(
  sql: TransactionSql,
  user: { email: string; password: string; fullName: string },
  now: Date = new Date(),
): Promise<string> {
  const email = user.email.toLowerCase();
  const existing = await findUserByEmail(sql, email);
  if (existing !== null) return existing.id;
  const facts = { full_name: user.fullName, email, email_verified: true };
  const { id } = await insertUser(
    sql,
    {
      email,
      passwordHash: await hashAtOnce(user.password),
      userMetadata: facts,
      providers: ["email"],
      emailConfirmed: true,
    },
    now,
  );
  await mergeIdentity(sql, { userId: id, provider: "email", data: facts }, now);
  return id;
}
