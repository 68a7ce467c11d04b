import type { ISql } from "postgres";
import { fingerprint, readTables } from "../attempts.ts";

/** Attempts are counted whatever comes of them, and a server that runs notes when it did a job. */
const LEFT_OUT = ["private.rate_limits", "private.jobs"];

/** A line for everything that is stored, to compare before and after what must not store anything. */
export async function everythingStored(sql: ISql): Promise<string[]> {
  const tables = await readTables(sql);
  // A refused turn may have counted somebody and uncounted them: what is kept of it is nothing.
  await sql`select private.fold_figures(100000)`;
  return fingerprint(
    sql,
    tables.filter(({ name }) => !LEFT_OUT.includes(name)),
  );
}
