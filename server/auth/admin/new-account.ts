import { randomUUID } from "node:crypto";
import type { ISql, TransactionSql } from "postgres";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { identifierOf } from "../routes/sign-up.ts";
import {
  findUserByEmail,
  findUserByPhone,
  insertUser,
  mergeIdentity,
  type UserRow,
} from "../users.ts";

/** An account that an operator makes. */
export type NewAccount = {
  id?: string | null;
  email: string | null;
  phone?: string | null;
  passwordHash: string | null;
  userMetadata: JsonObject;
  confirmsEmail?: boolean;
  confirmsPhone?: boolean;
};

/** The refusal of an address that an account has. */
export function emailExists(): AuthError {
  return new AuthError(
    422,
    "email_exists",
    "A user with this email address has already been registered",
  );
}

/** The refusal of a number that an account has. */
export function phoneExists(): AuthError {
  return new AuthError(422, "phone_exists", "Phone number already registered by another user");
}

/** Lets a sign-up and an operator who take the same address or number at once take turns. */
export async function lockContacts(sql: ISql, ...contacts: (string | null)[]): Promise<void> {
  // Always in the same order: two who need both would stop each other.
  for (const contact of contacts.filter((given) => given !== null).sort()) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-up ${contact}`}, 0))`;
  }
}

/** Makes an account with its ways in. Refuses with 422 what another account has. */
export async function createAccount(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now" | "keyedHash">,
  account: NewAccount,
): Promise<UserRow> {
  const { email, phone = null, confirmsEmail = false, confirmsPhone = false } = account;
  const now = deps.now();
  await lockContacts(sql, email, phone);
  if (email !== null && (await findUserByEmail(sql, email))) throw emailExists();
  if (phone !== null && (await findUserByPhone(sql, phone))) throw phoneExists();
  const isEmailConfirmed = email !== null && confirmsEmail;
  const isPhoneConfirmed = phone !== null && confirmsPhone;
  const user = await insertUser(
    sql,
    {
      id: await freeId(sql, deps, account),
      email,
      phone,
      passwordHash: account.passwordHash,
      userMetadata: { ...account.userMetadata, ...(isEmailConfirmed && { email_verified: true }) },
      providers: [...(email === null ? [] : ["email"]), ...(phone === null ? [] : ["phone"])],
      emailConfirmed: isEmailConfirmed,
      phoneConfirmed: isPhoneConfirmed,
    },
    now,
  );
  const facts = { email_verified: isEmailConfirmed, phone_verified: isPhoneConfirmed };
  if (email !== null) {
    const data = { email, ...facts };
    await mergeIdentity(sql, { userId: user.id, provider: "email", data }, now);
  }
  if (phone !== null) {
    const data = { phone, ...facts };
    await mergeIdentity(sql, { userId: user.id, provider: "phone", data }, now);
  }
  return user;
}

/** The identifier that was asked for, else the one that a sign-up would get. */
async function freeId(
  sql: ISql,
  deps: Pick<AuthDeps, "keyedHash">,
  { id, email, phone }: NewAccount,
): Promise<string> {
  const contact =
    email === null
      ? { kind: "phone" as const, value: phone ?? "" }
      : { kind: "email" as const, value: email };
  const wanted = id ?? identifierOf(deps, contact);
  const [taken] = await sql`select from auth.users where id = ${wanted}`;
  if (!taken) return wanted;
  if (id) throw new AuthError(422, "user_already_exists", "User already registered");
  return randomUUID();
}
