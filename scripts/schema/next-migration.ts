import { extract } from "@supabase/pg-delta/extract";
import { plan } from "@supabase/pg-delta/plan";
import pg from "pg";
import type { Made } from "./databases.ts";

/** A migration's text, and what whoever reads it has to look at. */
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

/** What makes the second database's schema of the first one's; null when nothing does. Rows are no part of it. */
export async function nextMigration(from: Made, to: Made): Promise<NextMigration | null> {
  const maker = new URL(to.url).username;
  const { actions: all } = plan(await facts(from), await facts(to));
  const actions = all.filter(({ sql }) => !isAboutMaker(sql, maker));
  if (actions.length === 0) return null;
  const statements = actions.map(
    ({ sql }) => `${forAnyRelease(sql).trimEnd().replace(/;$/, "")};\n`,
  );
  const about = (sql: string) => sql.split("\n", 1)[0] ?? "";
  const warnings = actions.flatMap(({ sql, dataLoss, rewriteRisk, transactionality }) => [
    ...(dataLoss === "destructive" ? [`loses data: ${about(sql)}`] : []),
    ...(rewriteRisk ? [`rewrites the table: ${about(sql)}`] : []),
    ...(transactionality === "nonTransactional"
      ? [`cannot run in our transaction: ${about(sql)}`]
      : []),
  ]);
  // Bodies may name what comes later, as in the schemas.
  return { text: ["set check_function_bodies = off;\n", ...statements].join("\n"), warnings };
}
