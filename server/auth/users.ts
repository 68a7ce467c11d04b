import { randomUUID } from "node:crypto";
import type { ISql, JSONValue } from "postgres";
import type { JsonObject } from "./json.ts";

/** A row of `auth.users`, without the columns that this service leaves to hosted projects. */
export type UserRow = {
  id: string;
  aud: string;
  role: string;
  email: string | null;
  encrypted_password: string | null;
  email_confirmed_at: Date | null;
  invited_at: Date | null;
  phone: string | null;
  phone_confirmed_at: Date | null;
  confirmation_sent_at: Date | null;
  confirmed_at: Date | null;
  recovery_sent_at: Date | null;
  email_change: string | null;
  email_change_sent_at: Date | null;
  email_change_confirm_status: number;
  phone_change: string | null;
  phone_change_sent_at: Date | null;
  reauthentication_sent_at: Date | null;
  last_sign_in_at: Date | null;
  raw_app_meta_data: JsonObject | null;
  raw_user_meta_data: JsonObject | null;
  banned_until: Date | null;
  deleted_at: Date | null;
  is_sso_user: boolean;
  is_anonymous: boolean;
  created_at: Date;
  updated_at: Date;
};

/** A way in that belongs to a user. */
export type IdentityRow = {
  id: string;
  user_id: string;
  provider: string;
  provider_id: string;
  identity_data: JsonObject;
  email: string | null;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

/** A second factor, without its secret. */
export type FactorRow = {
  id: string;
  user_id: string;
  friendly_name: string | null;
  factor_type: "totp" | "phone" | "webauthn";
  status: "verified" | "unverified";
  phone: string | null;
  last_challenged_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

/** The columns of `UserRow`. */
export const USER_COLUMNS = [
  "id",
  "aud",
  "role",
  "email",
  "encrypted_password",
  "email_confirmed_at",
  "invited_at",
  "phone",
  "phone_confirmed_at",
  "confirmation_sent_at",
  "confirmed_at",
  "recovery_sent_at",
  "email_change",
  "email_change_sent_at",
  "email_change_confirm_status",
  "phone_change",
  "phone_change_sent_at",
  "reauthentication_sent_at",
  "last_sign_in_at",
  "raw_app_meta_data",
  "raw_user_meta_data",
  "banned_until",
  "deleted_at",
  "is_sso_user",
  "is_anonymous",
  "created_at",
  "updated_at",
];

/** The user with this identifier. */
export async function findUserById(sql: ISql, id: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select ${sql(USER_COLUMNS)} from auth.users where id = ${id} and deleted_at is null`;
  return row ?? null;
}

/** The same, locked until the transaction ends: changes of a user run one after the other. */
export async function lockUser(sql: ISql, id: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select ${sql(USER_COLUMNS)} from auth.users where id = ${id} and deleted_at is null for update`;
  return row ?? null;
}

/** The user who signs in with this address (given in lower case). */
export async function findUserByEmail(sql: ISql, email: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select ${sql(USER_COLUMNS)} from auth.users
    where email = ${email} and not is_sso_user and deleted_at is null`;
  return row ?? null;
}

/** The user who signs in with this number (digits only). */
export async function findUserByPhone(sql: ISql, phone: string): Promise<UserRow | null> {
  const [row] = await sql<UserRow[]>`
    select ${sql(USER_COLUMNS)} from auth.users where phone = ${phone} and deleted_at is null`;
  return row ?? null;
}

/** Fields that a new user may start with. */
export type NewUser = {
  id?: string;
  email?: string | null;
  phone?: string | null;
  passwordHash?: string | null;
  /** Metadata that the person gives about themselves: never a ground for rights. */
  userMetadata?: JsonObject;
  /** Ways in, the first one named as the user's provider. */
  providers: readonly string[];
  isAnonymous?: boolean;
  emailConfirmed?: boolean;
  phoneConfirmed?: boolean;
};

/** Stores a user, without identities. */
export async function insertUser(sql: ISql, user: NewUser, now: Date): Promise<UserRow> {
  const [first] = user.providers;
  const appMetadata: JsonObject =
    first === undefined ? {} : { provider: first, providers: [...user.providers] };
  const [row] = await sql<UserRow[]>`
    insert into auth.users (id, aud, role, email, phone, encrypted_password, email_confirmed_at,
      phone_confirmed_at, raw_app_meta_data, raw_user_meta_data, is_anonymous, created_at, updated_at)
    values (${user.id ?? randomUUID()}, 'authenticated', 'authenticated', ${user.email ?? null},
      ${user.phone ?? null}, ${user.passwordHash ?? null}, ${user.emailConfirmed ? now : null},
      ${user.phoneConfirmed ? now : null}, ${sql.json(appMetadata)},
      ${sql.json(user.userMetadata ?? {})}, ${user.isAnonymous ?? false}, ${now}, ${now})
    returning ${sql(USER_COLUMNS)}`;
  if (row === undefined) throw new Error("no user was inserted");
  return row;
}

/** Columns that this service changes. */
export type UserChange = Partial<
  Pick<
    UserRow,
    | "email"
    | "phone"
    | "encrypted_password"
    | "email_confirmed_at"
    | "invited_at"
    | "phone_confirmed_at"
    | "confirmation_sent_at"
    | "recovery_sent_at"
    | "email_change"
    | "email_change_sent_at"
    | "email_change_confirm_status"
    | "phone_change"
    | "phone_change_sent_at"
    | "reauthentication_sent_at"
    | "last_sign_in_at"
    | "banned_until"
    | "deleted_at"
    | "is_anonymous"
  >
> & { raw_app_meta_data?: JSONValue; raw_user_meta_data?: JSONValue };

/** Changes a user and answers the new row. */
export async function updateUser(
  sql: ISql,
  id: string,
  change: UserChange,
  now: Date,
): Promise<UserRow> {
  const [row] = await sql<UserRow[]>`
    update auth.users set ${sql({ ...change, updated_at: now })} where id = ${id}
    returning ${sql(USER_COLUMNS)}`;
  if (row === undefined) throw new Error("no user was updated");
  return row;
}

/** The ways in of users, oldest first. */
export async function listIdentities(sql: ISql, ...userIds: string[]): Promise<IdentityRow[]> {
  return sql<IdentityRow[]>`
    select id, user_id, provider, provider_id, identity_data, email, last_sign_in_at, created_at,
      updated_at
    from auth.identities where user_id = any (${userIds}::uuid[]) order by created_at, id`;
}

/** Stores a way in; for e-mail and phone the provider's identifier is the user's own. */
export async function insertIdentity(
  sql: ISql,
  identity: { userId: string; provider: string; providerId: string; data: JsonObject },
  now: Date,
): Promise<void> {
  await sql`
    insert into auth.identities
      (id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
    values (${randomUUID()}, ${identity.userId}, ${identity.provider}, ${identity.providerId},
      ${sql.json(identity.data)}, ${now}, ${now}, ${now})`;
}

/**
 * Writes facts into the e-mail or phone identity of a user, which is made when it is missing
 * (a user who signed up with Google sets a password, for instance).
 */
export async function mergeIdentity(
  sql: ISql,
  identity: { userId: string; provider: "email" | "phone"; data: JsonObject },
  now: Date,
): Promise<void> {
  const { userId, provider, data } = identity;
  await sql`
    insert into auth.identities as i
      (id, user_id, provider, provider_id, identity_data, last_sign_in_at, created_at, updated_at)
    values (${randomUUID()}, ${userId}, ${provider}, ${userId},
      ${sql.json({ sub: userId, ...data })}, ${now}, ${now}, ${now})
    on conflict (provider, provider_id) do update
      set identity_data = i.identity_data || ${sql.json(data)}, updated_at = excluded.updated_at`;
}

/** The providers of a user's identities, written into the metadata that rights may rest on. */
export async function refreshProviders(sql: ISql, userId: string): Promise<void> {
  await sql`
    update auth.users u
    set raw_app_meta_data = coalesce(u.raw_app_meta_data, '{}') || jsonb_build_object(
      'provider', coalesce(u.raw_app_meta_data ->> 'provider', i.providers ->> 0),
      'providers', i.providers)
    from (
      select jsonb_agg(provider order by first) as providers
      from (select provider, min(created_at) as first from auth.identities
            where user_id = ${userId} group by provider) p
    ) i
    where u.id = ${userId} and i.providers is not null`;
}

/** The second factors of users, oldest first. */
export async function listFactors(sql: ISql, ...userIds: string[]): Promise<FactorRow[]> {
  return sql<FactorRow[]>`
    select id, user_id, friendly_name, factor_type, status, phone, last_challenged_at, created_at,
      updated_at
    from auth.mfa_factors where user_id = any (${userIds}::uuid[]) order by created_at, id`;
}

/** Whether the person cannot sign in for now. */
export function isBanned(user: UserRow, now: Date): boolean {
  // « infinity » is no date: it compares with nothing.
  return user.banned_until !== null && !(user.banned_until <= now);
}

/** Takes everything from an account that opens it but its password: identities, passkeys, factors, sessions, links and codes. */
export async function dropWaysIn(sql: ISql, id: string): Promise<void> {
  await sql`delete from auth.identities where user_id = ${id}`;
  await sql`delete from auth.webauthn_credentials where user_id = ${id}`;
  await sql`delete from auth.mfa_factors where user_id = ${id}`;
  await sql`delete from auth.sessions where user_id = ${id}`;
  await sql`delete from auth.one_time_tokens where user_id = ${id}`;
  await sql`select private.drop_idle_recovery_codes(${id})`;
}
