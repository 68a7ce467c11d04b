import postgres from "postgres";
import { identityPid, processIdentity } from "./processes.ts";

/** Held by the process that runs the embedded database, for its whole life. */
const OWNER_LOCK = 7_870_118_001;

/** Setting in which a PostgreSQL remembers the process that started it. */
export const OWNER_SETTING = "tournavis.owner";

/** Sign that this process owns the database in its data folder. */
export type Ownership = { release(): Promise<void> };

/**
 * Takes the owner's lock on a connection of its own. The lock is the proof of life: when
 * this process dies in whatever way, the connection ends and the lock with it.
 */
export async function holdOwnership(url: string): Promise<Ownership> {
  let released = false;
  const sql = postgres(url, {
    max: 1,
    idle_timeout: 0,
    max_lifetime: 0,
    onnotice: () => undefined,
    connection: { application_name: "tournavis owner" },
    onclose: () => {
      if (!released) take().catch(() => undefined);
    },
  });
  const take = () => sql`select pg_advisory_lock(${OWNER_LOCK}::bigint)`;
  await take();
  return {
    async release() {
      released = true;
      await sql.end({ timeout: 1 });
    },
  };
}

/**
 * Asks a PostgreSQL that somebody else started whether its owner lives: the lock is held,
 * or (its owner is just starting and takes the lock in a moment) the process that started
 * it still runs. Throws what the connection throws.
 */
export async function hasLivingOwner(url: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined, connect_timeout: 5 });
  try {
    const [row] = await sql<{ free: boolean; owner: string | null }[]>`
      select pg_try_advisory_lock(${OWNER_LOCK}::bigint) as free,
             current_setting(${OWNER_SETTING}, true) as owner`;
    if (!row?.free) return true;
    return row.owner !== null && processIdentity(identityPid(row.owner)) === row.owner;
  } finally {
    await sql.end({ timeout: 1 });
  }
}
