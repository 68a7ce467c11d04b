import { extract } from "@supabase/pg-delta/extract";
import { plan } from "@supabase/pg-delta/plan";
import pg from "pg";
import type { Made } from "./databases.ts";

/** A migration's text, and what its reviewer has to check. */
export type NextMigration = { text: string; warnings: string[] };

/**
 * Whether a statement gives something to the account that makes the schema, or settles what that account may do with it:
 * an installation's account has its own name, and owns what it makes.
 */
function isAboutMaker(sql: string, maker: string): boolean {
  const name = `"${maker}"`;
  return new RegExp(
    `^(alter\\b.*\\bowner to|(grant|revoke)\\b.*\\b(to|from)) ${name};?\\s*$`,
    "is",
  ).test(sql);
}

/** Every right on a table by its short name: PostgreSQL before 17 knows nothing of `maintain`. */
function forAnyRelease(sql: string): string {
  return sql.replace(
    /^GRANT DELETE, INSERT, MAINTAIN, REFERENCES, SELECT, TRIGGER, TRUNCATE, UPDATE ON /,
    "GRANT ALL ON ",
  );
}

async function facts({ url }: Made) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return (await extract(pool)).factBase;
  } finally {
    await pool.end();
  }
}

/** A new column that rows get a value of at once, and its table. */
const FILLED_COLUMN = /^ALTER TABLE "(\w+)"\."(\w+)" ADD COLUMN .*\b(?:DEFAULT|GENERATED)\b/;

/** Functions whose parsed body takes rows of a table, by the table. PostgreSQL refuses to fill a new column meanwhile (15.20 does). */
async function rowTakers({ sql }: Made): Promise<Map<string, string[]>> {
  const rows = await sql<{ table: string; functions: string[] }[]>`
    select n.nspname || '.' || c.relname as table, array_agg(distinct p.oid::regprocedure::text) as functions
    from pg_depend d
    join pg_proc p on d.classid = 'pg_proc'::regclass and p.oid = d.objid and p.prosqlbody is not null
    join pg_class c on d.refclassid = 'pg_type'::regclass and c.reltype = d.refobjid
    join pg_namespace n on n.oid = c.relnamespace
    group by 1`;
  return new Map(rows.map(({ table, functions }) => [table, functions]));
}

function refusedColumn(sql: string, takers: ReadonlyMap<string, string[]>): string[] {
  const [, schema, table] = FILLED_COLUMN.exec(sql) ?? [];
  return takers.get(`${schema}.${table}`) ?? [];
}

/**
 * Refusals by newer servers (PostgreSQL 15.20) of a migration of this database, a sentence each: columns that it fills
 * while a function with a parsed body takes rows of their table, unless the function is dropped before.
 */
export async function refusedByNewerServers(made: Made, migration: string): Promise<string[]> {
  const takers = await rowTakers(made);
  return migration.split(/;\n/).flatMap((statement, place, all) => {
    const sql = statement.replace(/^(?:\s*(?:--.*)?\n)+/, "");
    const before = all.slice(0, place).join(";\n").replaceAll('"', "");
    return refusedColumn(sql, takers)
      .filter((taker) => !before.includes(`DROP FUNCTION ${taker.replace(/\(.*/s, "")}(`))
      .map((taker) => `${sql}: ${taker}`);
  });
}

/**
 * Migration that makes the second database's schema of the first one's; null when none is needed.
 * Rows are no part of it.
 */
export async function nextMigration(from: Made, to: Made): Promise<NextMigration | null> {
  const maker = new URL(to.url).username;
  const { actions: all } = plan(await facts(from), await facts(to));
  const actions = all.filter(({ sql }) => !isAboutMaker(sql, maker));
  if (actions.length === 0) return null;
  const statements = actions.map(
    ({ sql }) => `${forAnyRelease(sql).trimEnd().replace(/;$/, "")};\n`,
  );
  const about = (sql: string) => sql.split("\n", 1)[0] ?? "";
  const takers = await rowTakers(from);
  const warnings = actions.flatMap(({ sql, dataLoss, rewriteRisk, transactionality }) => [
    ...(dataLoss === "destructive" ? [`loses data: ${about(sql)}`] : []),
    ...(rewriteRisk ? [`may rewrite the table (a constant default does not): ${about(sql)}`] : []),
    ...refusedColumn(sql, takers).map(
      (taker) => `refused unless ${taker} is dropped before and made again after: ${about(sql)}`,
    ),
    ...(transactionality === "nonTransactional"
      ? [`cannot run in our transaction: ${about(sql)}`]
      : []),
  ]);
  // Bodies may name what comes later, as in the schemas.
  return { text: ["set check_function_bodies = off;\n", ...statements].join("\n"), warnings };
}
