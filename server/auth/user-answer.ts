import type { ISql } from "postgres";
import type { JsonObject } from "./json.ts";
import {
  type FactorRow,
  type IdentityRow,
  listFactors,
  listIdentities,
  type UserRow,
} from "./users.ts";

/** A user as the protocol shows them to themselves. */
export type UserAnswer = {
  id: string;
  aud: string;
  role: string;
  email: string;
  phone: string;
  app_metadata: JsonObject;
  user_metadata: JsonObject;
  identities: ReturnType<typeof identityAnswer>[];
  factors?: ReturnType<typeof factorAnswer>[];
  is_anonymous: boolean;
  created_at: Date;
  updated_at: Date;
  email_confirmed_at?: Date;
  phone_confirmed_at?: Date;
  confirmed_at?: Date;
  confirmation_sent_at?: Date;
  recovery_sent_at?: Date;
  invited_at?: Date;
  last_sign_in_at?: Date;
  new_email?: string;
  email_change_sent_at?: Date;
  new_phone?: string;
  phone_change_sent_at?: Date;
  reauthentication_sent_at?: Date;
  banned_until?: Date;
  /** Shown to an operator alone: such an account cannot sign in. */
  deleted_at?: Date;
};

/** Reads what belongs to a user and shapes the answer. */
export async function loadUserAnswer(sql: ISql, user: UserRow): Promise<UserAnswer> {
  const [identities, factors] = await Promise.all([
    listIdentities(sql, user.id),
    listFactors(sql, user.id),
  ]);
  return toUserAnswer(user, identities, factors);
}

/** The same of many users, in their order. */
export async function loadUserAnswers(sql: ISql, users: readonly UserRow[]): Promise<UserAnswer[]> {
  const ids = users.map(({ id }) => id);
  const [identities, factors] = await Promise.all([
    listIdentities(sql, ...ids),
    listFactors(sql, ...ids),
  ]);
  const of = (id: string) => (row: { user_id: string }) => row.user_id === id;
  return users.map((user) =>
    toUserAnswer(user, identities.filter(of(user.id)), factors.filter(of(user.id))),
  );
}

/** A user with their ways in and second factors, as the hosted platform shapes it. */
function toUserAnswer(
  user: UserRow,
  identities: readonly IdentityRow[] = [],
  factors: readonly FactorRow[] = [],
): UserAnswer {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email ?? "",
    phone: user.phone ?? "",
    ...present({
      email_confirmed_at: user.email_confirmed_at,
      phone_confirmed_at: user.phone_confirmed_at,
      confirmed_at: user.confirmed_at,
      confirmation_sent_at: user.confirmation_sent_at,
      recovery_sent_at: user.recovery_sent_at,
      invited_at: user.invited_at,
      last_sign_in_at: user.last_sign_in_at,
      new_email: user.email_change || null,
      email_change_sent_at: user.email_change_sent_at,
      new_phone: user.phone_change || null,
      phone_change_sent_at: user.phone_change_sent_at,
      reauthentication_sent_at: user.reauthentication_sent_at,
      banned_until: user.banned_until,
      deleted_at: user.deleted_at,
    }),
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    identities: identities.map(identityAnswer),
    ...(factors.length > 0 && { factors: factors.map(factorAnswer) }),
    created_at: user.created_at,
    updated_at: user.updated_at,
    is_anonymous: user.is_anonymous,
  };
}

/** A way in, as answered. */
function identityAnswer(identity: IdentityRow) {
  return {
    identity_id: identity.id,
    id: identity.provider_id,
    user_id: identity.user_id,
    identity_data: identity.identity_data,
    provider: identity.provider,
    last_sign_in_at: identity.last_sign_in_at,
    created_at: identity.created_at,
    updated_at: identity.updated_at,
    ...present({ email: identity.email }),
  };
}

/** A second factor, as answered. */
export function factorAnswer(factor: FactorRow) {
  return {
    id: factor.id,
    created_at: factor.created_at,
    updated_at: factor.updated_at,
    status: factor.status,
    factor_type: factor.factor_type,
    ...present({
      friendly_name: factor.friendly_name,
      phone: factor.phone,
      last_challenged_at: factor.last_challenged_at,
    }),
  };
}

type Present<Fields> = { [Name in keyof Fields]?: NonNullable<Fields[Name]> };

/** The fields that hold something: the protocol leaves the others out. */
function present<Fields extends Record<string, unknown>>(fields: Fields): Present<Fields> {
  const kept: Present<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value !== null && value !== undefined) kept[name] = value;
  }
  return kept;
}
