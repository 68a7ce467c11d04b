import type { Context } from "hono";
import postgres, { type ISql } from "postgres";
import { z } from "zod";
import { requireUser } from "../authenticate.ts";
import type { AuthDeps } from "../deps.ts";
import { AuthError } from "../errors.ts";
import { requireAssurance } from "../mfa/assurance.ts";
import { proveAccount } from "../proof.ts";
import {
  type IdentityRow,
  listIdentities,
  lockUser,
  type UserChange,
  type UserRow,
  updateUser,
} from "../users.ts";

const UNIQUE_VIOLATION = "23505";

/** `DELETE /user/identities/{id}`: takes a way in away, but never the last one. */
export async function unlinkIdentity(context: Context, deps: AuthDeps): Promise<Response> {
  const id = z.uuid().safeParse(context.req.param("identity_id"));
  if (!id.success) throw new AuthError(404, "validation_failed", "identity_id must be an UUID");
  const who = await requireUser(context, deps);
  await requireAssurance(deps.sql, who);
  try {
    await deps.sql.begin((sql) => unlink(sql, deps, who.user.id, id.data));
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || error.code !== UNIQUE_VIOLATION) throw error;
    throw new AuthError(
      422,
      "email_conflict_identity_not_deletable",
      "Unable to unlink identity due to email conflict",
    );
  }
  return context.json({});
}

async function unlink(sql: ISql, deps: AuthDeps, userId: string, id: string): Promise<void> {
  const user = await lockUser(sql, userId);
  if (user === null) throw new AuthError(403, "user_not_found", "User does not exist");
  const identities = await listIdentities(sql, userId);
  if (identities.length <= 1) {
    throw new AuthError(
      422,
      "single_identity_not_deletable",
      "User must have at least 1 identity after unlinking",
    );
  }
  const leaving = identities.find((identity) => identity.id === id);
  if (leaving === undefined) {
    throw new AuthError(422, "identity_not_found", "Identity doesn't exist");
  }
  const staying = identities.filter((identity) => identity.id !== id);
  await sql`delete from auth.identities where id = ${id}`;
  const providers = [...new Set(staying.map(({ provider }) => provider))];
  const { provider } = user.raw_app_meta_data ?? {};
  const first = providers.find((name) => name === provider) ?? providers[0] ?? "";
  const change: UserChange = {
    ...contactsAfter(user, leaving, staying, deps.now()),
    raw_app_meta_data: { ...user.raw_app_meta_data, provider: first, providers },
  };
  await updateUser(sql, userId, change, deps.now());
  // The provider has vouched for the address that takes the other's place.
  if (change.email && change.email_confirmed_at) await proveAccount(sql, userId);
}

/**
 * Contacts that the account still answers to. A password opens it only while its address or number
 * is a way in.
 */
function contactsAfter(
  user: UserRow,
  leaving: IdentityRow,
  staying: readonly IdentityRow[],
  now: Date,
): UserChange {
  const hasPassword = staying.some(({ provider }) => ["email", "phone"].includes(provider));
  const password = hasPassword ? {} : { encrypted_password: null };
  if (leaving.provider === "phone") return { ...password, phone: null, phone_confirmed_at: null };
  const source = staying.find(({ provider }) => provider !== "phone");
  const email = source?.email ?? null;
  if (email === user.email) return password;
  const isVerified = source?.identity_data.email_verified === true;
  return { ...password, email, email_confirmed_at: isVerified ? now : null };
}
