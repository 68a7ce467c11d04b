import type { ISql } from "postgres";

/** A table whose rows a backup holds. */
export type StoredTable = {
  schema: string;
  name: string;
  /** Those that hold what was written, in their order. */
  columns: string[];
  /** Size on disk, without indexes: what a progress bar goes by. */
  bytes: number;
  /** Tables that its foreign keys lead to, as « schema.name ». */
  references: string[];
};

/** Tables that hold the rows of an installation. */
export const SCHEMAS = ["auth", "storage", "public", "private", "supabase_migrations"] as const;

/** Tables that record a schema's version: a restore writes them afresh. */
const HISTORIES = [
  "supabase_migrations.schema_migrations",
  // A hosted project's own.
  "auth.schema_migrations",
  "storage.migrations",
];

/** Every table of an installation, those that others refer to first. */
export async function readTables(sql: ISql): Promise<StoredTable[]> {
  const tables = await sql<StoredTable[]>`
    select n.nspname as schema, c.relname as name, pg_table_size(c.oid)::float8 as bytes,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((
        select array_agg(rn.nspname || '.' || r.relname order by 1)
        from pg_constraint k join pg_class r on r.oid = k.confrelid join pg_namespace rn on rn.oid = r.relnamespace
        where k.conrelid = c.oid and k.contype = 'f'), '{}') as references
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname in ${sql([...SCHEMAS])}
      and n.nspname || '.' || c.relname not in ${sql(HISTORIES)}
      and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
    order by 1, 2`;
  return referredFirst(tables);
}

/** Tables in such an order that each comes after those that it refers to, as far as there is one. */
function referredFirst(tables: readonly StoredTable[]): StoredTable[] {
  const byName = new Map(tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const ordered = new Set<StoredTable>();
  const visited = new Set<StoredTable>();
  const visit = (table: StoredTable) => {
    if (visited.has(table)) return;
    visited.add(table);
    for (const name of table.references) {
      const other = byName.get(name);
      if (other) visit(other);
    }
    ordered.add(table);
  };
  for (const table of tables) visit(table);
  return [...ordered];
}
