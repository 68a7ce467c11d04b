import type { TransactionSql } from "postgres";
import { enqueueMail } from "../mail/outbox.ts";
import type { AuthDeps } from "./deps.ts";
import { AuthError } from "./errors.ts";
import { nameOf } from "./messages.ts";
import { type ConsumedToken, dropTokens } from "./one-time-tokens.ts";
import { proveAccount, resetUnprovenAccount } from "./proof.ts";
import {
  findUserByEmail,
  findUserByPhone,
  mergeIdentity,
  refreshProviders,
  type UserRow,
  updateUser,
} from "./users.ts";

/** Effect of a used token: all of it, or half of a change that two mailboxes confirm. */
export type Applied = "done" | "half";

/**
 * Fate of a sign-up's password when its account is confirmed. `proven`: given by the person who confirms. `kept`: perhaps
 * another person's, but kept as on the hosted platform. `dropped`: deleted with all else of the sign-up.
 */
export type SignUpPassword = "proven" | "kept" | "dropped";

/**
 * Does what the holder of a mailbox or phone has just agreed to; null when the token speaks of
 * an address that the account no longer has to do with.
 */
export async function applyToken(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now">,
  user: UserRow,
  { token, password }: { token: ConsumedToken; password: SignUpPassword },
): Promise<Applied | null> {
  switch (token.type) {
    case "confirmation_token":
      if (token.relatesTo === user.phone) return confirmPhone(sql, deps, user, password);
      return token.relatesTo === user.email ? confirmEmail(sql, deps, user, password) : null;
    case "recovery_token":
      return token.relatesTo === user.email ? confirmEmail(sql, deps, user, "dropped") : null;
    case "email_change_token_current":
    case "email_change_token_new":
      return changeEmail(sql, deps, user, token);
    case "phone_change_token":
      return token.relatesTo === user.phone_change ? changePhone(sql, deps, user) : null;
    case "reauthentication_token":
      return null;
  }
}

/** Confirms the address of an account; one that is confirmed already stays as it is. */
export async function confirmEmail(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now">,
  waiting: UserRow,
  password: SignUpPassword,
): Promise<Applied> {
  if (waiting.email_confirmed_at !== null) return "done";
  const now = deps.now();
  const user =
    password === "dropped" ? await resetUnprovenAccount(sql, deps, waiting, "email") : waiting;
  if (password === "proven") await proveAccount(sql, user.id);
  await updateUser(
    sql,
    user.id,
    {
      email_confirmed_at: now,
      raw_user_meta_data: { ...user.raw_user_meta_data, email_verified: true },
      is_anonymous: false,
    },
    now,
  );
  const data = { email: user.email, email_verified: true };
  await mergeIdentity(sql, { userId: user.id, provider: "email", data }, now);
  await refreshProviders(sql, user.id);
  return "done";
}

export async function confirmPhone(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now">,
  waiting: UserRow,
  password: SignUpPassword,
): Promise<Applied> {
  if (waiting.phone_confirmed_at !== null) return "done";
  const now = deps.now();
  const user =
    password === "dropped" ? await resetUnprovenAccount(sql, deps, waiting, "phone") : waiting;
  if (password === "proven") await proveAccount(sql, user.id);
  await updateUser(
    sql,
    user.id,
    {
      phone_confirmed_at: now,
      raw_user_meta_data: { ...user.raw_user_meta_data, phone_verified: true },
      is_anonymous: false,
    },
    now,
  );
  const data = { phone: user.phone, phone_verified: true };
  await mergeIdentity(sql, { userId: user.id, provider: "phone", data }, now);
  await refreshProviders(sql, user.id);
  return "done";
}

async function changeEmail(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now">,
  user: UserRow,
  token: ConsumedToken,
): Promise<Applied | null> {
  const now = deps.now();
  const expected = token.type === "email_change_token_new" ? user.email_change : user.email;
  const newEmail = user.email_change;
  if (!newEmail || token.relatesTo !== expected) return null;
  if (user.email !== null && user.email_change_confirm_status === 0) {
    await updateUser(sql, user.id, { email_change_confirm_status: 1 }, now);
    return "half";
  }
  if ((await findUserByEmail(sql, newEmail)) !== null) {
    throw new AuthError(
      422,
      "email_exists",
      "A user with this email address has already been registered",
    );
  }
  await updateUser(
    sql,
    user.id,
    {
      email: newEmail,
      email_confirmed_at: now,
      email_change: null,
      email_change_confirm_status: 0,
      raw_user_meta_data: { ...user.raw_user_meta_data, email: newEmail, email_verified: true },
      is_anonymous: false,
    },
    now,
  );
  await dropTokens(sql, user.id, [
    "confirmation_token",
    "recovery_token",
    "reauthentication_token",
    "email_change_token_current",
    "email_change_token_new",
  ]);
  const data = { email: newEmail, email_verified: true };
  await mergeIdentity(sql, { userId: user.id, provider: "email", data }, now);
  await refreshProviders(sql, user.id);
  if (user.email !== null) {
    await enqueueMail(sql, {
      template: "email_changed",
      to: user.email,
      // As the hosted platform fills this template: the address that the account has now.
      data: { email: newEmail, ...nameOf(user) },
    });
  }
  return "done";
}

async function changePhone(
  sql: TransactionSql,
  deps: Pick<AuthDeps, "now">,
  user: UserRow,
): Promise<Applied> {
  const now = deps.now();
  const phone = user.phone_change;
  if (phone === null || (await findUserByPhone(sql, phone)) !== null) {
    throw new AuthError(
      422,
      "phone_exists",
      "A user with this phone number has already been registered",
    );
  }
  await updateUser(
    sql,
    user.id,
    { phone, phone_confirmed_at: now, phone_change: null, is_anonymous: false },
    now,
  );
  const data = { phone, phone_verified: true };
  await mergeIdentity(sql, { userId: user.id, provider: "phone", data }, now);
  await refreshProviders(sql, user.id);
  if (user.email !== null && user.phone !== null) {
    await enqueueMail(sql, {
      template: "phone_changed",
      to: user.email,
      data: { email: user.email, ...nameOf(user) },
    });
  }
  return "done";
}
