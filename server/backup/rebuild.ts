import type { ISql } from "postgres";
import { quoteName } from "../postgres/quote.ts";

/**
 * Statements, in their order, that take constraints and indexes off tables while they are filled,
 * and put them on again.
 */
export type Rebuild = { drop: string[]; create: string[] };

/**
 * Foreign keys and indexes of tables. Created after the load, a foreign key is checked and an index is built once for
 * all rows, instead of row by row. What a primary key or a constraint rests on stays.
 */
export async function readRebuild(sql: ISql, tables: readonly string[]): Promise<Rebuild> {
  const keys = await sql<
    { table: string; name: string; definition: string; note: string | null }[]
  >`
    select k.conrelid::regclass::text as table, k.conname as name, pg_get_constraintdef(k.oid) as definition,
      obj_description(k.oid, 'pg_constraint') as note
    from pg_constraint k
    where k.contype = 'f' and k.conrelid in (select t::regclass from unnest(${tables}::text[]) t)
    order by 1, 2`;
  const indexes = await sql<{ name: string; definition: string; note: string | null }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition,
      obj_description(i.indexrelid, 'pg_class') as note
    from pg_index i
    where i.indrelid in (select t::regclass from unnest(${tables}::text[]) t)
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
    order by 1`;
  const comment = (what: string, note: string | null) =>
    note === null ? [] : [`comment on ${what} is '${note.replaceAll("'", "''")}'`];
  return {
    drop: [
      ...keys.map(({ table, name }) => `alter table ${table} drop constraint ${quoteName(name)}`),
      ...indexes.map(({ name }) => `drop index ${name}`),
    ],
    create: [
      ...indexes.flatMap(({ name, definition, note }) => [
        definition,
        ...comment(`index ${name}`, note),
      ]),
      ...keys.flatMap(({ table, name, definition, note }) => [
        `alter table ${table} add constraint ${quoteName(name)} ${definition}`,
        ...comment(`constraint ${quoteName(name)} on ${table}`, note),
      ]),
    ],
  };
}
