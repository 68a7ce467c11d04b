import type { Context } from "hono";
import type { ISql } from "postgres";
import { z } from "zod";
import { AuthError } from "../errors.ts";
import type { KnownKey } from "../webauthn.ts";

/** A passkey, without its public key. */
export type PasskeyRow = {
  id: string;
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
};

const NOT_FOUND = new AuthError(404, "validation_failed", "Passkey not found");

/** The identifier of a passkey in an address. */
export function passkeyIdOf(context: Context): string {
  const id = z.uuid().safeParse(context.req.param("passkey_id"));
  if (!id.success) throw NOT_FOUND;
  return id.data;
}

/** The passkeys of a user, oldest first. */
export async function listPasskeys(sql: ISql, userId: string): Promise<PasskeyRow[]> {
  return sql<PasskeyRow[]>`
    select id, friendly_name, created_at, last_used_at
    from auth.webauthn_credentials where user_id = ${userId} order by created_at, id`;
}

/** Deletes a passkey of a user. */
export async function deletePasskey(sql: ISql, userId: string, id: string): Promise<void> {
  const [row] = await sql`
    delete from auth.webauthn_credentials where id = ${id} and user_id = ${userId} returning id`;
  if (row === undefined) throw NOT_FOUND;
}

/** Renames a passkey of a user. */
export async function renamePasskey(
  sql: ISql,
  { userId, id, name, now }: { userId: string; id: string; name: string; now: Date },
): Promise<PasskeyRow> {
  const [row] = await sql<PasskeyRow[]>`
    update auth.webauthn_credentials set friendly_name = ${name}, updated_at = ${now}
    where id = ${id} and user_id = ${userId}
    returning id, friendly_name, created_at, last_used_at`;
  if (row === undefined) throw NOT_FOUND;
  return row;
}

const transports = z.array(z.string()).catch([]);

type StoredKey = {
  credential_id: Buffer;
  public_key: Buffer;
  sign_count: string;
  transports: unknown;
};

/** The credentials of a user's passkeys. */
export async function listKeys(sql: ISql, userId: string): Promise<KnownKey[]> {
  const rows = await sql<StoredKey[]>`
    select credential_id, public_key, sign_count, transports
    from auth.webauthn_credentials where user_id = ${userId} order by created_at, id`;
  return rows.map(toKey);
}

/** The passkey of a user with this credential identifier (base64url), locked until the transaction ends. */
export async function lockKey(
  sql: ISql,
  userId: string,
  keyId: string,
): Promise<{ id: string; key: KnownKey } | null> {
  const [row] = await sql<(StoredKey & { id: string })[]>`
    select id, credential_id, public_key, sign_count, transports from auth.webauthn_credentials
    where user_id = ${userId} and credential_id = ${Buffer.from(keyId, "base64url")} for update`;
  return row === undefined ? null : { id: row.id, key: toKey(row) };
}

function toKey(row: StoredKey): KnownKey {
  return {
    id: row.credential_id.toString("base64url"),
    publicKey: new Uint8Array(row.public_key),
    counter: Number(row.sign_count),
    transports: transports.parse(row.transports),
  };
}

/** A passkey as the protocol answers it: what is empty is left out. */
export function passkeyAnswer({ id, friendly_name, created_at, last_used_at }: PasskeyRow) {
  return {
    id,
    ...(friendly_name !== "" && { friendly_name }),
    created_at,
    ...(last_used_at !== null && { last_used_at }),
  };
}
