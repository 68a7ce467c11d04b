import type { ISql } from "postgres";
import { readEmail } from "../contacts.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { hasSecondFactor } from "../mfa/assurance.ts";
import { countSignUps, isProven, proveAccount, resetUnprovenAccount } from "../proof.ts";
import {
  findUserByEmail,
  insertIdentity,
  insertUser,
  isBanned,
  listFactors,
  lockUser,
  refreshProviders,
  type UserRow,
  updateUser,
} from "../users.ts";
import type { Profile } from "./google.ts";
import { GOOGLE } from "./providers.ts";

type AccountDeps = Pick<AuthDeps, "now">;

/**
 * The account of a person whom the provider vouches for: the one that the identity belongs to,
 * else the one of the same confirmed address, else a new one.
 */
export async function signInWithProfile(
  sql: ISql,
  deps: AccountDeps,
  profile: Profile,
): Promise<UserRow> {
  await lockIdentity(sql, profile);
  const owner = await findOwner(sql, profile);
  const user =
    owner === null
      ? await accountByEmail(sql, deps, profile)
      : await meetAgain(sql, deps, owner, profile);
  if (isBanned(user, deps.now())) throw new AuthError(403, "user_banned", "User is banned");
  return user;
}

/** Gives an identity to a user who is signed in. */
export async function linkProfile(
  sql: ISql,
  deps: AccountDeps,
  userId: string,
  profile: Profile,
): Promise<UserRow> {
  await lockIdentity(sql, profile);
  const user = await lockUser(sql, userId);
  if (user === null) {
    throw new AuthError(422, "user_not_found", "Linking target user not found");
  }
  const owner = await findOwner(sql, profile);
  if (owner !== null) {
    const whose = owner === userId ? "" : " to another user";
    throw new AuthError(422, "identity_already_exists", `Identity is already linked${whose}`);
  }
  const linked = user.email === null ? await adoptEmail(sql, deps, user, profile) : user;
  await addIdentity(sql, deps, linked, profile);
  return linked;
}

/** Two sign-ins of one person at once, or one and a sign-up, go one after the other. */
async function lockIdentity(sql: ISql, { subject, email }: Profile): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${GOOGLE} ${subject}`}, 0))`;
  if (email === null) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-up ${email}`}, 0))`;
}

async function findOwner(sql: ISql, { subject }: Profile): Promise<string | null> {
  const [row] = await sql<{ user_id: string }[]>`
    select user_id from auth.identities where provider = ${GOOGLE} and provider_id = ${subject}`;
  return row?.user_id ?? null;
}

async function meetAgain(
  sql: ISql,
  deps: AccountDeps,
  userId: string,
  profile: Profile,
): Promise<UserRow> {
  const now = deps.now();
  const user = await lockUser(sql, userId);
  if (user === null) throw new AuthError(404, "user_not_found", "User not found");
  const data = identityData(profile);
  await sql`
    update auth.identities
    set identity_data = ${sql.json(data)}, last_sign_in_at = ${now}, updated_at = ${now}
    where provider = ${GOOGLE} and provider_id = ${profile.subject}`;
  return updateUser(sql, userId, { raw_user_meta_data: mergeFacts(user, data) }, now);
}

/** An address counts only when the provider says that it is the person's own. */
async function accountByEmail(sql: ISql, deps: AccountDeps, profile: Profile): Promise<UserRow> {
  const email = verifiedEmail(profile);
  const found = await findUserByEmail(sql, email);
  if (found === null) return createAccount(sql, deps, email, profile);
  const locked = await lockUser(sql, found.id);
  if (locked === null) return createAccount(sql, deps, email, profile);
  if (locked.email_confirmed_at === null) return claimAccount(sql, deps, locked, profile);
  if (await isProven(sql, locked.id)) return addIdentity(sql, deps, locked, profile);
  if ((await countSignUps(sql, locked.id)) === 0) {
    // An account that changed to this address: its holder may be another person, and keeps it.
    throw new AuthError(
      422,
      "email_exists",
      "A user with this email address has already been registered",
    );
  }
  // Confirmed with a password that may be another person's; a second factor, where there is one, is asked for.
  const factors = await listFactors(sql, locked.id);
  return (hasSecondFactor(factors) ? addIdentity : claimAccount)(sql, deps, locked, profile);
}

async function createAccount(
  sql: ISql,
  deps: AccountDeps,
  email: string,
  profile: Profile,
): Promise<UserRow> {
  const data = identityData(profile);
  const user = await insertUser(
    sql,
    { email, providers: [GOOGLE], userMetadata: data, emailConfirmed: true },
    deps.now(),
  );
  return addIdentity(sql, deps, user, profile);
}

/** An account becomes its address's owner's, with nothing in it that was given before. */
async function claimAccount(
  sql: ISql,
  deps: AccountDeps,
  waiting: UserRow,
  profile: Profile,
): Promise<UserRow> {
  const now = deps.now();
  await resetUnprovenAccount(sql, deps, waiting, "email");
  const change = {
    email_confirmed_at: now,
    is_anonymous: false,
    raw_user_meta_data: {},
    raw_app_meta_data: { provider: GOOGLE, providers: [GOOGLE] },
  };
  const user = await updateUser(sql, waiting.id, change, now);
  return addIdentity(sql, deps, user, profile);
}

/** A visitor without an account becomes a user by linking an identity with an address. */
async function adoptEmail(
  sql: ISql,
  deps: AccountDeps,
  user: UserRow,
  profile: Profile,
): Promise<UserRow> {
  const email = verifiedEmail(profile);
  if ((await findUserByEmail(sql, email)) !== null) {
    throw new AuthError(
      422,
      "email_exists",
      "A user with this email address has already been registered",
    );
  }
  const change = { email, email_confirmed_at: deps.now(), is_anonymous: false };
  const adopted = await updateUser(sql, user.id, change, deps.now());
  await proveAccount(sql, user.id);
  return adopted;
}

async function addIdentity(
  sql: ISql,
  deps: AccountDeps,
  user: UserRow,
  profile: Profile,
): Promise<UserRow> {
  const data = identityData(profile);
  const identity = { userId: user.id, provider: GOOGLE, providerId: profile.subject, data };
  await insertIdentity(sql, identity, deps.now());
  await refreshProviders(sql, user.id);
  const change = { raw_user_meta_data: mergeFacts(user, data) };
  return updateUser(sql, user.id, change, deps.now());
}

function verifiedEmail({ email, isVerified }: Profile): string {
  if (email === null) {
    throw new AuthError(
      500,
      "unexpected_failure",
      "Error getting user email from external provider",
    );
  }
  if (!isVerified) {
    throw new AuthError(
      422,
      "provider_email_needs_verification",
      `Unverified email with ${GOOGLE}. Verify the email with ${GOOGLE} in order to sign in`,
    );
  }
  return readEmail(email);
}

/** The provider's word on a person, under the names that the platform gives it. */
function identityData({ issuer, subject, email, isVerified, name, picture }: Profile): JsonObject {
  return {
    iss: issuer,
    sub: subject,
    provider_id: subject,
    ...(email !== null && { email }),
    email_verified: isVerified,
    phone_verified: false,
    ...(name !== null && { name, full_name: name }),
    ...(picture !== null && { picture, avatar_url: picture }),
  };
}

/** Merges a person's own data with the provider's facts about them. */
function mergeFacts(user: UserRow, data: JsonObject): JsonObject {
  return { ...user.raw_user_meta_data, ...data };
}
