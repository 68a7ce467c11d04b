import type { ISql } from "postgres";

/** Attempts of an hour that another connection counted, in a window that begins so long before the present one. */
export const counted = (sql: ISql, key: string, hits: number, before = "0") => sql`
  insert into private.rate_limits (key, window_start, shard, hits, expires_at)
  select ${key}, w - ${before}::interval, 16, ${hits}, w + interval '1 hour' - ${before}::interval
  from private.window_start(interval '1 hour') w`;
