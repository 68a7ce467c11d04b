/**
 * Database part of `postgres_changes`: tables of the publication `supabase_realtime` (empty until
 * somebody adds one) record their writes. Each subscriber's own rights decide what they may read of
 * these (docs/decisions/072-realtime-channels.md).
 */
export const REALTIME_CHANGES_SQL = `
do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
  end if;
end;
$$;

-- Published tables whose rows can be named, with the columns of their key and those that the publication shows.
create or replace function realtime.published_tables() returns table (
  id oid, schema name, name name, shown name[], key_columns name[], pubinsert boolean, pubupdate boolean, pubdelete boolean
)
language sql stable set search_path = ''
as $$
select c.oid, p.schemaname, p.tablename, p.attnames,
  array(
    select a.attname from pg_catalog.unnest(i.indkey::smallint[]) k
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k
  ),
  pub.pubinsert, pub.pubupdate, pub.pubdelete
from pg_catalog.pg_publication pub
join pg_catalog.pg_publication_tables p on p.pubname = pub.pubname
join pg_catalog.pg_namespace n on n.nspname = p.schemaname
join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
join pg_catalog.pg_index i on i.indrelid = c.oid and i.indisprimary
-- A condition of the publication would have to be asked as well: such a table is not told of.
where pub.pubname = 'supabase_realtime' and c.relkind = 'r' and p.rowfilter is null;
$$;

-- The key of a row, of all that is known of it.
create or replace function realtime.key_of(p_table oid, p_row jsonb) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_object_agg(a.attname, p_row -> a.attname), '{}')
  from pg_catalog.pg_index i
  join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
  where i.indrelid = p_table and i.indisprimary;
$$;

create or replace function realtime.relay_change() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC'
as $$
declare
  v_old jsonb;
  v_new jsonb;
begin
  if not exists (select from realtime.listeners l where l.topic = 'postgres_changes:' || tg_relid) then
    return null;
  end if;
  if tg_op <> 'INSERT' then
    v_old := realtime.key_of(tg_relid, to_jsonb(old));
  end if;
  if tg_op <> 'DELETE' then
    v_new := to_jsonb(new);
  end if;
  perform realtime.hand_over(jsonb_build_object(
    'kind', 'change', 'topic', 'postgres_changes:' || tg_relid, 'table', tg_relid::bigint, 'type', tg_op,
    'at', to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'record', case when octet_length(v_new::text) > 100000 then realtime.key_of(tg_relid, v_new) else v_new end,
    'is_whole', coalesce(octet_length(v_new::text) <= 100000, true),
    'old', v_old));
  return null;
end;
$$;

-- Values of a column compared with those of a filter, in the column's own type; false for what cannot be compared.
create or replace function realtime.passes(p_table oid, p_row jsonb, p_filters jsonb) returns boolean
language plpgsql stable set search_path = ''
as $$
declare
  v_filter record;
  v_passes boolean;
begin
  for v_filter in
    select a.attname, format_type(a.atttypid, a.atttypmod) as type, f."values", coalesce(f.negated, false) as negated,
      case f.operator
        when 'eq' then 'r.%1$I = ($2[1])::%2$s'
        when 'neq' then 'r.%1$I <> ($2[1])::%2$s'
        when 'lt' then 'r.%1$I < ($2[1])::%2$s'
        when 'lte' then 'r.%1$I <= ($2[1])::%2$s'
        when 'gt' then 'r.%1$I > ($2[1])::%2$s'
        when 'gte' then 'r.%1$I >= ($2[1])::%2$s'
        when 'in' then 'r.%1$I = any ($2::%2$s[])'
        when 'isdistinct' then 'r.%1$I is distinct from ($2[1])::%2$s'
        when 'like' then 'r.%1$I::text like $2[1]'
        when 'ilike' then 'r.%1$I::text ilike $2[1]'
        when 'is' then case f."values" ->> 0
          when 'null' then 'r.%1$I is null' when 'true' then 'r.%1$I is true'
          when 'false' then 'r.%1$I is false' when 'unknown' then 'r.%1$I is unknown'
        end
      end as condition
    from jsonb_to_recordset(p_filters) f ("column" text, operator text, negated boolean, "values" jsonb)
    left join pg_catalog.pg_attribute a
      on a.attrelid = p_table and a.attname = f."column" and a.attnum > 0 and not a.attisdropped
  loop
    -- A row of which only the key is known passes what asks for more, as on the platform.
    continue when v_filter.attname is not null and not p_row ? v_filter.attname;
    if v_filter.attname is null or v_filter.condition is null then
      return false;
    end if;
    execute format('select ' || v_filter.condition || ' from jsonb_populate_record(null::%3$s, $1) r',
      v_filter.attname, v_filter.type, p_table::regclass)
    into v_passes using p_row, array(select jsonb_array_elements_text(v_filter."values"));
    if (v_passes <> v_filter.negated) is not true then
      return false;
    end if;
  end loop;
  return true;
exception
  -- A value that is none of the column's type, or a type that has no such comparison.
  when others then
    return false;
end;
$$;

-- The tables that a subscription is for, each with its trigger; none where one that it names is not published, cannot be read
-- or has no such column. The trigger is made for the first who asks.
create or replace function realtime.watch(p_role text, p_schema text, p_table text, p_filters jsonb) returns setof oid
language plpgsql volatile security definer set search_path = '' set lock_timeout = '2s'
as $$
declare
  v_table record;
begin
  if p_role not in ('authenticated', 'service_role') then
    return;
  end if;
  for v_table in
    select t.* from realtime.published_tables() t
    where p_schema in ('*', t.schema) and p_table in ('*', t.name)
      and has_schema_privilege(p_role, t.schema, 'usage')
      and not exists (
        select from unnest(t.key_columns) k
        where k <> all (t.shown) or not has_column_privilege(p_role, t.id, k, 'select'))
      -- What a filter lets through tells of its column.
      and not exists (
        select from jsonb_to_recordset(p_filters) f ("column" text)
        where case when f."column" = any (t.shown) then not has_column_privilege(p_role, t.id, f."column", 'select') else true end)
    order by t.id
  loop
    if not exists (
      select from pg_catalog.pg_trigger g
      where g.tgrelid = v_table.id and g.tgname = 'relay_change' and g.tgfoid = 'realtime.relay_change'::regproc
    ) then
      execute format(
        'create or replace trigger relay_change after insert or update or delete on %s
         for each row execute function realtime.relay_change()', v_table.id::regclass);
    end if;
    return next v_table.id;
  end loop;
end;
$$;

-- Which readers a change is for: those whose filters it passes and who may read the row, each with the columns that their role may
-- read. A reader is a token's claims with the filters of its subscriptions; the answer names readers and filters by their places.
-- A row that was deleted can be judged by nobody: its key alone is told, to whoever may read the table's key.
create or replace function realtime.readers_of_change(p_table oid, p_type text, p_row jsonb, p_readers jsonb) returns jsonb
language plpgsql volatile set search_path = ''
as $$
declare
  v_table record;
  v_query text;
  v_reader record;
  v_role text;
  v_passed jsonb;
  v_columns jsonb;
  v_is_visible boolean;
  v_answer jsonb := '[]';
begin
  select t.* into v_table from realtime.published_tables() t
  where t.id = p_table
    and case p_type when 'INSERT' then t.pubinsert when 'UPDATE' then t.pubupdate else t.pubdelete end;
  if not found then
    return null;
  end if;
  select format(
    'select exists (select from %s t, jsonb_populate_record(null::%s, $1) r where %s)', p_table::regclass, p_table::regclass,
    string_agg(format('t.%1$I = r.%1$I', k), ' and '))
  into v_query from unnest(v_table.key_columns) k;
  for v_reader in
    select (r.ordinality - 1)::integer as place, r.value -> 'claims' as claims, r.value -> 'filters' as filters
    from jsonb_array_elements(p_readers) with ordinality r
  loop
    v_role := v_reader.claims ->> 'role';
    continue when v_role not in ('authenticated', 'service_role');
    select jsonb_agg(f.ordinality - 1) into v_passed
    from jsonb_array_elements(v_reader.filters) with ordinality f
    where realtime.passes(p_table, p_row, f.value);
    continue when v_passed is null;
    select jsonb_agg(jsonb_build_object('name', a.attname, 'type', y.typname) order by a.attnum)
    into v_columns
    from pg_catalog.pg_attribute a join pg_catalog.pg_type y on y.oid = a.atttypid
    where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped and a.attname = any (v_table.shown)
      and has_column_privilege(v_role, p_table, a.attname, 'select');
    continue when v_columns is null or not has_schema_privilege(v_role, v_table.schema, 'usage');
    v_is_visible := p_type = 'DELETE';
    if not v_is_visible then
      begin
        perform set_config('request.jwt.claims', v_reader.claims::text, true);
        perform set_config('request.jwt.claim.sub', coalesce(v_reader.claims ->> 'sub', ''), true);
        perform set_config('request.jwt.claim.role', v_role, true);
        perform set_config('role', v_role, true);
        execute v_query into v_is_visible using p_row;
        -- Ends what was set.
        raise exception 'asked' using errcode = 'RT000';
      exception
        when sqlstate 'RT000' then null;
        -- Where a policy fails for one reader, the others are told all the same.
        when others then v_is_visible := false;
      end;
    end if;
    if v_is_visible then
      v_answer := v_answer || jsonb_build_object('reader', v_reader.place, 'passed', v_passed, 'columns', v_columns);
    end if;
  end loop;
  return jsonb_build_object('schema', v_table.schema, 'table', v_table.name, 'readers', v_answer);
end;
$$;

-- Bytes for a channel, as send() has JSON for it.
create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if exists (select from realtime.listeners l where l.topic = send_binary.topic) then
    perform realtime.hand_over(jsonb_build_object(
      'kind', 'broadcast', 'topic', send_binary.topic, 'event', send_binary.event, 'id', gen_random_uuid(),
      'bytes', translate(encode(send_binary.payload, 'base64'), chr(10), '')));
  end if;
end;
$$;

revoke all on function realtime.send_binary(bytea, text, text, boolean), realtime.published_tables(), realtime.key_of(oid, jsonb), realtime.relay_change(), realtime.passes(oid, jsonb, jsonb),
  realtime.watch(text, text, text, jsonb), realtime.readers_of_change(oid, text, jsonb, jsonb)
  from public, anon, authenticated;
grant execute on function realtime.send_binary(bytea, text, text, boolean), realtime.published_tables(), realtime.passes(oid, jsonb, jsonb), realtime.watch(text, text, text, jsonb),
  realtime.readers_of_change(oid, text, jsonb, jsonb) to service_role;
`;
