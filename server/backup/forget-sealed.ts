import type { TransactionSql } from "postgres";
import { createKeyedHash } from "../../supabase/functions/_shared/http/keyed-hash.ts";
import { unseal } from "../auth/seal.ts";

/** Keys that a folder has in the place of those that a backup keeps sealed. */
export type PresentKeys = {
  /** Null where the next start makes one. */
  hashKey: string | null;
  /** Whether devices may know the pair of keys: this is unknown until something is sent. */
  hasVapidKeys: boolean;
};

/** How much of a database went with the keys that were lost. */
export type Forgotten = { sessions: number; factors: number; devices: number };

/**
 * Takes out of a restored database what nothing but the lost keys could use: sessions, secrets of second factors, devices that
 * are sent messages. The factors themselves stay: a password alone still opens no account that has one.
 */
export async function forgetSealed(work: TransactionSql, keys: PresentKeys): Promise<Forgotten> {
  const sessions = await work`delete from auth.sessions`;
  // Unfinished sign-ins at another provider, which cannot be completed any more.
  await work`delete from auth.flow_state where authentication_method = 'oauth'`;
  const factors = await emptyFactors(work, keys.hashKey);
  const devices = keys.hasVapidKeys ? 0 : await forgetDevices(work);
  return { sessions: sessions.count, factors, devices };
}

/** Takes out the devices; release 1.0.0 had no table of them. */
async function forgetDevices(work: TransactionSql): Promise<number> {
  const [table] = await work<{ is_there: boolean }[]>`
    select to_regclass('private.push_devices') is not null as is_there`;
  return table?.is_there ? (await work`delete from private.push_devices`).count : 0;
}

/** Empties the secrets that this key does not open; answers how many factors serve no longer. */
async function emptyFactors(sql: TransactionSql, hashKey: string | null): Promise<number> {
  const factors = await sql<{ id: string; secret: string }[]>`
    select id, secret from auth.mfa_factors where secret is not null`;
  const lost = factors.filter((factor) => !opens(hashKey, factor)).map(({ id }) => id);
  await sql`update auth.mfa_factors set secret = null where id = any (${lost}::uuid[])`;
  return lost.length;
}

function opens(hashKey: string | null, factor: { id: string; secret: string }): boolean {
  if (hashKey === null) return false;
  try {
    unseal({ keyedHash: createKeyedHash(hashKey) }, factor.id, factor.secret);
    return true;
  } catch {
    return false;
  }
}
