import { randomUUID } from "node:crypto";
import type { Context } from "hono";
import type { ISql } from "postgres";
import { z } from "zod";
import { AuthError } from "../errors.ts";
import { type FactorRow, listFactors } from "../users.ts";

/** A second factor with its sealed secret. */
export type SecretFactor = FactorRow & {
  secret: string | null;
  /** Key of a device, as it is known. */
  web_authn_credential: unknown;
};

/** How long a factor whose setup was not finished is kept. */
const UNFINISHED_MS = 300_000;

/** The factor that the address names, if it is the user's own. */
export async function readFactor(
  context: Context,
  sql: ISql,
  userId: string,
): Promise<SecretFactor> {
  const id = z.uuid().safeParse(context.req.param("factor_id"));
  if (!id.success) throw new AuthError(404, "validation_failed", "factor_id must be an UUID");
  const factor = await findFactor(sql, userId, id.data);
  if (factor === null) throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  return factor;
}

/** A factor of a user. */
export async function findFactor(
  sql: ISql,
  userId: string,
  id: string,
): Promise<SecretFactor | null> {
  const [row] = await sql<SecretFactor[]>`
    select id, user_id, friendly_name, factor_type, status, secret, phone, last_challenged_at,
      created_at, updated_at, web_authn_credential
    from auth.mfa_factors where id = ${id} and user_id = ${userId}`;
  return row ?? null;
}

/** A factor before its first use. */
export type NewFactor = {
  id: string;
  userId: string;
  friendlyName: string;
  type: "totp" | "phone" | "webauthn";
  secret?: string;
  phone?: string;
};

/** Identifier of a factor to be: its secret is sealed for it before it is stored. */
export function newFactorId(): string {
  return randomUUID();
}

/** Stores a factor that waits for its first code. */
export async function insertFactor(sql: ISql, factor: NewFactor, now: Date): Promise<void> {
  await sql`
    insert into auth.mfa_factors
      (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
    values (${factor.id}, ${factor.userId}, ${factor.friendlyName}, ${factor.type}, 'unverified',
      ${factor.secret ?? null}, ${factor.phone ?? null}, ${now}, ${now})`;
}

/** The factors of a user once those are gone that were begun and left. */
export async function listLivingFactors(
  sql: ISql,
  userId: string,
  now: Date,
): Promise<FactorRow[]> {
  await sql`
    delete from auth.mfa_factors f
    where f.user_id = ${userId} and f.status = 'unverified'
      and f.created_at < ${new Date(now.getTime() - UNFINISHED_MS)}
      and not exists (select 1 from auth.mfa_challenges c where c.factor_id = f.id)`;
  return listFactors(sql, userId);
}

/** Makes a factor count. */
export async function markVerified(sql: ISql, factor: FactorRow, now: Date): Promise<void> {
  await sql`
    update auth.mfa_factors set status = 'verified', updated_at = ${now} where id = ${factor.id}`;
}

/** Removes what was begun and is needed no more, now that a factor of the kind is in use. */
export async function dropUnverified(sql: ISql, factor: FactorRow): Promise<void> {
  await sql`
    delete from auth.mfa_factors
    where user_id = ${factor.user_id} and status = 'unverified'
      and factor_type = ${factor.factor_type}`;
}

/** The keys of a user's devices. */
export async function listCredentials(sql: ISql, userId: string): Promise<unknown[]> {
  const rows = await sql<{ credential: unknown }[]>`
    select web_authn_credential as credential from auth.mfa_factors
    where user_id = ${userId} and web_authn_credential is not null order by created_at, id`;
  return rows.map(({ credential }) => credential);
}

/** Whether a key (base64url) is registered already, as a factor or to sign in: no key is registered twice. */
export async function isKeyTaken(sql: ISql, keyId: string): Promise<boolean> {
  const id = Buffer.from(keyId, "base64url");
  const [row] = await sql`
    select from auth.mfa_factors where web_authn_credential ->> 'id' = ${id.toString("base64")}
    union all
    select from auth.webauthn_credentials where credential_id = ${id}`;
  return row !== undefined;
}

/** A proof by a second factor. */
export type FactorProof = "totp" | "mfa/phone" | "mfa/webauthn";

/** How a session says that a factor of a kind was used in it. */
export function proofOf(factor: Pick<FactorRow, "factor_type">): FactorProof {
  if (factor.factor_type === "totp") return "totp";
  return factor.factor_type === "phone" ? "mfa/phone" : "mfa/webauthn";
}
