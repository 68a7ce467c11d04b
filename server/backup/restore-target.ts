import type { Sql } from "postgres";
import { quoteName } from "../postgres/quote.ts";
import { StartupError } from "../start/startup-error.ts";
import type { Manifest } from "./manifest.ts";
import { readTables } from "./read-tables.ts";

/** Tables into which the schema itself brings rows: they contain no user's data. */
export const REFERENCE_TABLES: readonly string[] = [
  "private.default_segments",
  "private.disposable_domains",
  "private.jobs",
  "private.review_platforms",
  "public.plan_limits",
  "public.role_permissions",
  "public.roles",
  "storage.buckets",
  "supabase_migrations.platform",
];

/** Tables of a hosted project's own that a backup fills: who the accounts are. */
const HOSTED_ACCOUNTS: readonly string[] = ["auth.users", "auth.identities"];

/** A database that may be filled. */
export type RestoreTarget = {
  /** Accounts and files are a hosted project's, whose own account owns their tables. */
  isHosted: boolean;
  /** Versions of the migrations that it has. */
  applied: string[];
  /** Whether rows of this table are taken from the backup. */
  takes(table: { schema: string; name: string }): boolean;
};

/** Looks at the database to fill; refuses one that holds anything, or that is in use. */
export async function readTarget(sql: Sql, manifest: Manifest): Promise<RestoreTarget> {
  const [state] = await sql<{ history: boolean; hosted: boolean; busy: boolean }[]>`
    select to_regclass('supabase_migrations.schema_migrations') is not null as history,
      exists (select from pg_class where oid = to_regclass('auth.users') and not pg_has_role(relowner, 'usage')) as hosted,
      exists (select from pg_stat_activity where datname = current_database() and application_name like 'tournavis %'
        and application_name <> 'tournavis restore' and pid <> pg_backend_pid()) as busy`;
  if (state?.busy) throw new StartupError("restore_in_use");
  const isHosted = state?.hosted === true;
  const applied = state?.history
    ? await sql<{ version: string }[]>`select version from supabase_migrations.schema_migrations`
    : [];
  const takes: RestoreTarget["takes"] = ({ schema, name }) => {
    if (!isHosted || schema === "public" || schema === "private") return true;
    return HOSTED_ACCOUNTS.includes(`${schema}.${name}`);
  };
  const filled = await firstFilled(sql, takes);
  if (filled !== null) throw new StartupError("restore_not_empty", { table: filled });
  const versions = applied.map(({ version }) => version).sort();
  const wanted = manifest.migrations.map(({ version }) => version).sort();
  if (versions.length === 0) {
    const stranger = await firstStranger(sql);
    if (stranger !== null) throw new StartupError("restore_not_empty", { table: stranger });
  } else if (versions.join() !== wanted.join()) {
    throw new StartupError("restore_other_schema");
  }
  return { isHosted, applied: versions, takes };
}

async function firstFilled(sql: Sql, takes: RestoreTarget["takes"]): Promise<string | null> {
  for (const { schema, name } of (await readTables(sql)).filter(takes)) {
    if (REFERENCE_TABLES.includes(`${schema}.${name}`)) continue;
    const [row] = await sql.unsafe<{ filled: boolean }[]>(
      `select exists (select from ${quoteName(schema, name)}) as filled`,
    );
    if (row?.filled) return `${schema}.${name}`;
  }
  return null;
}

/** Something of another program in a database without our schema; null when there is nothing. */
async function firstStranger(sql: Sql): Promise<string | null> {
  const [row] = await sql<{ name: string }[]>`
    select n.nspname || '.' || c.relname as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'private') and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1 limit 1`;
  return row?.name ?? null;
}
