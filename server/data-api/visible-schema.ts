import { z } from "zod";
import type { Asker } from "./claims.ts";
import { AS_ASKED, asRole } from "./transaction.ts";

const column = z.object({
  name: z.string(),
  type: z.string(),
  isRequired: z.boolean(),
  isKey: z.boolean(),
  /** Column that it refers to, `table.column`. */
  refersTo: z.string().nullable(),
  /** Values of an enumeration. */
  values: z.array(z.string()).nullable(),
});

const table = z.object({
  name: z.string(),
  isRead: z.boolean(),
  isAdded: z.boolean(),
  isChanged: z.boolean(),
  isRemoved: z.boolean(),
  columns: z.array(column),
});

const routine = z.object({
  name: z.string(),
  isVolatile: z.boolean(),
  takes: z.array(z.object({ name: z.string(), type: z.string(), isRequired: z.boolean() })),
});

/** Tables and functions that a role may use of the schema that the data API offers. */
export const visibleSchema = z.object({ tables: z.array(table), functions: z.array(routine) });

export type VisibleSchema = z.infer<typeof visibleSchema>;

/**
 * Reads as a role what it may use: it contains nothing on which the role has no privilege. Comments
 * and the expressions of defaults are left out, since they name what others use.
 */
export function visibleSchemaStatement(role: Asker["role"]): string {
  return `
    with usable as (
      select c.oid, c.relname, a.attnum, a.attname, a.atttypid, a.atttypmod,
        a.attnotnull and not a.atthasdef and a.attidentity = '' as is_required
      from pg_catalog.pg_class c
      join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')
        and not c.relispartition and has_column_privilege(c.oid, a.attnum, 'select, insert, update')
    ),
    described as (
      select u.oid, json_agg(json_build_object(
        'name', u.attname,
        'type', format_type(u.atttypid, u.atttypmod),
        'isRequired', u.is_required,
        'isKey', exists (
          select from pg_catalog.pg_constraint k
          where k.conrelid = u.oid and k.contype = 'p' and u.attnum = any (k.conkey)),
        'refersTo', (
          select t.relname || '.' || t.attname
          from pg_catalog.pg_constraint k
          join usable t on t.oid = k.confrelid and t.attnum = k.confkey[cardinality(k.confkey)]
          where k.conrelid = u.oid and k.contype = 'f' and k.conkey[cardinality(k.conkey)] = u.attnum
          order by k.conname limit 1),
        'values', (
          select json_agg(e.enumlabel order by e.enumsortorder)
          from pg_catalog.pg_enum e where e.enumtypid = u.atttypid)
      ) order by u.attnum) as columns
      from usable u group by u.oid
    ),
    tables as (
      select c.relname as name, d.columns,
        has_any_column_privilege(c.oid, 'select') as "isRead",
        has_any_column_privilege(c.oid, 'insert') as "isAdded",
        has_any_column_privilege(c.oid, 'update') as "isChanged",
        has_table_privilege(c.oid, 'delete') as "isRemoved"
      from described d join pg_catalog.pg_class c on c.oid = d.oid
    ),
    inputs as (
      select p.oid, u.place, format_type(u.type, null) as type,
        coalesce((
          select i.name
          from (
            select n.name, row_number() over (order by n.place) as place
            from unnest(p.proargnames) with ordinality as n (name, place)
            where coalesce(p.proargmodes[n.place], 'i') in ('i', 'b', 'v')
          ) i where i.place = u.place), '') as name,
        u.place <= p.pronargs - p.pronargdefaults as is_required
      from pg_catalog.pg_proc p, unnest(p.proargtypes) with ordinality as u (type, place)
      where p.pronamespace = 'public'::regnamespace
    ),
    functions as (
      select p.proname as name, p.provolatile = 'v' as "isVolatile",
        coalesce((
          select json_agg(
            json_build_object('name', i.name, 'type', i.type, 'isRequired', i.is_required) order by i.place)
          from inputs i where i.oid = p.oid), '[]') as takes
      from pg_catalog.pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
        and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
        and has_function_privilege(p.oid, 'execute')
        and (
          not exists (select from inputs i where i.oid = p.oid and i.name = '')
          or p.pronargs = 1 and exists (
            select from inputs i
            where i.oid = p.oid and i.type in ('json', 'jsonb', 'text', 'xml', 'bytea')))
    )
    select json_build_object(
      'tables', (select coalesce(json_agg(t order by t.name), '[]') from tables t),
      'functions', (select coalesce(json_agg(f order by f.name), '[]') from functions f)
    )::text as body, (${asRole(role)})::text as ${AS_ASKED}
    where ${asRole(role)}`;
}
