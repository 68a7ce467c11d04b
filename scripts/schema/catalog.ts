import type { Sql } from "postgres";

/** One thing of a database, and all that the catalog says of it. */
export type CatalogEntry = { kind: string; name: string; definition: string };

/** Schemas that are ours whole; of the platform's, only what belongs to their tables (policies, triggers). */
const OURS = "n.nspname in ('public', 'private')";

const NOT_OF_EXTENSION = (table: string, id = "oid") => `
  not exists (select from pg_depend e where e.classid = '${table}'::regclass and e.objid = o.${id} and e.deptype = 'e')`;

/** Rights as a sorted text: without a statement, what the owner has by default. */
const acl = (column: string, type: string, owner: string) => `(
  select string_agg(a::text, ' ' order by a::text) from unnest(coalesce(${column}, acldefault('${type}', ${owner}))) a)`;

const comment = (table: string, id = "o.oid") => `obj_description(${id}, '${table}')`;

/** Each question answers rows of kind, name and definition (jsonb). */
const QUESTIONS: readonly string[] = [
  `select 'schema' as kind, o.nspname as name, jsonb_build_object(
     'owner', o.nspowner::regrole, 'acl', ${acl("o.nspacl", "n", "o.nspowner")}, 'comment', ${comment("pg_namespace")})
   from pg_namespace o
   where o.nspname !~ '^pg_' and o.nspname not in ('information_schema', 'auth', 'storage', 'supabase_migrations')`,

  `select 'extension', o.extname, jsonb_build_object('schema', o.extnamespace::regnamespace) from pg_extension o`,

  `select 'relation', o.oid::regclass::text, jsonb_build_object(
     'kind', o.relkind, 'persistence', o.relpersistence, 'owner', o.relowner::regrole, 'options', to_jsonb(o.reloptions),
     'row security', o.relrowsecurity, 'forced', o.relforcerowsecurity, 'replica identity', o.relreplident,
     'partition', pg_get_expr(o.relpartbound, o.oid), 'acl', ${acl("o.relacl", "r", "o.relowner")},
     'view', case when o.relkind in ('v', 'm') then pg_get_viewdef(o.oid) end, 'comment', ${comment("pg_class")})
   from pg_class o join pg_namespace n on n.oid = o.relnamespace
   where ${OURS} and o.relkind in ('r', 'p', 'v', 'm', 'f') and ${NOT_OF_EXTENSION("pg_class")}`,

  `select 'column', o.oid::regclass || '.' || a.attname, jsonb_build_object(
     'position', row_number() over (partition by o.oid order by a.attnum), 'type', format_type(a.atttypid, a.atttypmod),
     'not null', a.attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid), 'generated', a.attgenerated,
     'identity', a.attidentity, 'collation', a.attcollation::regcollation, 'storage', a.attstorage,
     'compression', a.attcompression, 'options', to_jsonb(a.attoptions),
     'acl', (select string_agg(x::text, ' ' order by x::text) from unnest(a.attacl) x),
     'comment', col_description(o.oid, a.attnum))
   from pg_class o join pg_namespace n on n.oid = o.relnamespace
   join pg_attribute a on a.attrelid = o.oid and a.attnum > 0 and not a.attisdropped
   left join pg_attrdef d on d.adrelid = o.oid and d.adnum = a.attnum
   where ${OURS} and o.relkind in ('r', 'p', 'v', 'm', 'f', 'c') and ${NOT_OF_EXTENSION("pg_class")}`,

  // A column's NOT NULL is compared with the column; the constraint that PostgreSQL 18 adds for it is the same rule.
  `select 'constraint', coalesce(nullif(o.conrelid, 0)::regclass::text, o.contypid::regtype::text) || ': ' || o.conname,
     jsonb_build_object('definition', pg_get_constraintdef(o.oid), 'validated', o.convalidated, 'comment', ${comment("pg_constraint")})
   from pg_constraint o join pg_namespace n on n.oid = o.connamespace
   where ${OURS} and o.contype not in ('n', 't')`,

  `select 'index', o.indexrelid::regclass::text, jsonb_build_object(
     'definition', pg_get_indexdef(o.indexrelid), 'valid', o.indisvalid, 'clustered', o.indisclustered,
     'identity', o.indisreplident, 'comment', ${comment("pg_class", "o.indexrelid")})
   from pg_index o join pg_class c on c.oid = o.indexrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,

  `select 'sequence', o.seqrelid::regclass::text, to_jsonb(o) - 'seqrelid' || jsonb_build_object(
     'acl', ${acl("c.relacl", "s", "c.relowner")}, 'comment', ${comment("pg_class", "o.seqrelid")})
   from pg_sequence o join pg_class c on c.oid = o.seqrelid join pg_namespace n on n.oid = c.relnamespace where ${OURS}`,

  `select 'function', o.oid::regprocedure::text, jsonb_build_object(
     'definition', case when o.prokind in ('f', 'p') then pg_get_functiondef(o.oid) end, 'kind', o.prokind,
     'owner', o.proowner::regrole, 'acl', ${acl("o.proacl", "f", "o.proowner")}, 'comment', ${comment("pg_proc")})
   from pg_proc o join pg_namespace n on n.oid = o.pronamespace where ${OURS} and ${NOT_OF_EXTENSION("pg_proc")}`,

  // Rights to call an extension's functions depend on the defaults at the time.
  `select 'function of an extension', o.oid::regprocedure::text, jsonb_build_object(
     'acl', ${acl("o.proacl", "f", "o.proowner")})
   from pg_proc o join pg_depend e
     on e.classid = 'pg_proc'::regclass and e.objid = o.oid and e.refclassid = 'pg_extension'::regclass and e.deptype = 'e'`,

  `select 'type', o.oid::regtype::text, jsonb_build_object(
     'kind', o.typtype, 'base', nullif(o.typbasetype, 0)::regtype, 'not null', o.typnotnull, 'default', o.typdefault,
     'labels', (select jsonb_agg(l.enumlabel order by l.enumsortorder) from pg_enum l where l.enumtypid = o.oid),
     'acl', ${acl("o.typacl", "T", "o.typowner")}, 'comment', ${comment("pg_type")})
   from pg_type o join pg_namespace n on n.oid = o.typnamespace
   left join pg_class c on c.oid = o.typrelid
   where ${OURS} and (o.typrelid = 0 or c.relkind = 'c') and o.typcategory <> 'A' and ${NOT_OF_EXTENSION("pg_type")}`,

  // Those of platform tables, too: a migration may put one there.
  `select 'policy', o.polrelid::regclass || ': ' || o.polname, jsonb_build_object(
     'command', o.polcmd, 'permissive', o.polpermissive,
     'roles', (select jsonb_agg(r::regrole::text order by r::regrole::text) from unnest(o.polroles) r),
     'using', pg_get_expr(o.polqual, o.polrelid), 'check', pg_get_expr(o.polwithcheck, o.polrelid),
     'comment', ${comment("pg_policy")})
   from pg_policy o`,

  `select 'trigger', o.tgrelid::regclass || ': ' || o.tgname, jsonb_build_object(
     'definition', pg_get_triggerdef(o.oid), 'enabled', o.tgenabled, 'comment', ${comment("pg_trigger")})
   from pg_trigger o where not o.tgisinternal`,

  `select 'rule', o.ev_class::regclass || ': ' || o.rulename, jsonb_build_object('definition', pg_get_ruledef(o.oid))
   from pg_rewrite o join pg_class c on c.oid = o.ev_class join pg_namespace n on n.oid = c.relnamespace
   where ${OURS} and o.rulename <> '_RETURN'`,

  `select 'default privileges', concat_ws(' ', o.defaclrole::regrole, nullif(o.defaclnamespace, 0)::regnamespace, o.defaclobjtype),
     jsonb_build_object('acl', (select string_agg(a::text, ' ' order by a::text) from unnest(o.defaclacl) a))
   from pg_default_acl o`,

  `select 'publication', o.pubname, jsonb_build_object(
     'owner', o.pubowner::regrole, 'all', o.puballtables, 'insert', o.pubinsert, 'update', o.pubupdate, 'delete', o.pubdelete,
     'truncate', o.pubtruncate, 'root', o.pubviaroot, 'tables', (
       select jsonb_agg(to_jsonb(t) order by t.schemaname, t.tablename) from pg_publication_tables t where t.pubname = o.pubname),
     'comment', ${comment("pg_publication")})
   from pg_publication o`,

  // Kinds of which there are none, so that the first one is not forgotten here.
  `select 'other', classid::regclass || ' ' || objid::text, jsonb_build_object('is', pg_describe_object(classid, objid, 0))
   from (
     select 'pg_event_trigger'::regclass as classid, oid as objid from pg_event_trigger
     union all select 'pg_statistic_ext'::regclass, oid from pg_statistic_ext
     union all select 'pg_collation'::regclass, o.oid from pg_collation o join pg_namespace n on n.oid = o.collnamespace where ${OURS}
     union all select 'pg_operator'::regclass, o.oid from pg_operator o join pg_namespace n on n.oid = o.oprnamespace where ${OURS}
     union all select 'pg_cast'::regclass, oid from pg_cast where oid >= 16384
       and not exists (select from pg_depend d where d.classid = 'pg_cast'::regclass and d.objid = pg_cast.oid and d.deptype = 'e')
   ) others`,
];

/** Tables whose rows come with the schema: what a migration writes into them belongs to it. */
const WITH_ROWS = `
  select c.oid::regclass::text as table,
    (select jsonb_agg(a.attname) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.atttypid = 'timestamptz'::regtype) as moments
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where (${OURS} or c.oid in (to_regclass('storage.buckets'), to_regclass('cron.job')))
    and c.relkind in ('r', 'p') and ${NOT_OF_EXTENSION("pg_class").replaceAll("o.", "c.")}
  order by 1`;

/** All that a database's schema is: two databases that answer alike were made alike. */
export async function readCatalog(sql: Sql): Promise<CatalogEntry[]> {
  // Names are written whole, whatever the connection's search path is.
  return sql.begin(async (transaction) => {
    await transaction`set local search_path = ''`;
    const entries: CatalogEntry[] = [];
    for (const question of QUESTIONS) {
      const rows = await transaction.unsafe<{ kind: string; name: string; definition: unknown }[]>(
        `select kind, name, definition from (${question}) entry (kind, name, definition)`,
      );
      for (const { kind, name, definition } of rows) {
        entries.push({ kind, name, definition: JSON.stringify(definition, null, 1) });
      }
    }
    const tables =
      await transaction.unsafe<{ table: string; moments: string[] | null }[]>(WITH_ROWS);
    for (const { table, moments } of tables) {
      // When a row came is no part of what it says.
      const rows = await transaction.unsafe<{ row: string }[]>(
        `select (to_jsonb(t) - $1::text[])::text as row from ${table} t order by 1`,
        [moments ?? []],
      );
      for (const { row } of rows)
        entries.push({ kind: "row", name: `${table} ${row}`, definition: row });
    }
    return entries;
  });
}

/** Differences of one catalog from another; empty when they are equal. */
export function compareCatalogs(
  one: readonly CatalogEntry[],
  other: readonly CatalogEntry[],
): string[] {
  const key = ({ kind, name }: CatalogEntry) => `${kind} ${name}`;
  const left = new Map(one.map((entry) => [key(entry), entry.definition]));
  const right = new Map(other.map((entry) => [key(entry), entry.definition]));
  const differences: string[] = [];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const [a, b] = [left.get(name), right.get(name)];
    if (a === b) continue;
    if (a === undefined) differences.push(`only in the second: ${name}`);
    else if (b === undefined) differences.push(`only in the first: ${name}`);
    else differences.push(`${name}\n${differingLines(a, b)}`);
  }
  return differences.sort();
}

function differingLines(a: string, b: string): string {
  // Line breaks within a function are written as \\n in the text.
  const [left, right] = [a, b].map((text) => text.split(/\n|\\n/)) as [string[], string[]];
  const lines = [
    ...left.filter((line) => !right.includes(line)).map((line) => `  - ${line.trim()}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `  + ${line.trim()}`),
  ];
  return lines.join("\n");
}
