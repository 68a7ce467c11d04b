import type { ISql } from "postgres";

/** A table, view or function of the data API, by its names and types. */
export type Relation = { name: string; fields: Field[] };
/** A column, or an argument. */
export type Field = { name: string; type: string };

/** Contents of the data API, from which requests are generated. */
export type Catalog = { relations: Relation[]; functions: Relation[] };

/** Reads the tables, views and functions of schema `public`, in the order of their names: a seed means the same each time. */
export async function readCatalog(sql: ISql): Promise<Catalog> {
  const relations = await sql<Relation[]>`
    select c.relname as name,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, null)) order by a.attnum) as fields
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    group by c.oid, c.relname order by c.relname collate "C"`;
  const functions = await sql<Relation[]>`
    select p.proname as name,
      coalesce((
        select json_agg(json_build_object('name', p.proargnames[n], 'type', format_type(p.proargtypes[n - 1], null)) order by n)
        from generate_series(1, p.pronargs) n), '[]'::json) as fields
    from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prorettype <> 'trigger'::regtype
    order by p.proname collate "C", p.oid`;
  return { relations: [...relations], functions: [...functions] };
}
