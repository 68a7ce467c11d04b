import type { Sql } from "postgres";
import { describe, expect, it } from "vitest";
import { setUpTestDatabase, undone } from "../harness/database.ts";

/**
 * Rules that every object of our two schemas keeps, read from the catalog, so that a migration
 * cannot forget one. Each rule is a query for the offenders, and a breach that it must notice.
 */

/** Functions of `public` or `private` that the key without a session may call. */
const CALLABLE_BY_ANON: readonly string[] = [];

/**
 * Functions that become part of the query that calls them, for the time that it saves (decision 057). A search path of their own
 * would keep them apart; the names in their bodies were bound when they were made.
 */
const PART_OF_THEIR_QUERY: readonly string[] = [
  // An index answers what they ask, or a condition from outside.
  "private.campaign_figures_now(uuid)",
  "private.day_figures_now(uuid, date, date)",
  "private.has_other_script(text)",
  "private.matches_code(redemptions, text[], text)",
  "private.matches_filters(customers, jsonb)",
  "private.is_in_code_list(redemptions, text)",
  "private.is_in_inbox(pre_spin_reviews, jsonb, uuid)",
  "private.is_bad_rating(smallint)",
  "private.is_in_force(text, timestamp with time zone)",
  "private.is_over(text, timestamp with time zone)",
  "private.is_spendable(points_ledger)",
  "private.is_unread(pre_spin_reviews)",
  "private.is_waiting(private.invitations)",
  "private.due_until(timestamp with time zone, timestamp with time zone)",
  "private.export_time()",
  "private.payment_notice()",
  "private.presence_step()",
  "private.in_language(text, jsonb, text)",
  "private.is_language(text)",
  "private.reward_days_now(uuid)",
  "private.reward_totals_now(uuid)",
  "private.store_days_now(uuid, uuid, date, date)",
  "private.folded_store_sums(uuid, uuid, date, date)",
  "private.month_from(date)",
  "private.month_of(date)",
  "private.store_reviews_now(uuid, uuid, date, date)",
  "private.code_key(text)",
  // Lists ask each of their rows.
  "private.alias_of(uuid)",
  "private.has_review_words(text, text, text)",
  "private.has_words(text, text, text)",
  "private.is_in_time(campaigns)",
  "private.is_same_visit(timestamp with time zone)",
  "private.may_mail_prize(smallint, timestamp with time zone)",
  "private.may_restore(timestamp with time zone)",
  "private.name_of(jsonb, text)",
  "private.name_or_email(text, text)",
  "private.pattern_hint(text)",
  "private.review_state(pre_spin_reviews)",
  "private.validity_days(text, jsonb)",
  // Rows go to the client one by one.
  "public.export_customers(uuid, jsonb)",
  "public.export_redemptions(uuid, jsonb, boolean)",
  "public.export_reviews(uuid, uuid, jsonb, boolean)",
  "private.code_state(redemptions)",
  "private.customer_wins(uuid, uuid)",
  "private.export_moment(timestamp with time zone, text)",
  // Each turn of a wheel asks several times.
  "private.day_end(date, text)",
  "private.is_unclean(text)",
  "private.now_in(text)",
  "private.plain_letters(text)",
  "private.shard()",
  "private.uuid_v7()",
  "private.window_start(interval)",
  "private.wins_of(uuid, uuid, uuid)",
  "private.words(text)",
];

/** Functions of `private` that signed-in users need: policies, checks and defaults call them. */
const PRIVATE_FOR_USERS: readonly string[] = [
  "private.customer_words(text, text, text, text, text)",
  // The data API's library asks it of what it has read.
  "private.fits_answer(bigint)",
  "private.has_feature(uuid, text)",
  "private.has_other_script(text)",
  "private.may_hear(text)",
  "private.may_upload_logo(text)",
  "private.name_order(text)",
  "private.is_reward_metadata(jsonb)",
  "private.is_email(text)",
  "private.is_language(text)",
  "private.is_phone(text)",
  "private.is_slug(text)",
  "private.is_translations(jsonb, integer)",
  "private.is_unclean(text)",
  "private.my_org_ids(text)",
  "private.my_plans()",
  "private.my_user_id()",
  "private.normalize_email(text)",
  "private.normalize_phone(text)",
  "private.other_script_words(text)",
  "private.phone_digits(text)",
  "private.plain_letters(text)",
  "private.slugify(text)",
  "private.uuid_v7()",
  "private.words(text)",
];

/** Functions that read the token themselves; all others ask these, which refuse ended sessions and a missing second factor. */
const READ_THE_TOKEN: readonly string[] = [
  "private.my_api_key()",
  "private.my_session()",
  "private.my_user_id()",
];

/**
 * Functions that run with the rights of their caller, although they are a trigger's or may be called from outside: they read
 * and write no table, or their caller may read what they do.
 */
const RUN_AS_THEIR_CALLER: readonly string[] = [
  "private.code_state(redemptions)",
  "private.customer_wins(uuid, uuid)",
  "private.export_moment(timestamp with time zone, text)",
  "private.is_in_inbox(pre_spin_reviews, jsonb, uuid)",
  "private.is_over(text, timestamp with time zone)",
  "private.matches_filters(customers, jsonb)",
  "private.refuse_audit_change()",
  "private.refuse_write()",
  "private.timezone_of(uuid)",
  "private.uuid_v7()",
  "public.export_customers(uuid, jsonb)",
  "public.export_redemptions(uuid, jsonb, boolean)",
  "public.export_reviews(uuid, uuid, jsonb, boolean)",
];

const OURS = "('public', 'private')";

/** Our functions, as `f`; those that extensions bring are theirs. */
const FUNCTIONS = `
  (select p.*, n.nspname || '.' || p.proname || '(' || oidvectortypes(p.proargtypes) || ')' as name
   from pg_proc p join pg_namespace n on n.oid = p.pronamespace
   where n.nspname in ${OURS}
     and not exists (select 1 from pg_depend d where d.objid = p.oid and d.deptype = 'e')) f`;

/** Our tables (`r`, `p`) and views (`v`, `m`), as `t`. */
const RELATIONS = `
  (select c.*, n.nspname, n.nspname || '.' || c.relname as name
   from pg_class c join pg_namespace n on n.oid = c.relnamespace
   where n.nspname in ${OURS} and c.relkind in ('r', 'p', 'v', 'm')) t`;

type Rule = {
  rule: string;
  /** Query with one column `name`: what breaks the rule. */
  offenders: string;
  /** Statements after which there is an offender. */
  breach: string;
};

const RULES: Rule[] = [
  {
    rule: "row-level security is on for every table",
    offenders: `select name from ${RELATIONS} where relkind in ('r', 'p') and not relrowsecurity`,
    breach: "create table private.breach (id int primary key)",
  },
  {
    rule: "every table has a primary key",
    offenders: `
      select name from ${RELATIONS}
      where relkind in ('r', 'p')
        and not exists (select 1 from pg_constraint k where k.conrelid = t.oid and k.contype = 'p')`,
    breach: "create table public.breach (id int)",
  },
  {
    rule: "every foreign key is covered by the leading columns of an index",
    offenders: `
      select k.conrelid::regclass || ' ' || k.conname as name
      from pg_constraint k join ${RELATIONS} on t.oid = k.conrelid
      where k.contype = 'f' and not exists (
        select 1 from pg_index i
        where i.indrelid = k.conrelid and i.indisvalid
          and (i.indkey::int2[])[0:cardinality(k.conkey) - 1] @> k.conkey
          -- A partial index serves when it leaves out only rows that reference nothing.
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
            select '(' || quote_ident(a.attname) || ' IS NOT NULL)'
            from pg_attribute a where a.attrelid = k.conrelid and a.attnum = any (k.conkey))))`,
    breach:
      "create table public.breach (id int primary key, org uuid references public.organizations)",
  },
  {
    // So that no row ever points into another organisation, whoever wrote it.
    rule: "a reference between rows of organisations carries the organisation",
    offenders: `
      select k.conrelid::regclass || ' ' || k.conname as name
      from pg_constraint k
      where k.contype = 'f' and k.connamespace in ('public'::regnamespace, 'private'::regnamespace)
        and exists (
          select 1 from pg_attribute a
          where a.attrelid = k.confrelid and a.attname = 'org_id' and not a.attisdropped)
        -- It does itself, or another one on the same columns does.
        and not exists (
          select 1 from pg_constraint o, unnest(o.conkey, o.confkey) as r (here, there)
          join pg_attribute h on h.attrelid = k.conrelid and h.attnum = r.here
          join pg_attribute t on t.attrelid = k.confrelid and t.attnum = r.there
          where o.contype = 'f' and o.conrelid = k.conrelid and o.confrelid = k.confrelid and o.conkey @> k.conkey
            and t.attname = 'org_id' and h.attname in ('org_id', 'role_org_key'))`,
    breach: `
      create table public.breach (id int primary key, org_id uuid, role text references public.roles)`,
  },
  {
    rule: "no policy lets everybody write",
    offenders: `
      select tablename || ': ' || policyname as name from pg_policies
      where schemaname in ${OURS} and cmd <> 'SELECT'
        and (qual = 'true' or with_check = 'true' or (qual is null and with_check is null))`,
    breach: `create policy "breach" on public.stores for update to authenticated using (true)`,
  },
  {
    rule: "every policy names its role",
    offenders: `
      select tablename || ': ' || policyname as name from pg_policies
      where schemaname in ${OURS} and roles <> '{authenticated}'`,
    breach: `create policy "breach" on public.stores for select using (org_id is null)`,
  },
  {
    rule: "nobody acts for the signed-in user without asking whether their session may",
    offenders: `
      select name from ${FUNCTIONS}
      where coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '') ~ 'auth\\.(uid|jwt|role|email)\\('
        and name <> all (${textArray(READ_THE_TOKEN)})
        -- A trigger only notes who did what a policy or a function has let through.
        and prorettype <> 'trigger'::regtype
      union all
      select tablename || ': ' || policyname from pg_policies
      where schemaname in ${OURS} and coalesce(qual, '') || coalesce(with_check, '') ~ 'auth\\.(uid|jwt|role|email)\\('
      union all
      select name from ${RELATIONS}
      where relkind = 'v' and pg_get_viewdef(oid) ~ 'auth\\.(uid|jwt|role|email)\\('`,
    breach: `
      create policy "breach" on public.stores for select to authenticated
        using (org_id = (select auth.uid()))`,
  },
  {
    rule: "what the server calls for a user is told the session and the level of their token",
    offenders: `
      select name from ${FUNCTIONS}
      where pronamespace = 'public'::regnamespace and 'p_user_id' = any (proargnames)
        and not proargnames @> '{p_session_id,p_aal}'`,
    breach: `
      create function public.breach(p_user_id uuid) returns int language sql as 'select 1'`,
  },
  {
    rule: "every policy filters by an indexed column",
    offenders: `
      select p.tablename || ': ' || p.policyname || ' (' || a.attname || ')' as name
      from pg_policies p
      join ${RELATIONS} on t.nspname = p.schemaname and t.relname = p.tablename
      join pg_attribute a on a.attrelid = t.oid and a.attname in ('org_id', 'user_id')
      where coalesce(p.qual, '') ~ ('\\m' || a.attname || '\\M')
        and not exists (
          select 1 from pg_index i
          where i.indrelid = t.oid and i.indpred is null and i.indkey[0] = a.attnum)
        -- A column that comes second serves when the first one is filtered too.
        and not exists (
          select 1 from pg_index i
          join pg_attribute f on f.attrelid = i.indrelid and f.attnum = i.indkey[0]
          where i.indrelid = t.oid and i.indpred is null and i.indkey[1] = a.attnum
            and p.qual ~ ('\\m' || f.attname || '\\M'))`,
    breach: `
      create table public.breach (id int primary key, org_id uuid);
      create policy "breach" on public.breach for select to authenticated
        using (org_id = (select private.my_org_ids()))`,
  },
  {
    rule: "functions fix their search path, but for those whose names were bound when they were made, named here",
    offenders: `
      select name from ${FUNCTIONS}
      where not coalesce(proconfig @> array['search_path=""'], false)
        -- A procedure that commits cannot: it runs with its caller's rights, who is the owner.
        and (prokind <> 'p' or prosecdef or has_function_privilege('service_role', oid, 'execute'))
        and (prosecdef or prosqlbody is null or name <> all (${textArray(PART_OF_THEIR_QUERY)}))`,
    breach: "create function private.breach() returns int language sql return 1",
  },
  {
    rule: "triggers, and what may be called from outside, run with the rights of their owner, but for those named here",
    offenders: `
      select name from ${FUNCTIONS}
      where not prosecdef and provolatile <> 'i' and name <> all (${textArray(RUN_AS_THEIR_CALLER)})
        and (prorettype = 'trigger'::regtype or has_function_privilege('authenticated', oid, 'execute')
          or has_function_privilege('service_role', oid, 'execute'))
      union all
      (select unnest(${textArray(RUN_AS_THEIR_CALLER)}) except select name from ${FUNCTIONS})`,
    breach: "alter function private.publish_rules() security invoker",
  },
  {
    rule: "views run with the rights of whoever reads them",
    offenders: `
      select name from ${RELATIONS}
      where relkind = 'v' and not coalesce('security_invoker=true' = any (reloptions), false)`,
    breach: "create view public.breach as select id from public.customers",
  },
  {
    // Each is asked for every row, and who may do what stands in one place.
    rule: "no two policies of a table let the same role do the same",
    offenders: `
      select p.polrelid::regclass || ' ' || a.action as name
      from pg_policy p join ${RELATIONS} on t.oid = p.polrelid
      cross join lateral unnest(p.polroles) as r (role)
      cross join lateral unnest(
        case p.polcmd when '*' then '{r,a,w,d}'::text[] else array[p.polcmd::text] end) as a (action)
      where p.polpermissive
      group by p.polrelid, r.role, a.action having count(*) > 1`,
    breach: `
      create policy "breach" on public.stores for select to authenticated using (org_id is null)`,
  },
  {
    rule: "the key without a session calls no function but those named here",
    offenders: `
      select name from ${FUNCTIONS}
      where has_function_privilege('anon', oid, 'execute')
        and name <> all (${textArray(CALLABLE_BY_ANON)})`,
    breach: `
      create function private.breach() returns int language sql as 'select 1';
      grant execute on function private.breach() to anon`,
  },
  {
    rule: "no function is open to everybody",
    offenders: `
      select name from ${FUNCTIONS}, aclexplode(coalesce(proacl, acldefault('f', proowner))) g
      where g.grantee = 0 and g.privilege_type = 'EXECUTE'`,
    breach: `
      create function private.breach() returns int language sql as 'select 1';
      grant execute on function private.breach() to public`,
  },
  {
    rule: "signed-in users call no private function but those named here",
    offenders: `
      select name from ${FUNCTIONS}
      where pronamespace = 'private'::regnamespace and prorettype <> 'trigger'::regtype
        and has_function_privilege('authenticated', oid, 'execute')
        and name <> all (${textArray(PRIVATE_FOR_USERS)})`,
    breach: `
      create function private.breach() returns int language sql as 'select 1';
      grant execute on function private.breach() to authenticated`,
  },
  {
    rule: "the key without a session has no right on any table, view, column or sequence",
    offenders: `
      select t.name || ' ' || g.privilege_type as name
      from ${RELATIONS}, aclexplode(relacl) g
      where g.grantee in (0, 'anon'::regrole)
      union all
      select t.name || '.' || a.attname || ' ' || g.privilege_type
      from ${RELATIONS} join pg_attribute a on a.attrelid = t.oid, aclexplode(a.attacl) g
      where g.grantee in (0, 'anon'::regrole)
      union all
      select s.oid::regclass || ' ' || g.privilege_type
      from pg_class s join pg_namespace n on n.oid = s.relnamespace, aclexplode(s.relacl) g
      where n.nspname in ${OURS} and s.relkind = 'S' and g.grantee in (0, 'anon'::regrole)`,
    breach: "grant select (slug) on public.organizations to anon",
  },
  {
    rule: "signed-in users read and write rows, and have no other right on a table",
    offenders: `
      select t.name || ' ' || g.privilege_type as name
      from ${RELATIONS}, aclexplode(relacl) g
      where g.grantee = 'authenticated'::regrole
        and (g.privilege_type not in ('SELECT', 'DELETE') or nspname <> 'public')`,
    breach: "grant truncate on public.customers to authenticated",
  },
  {
    rule: "nobody makes objects in our schemas",
    offenders: `
      select r.rolname || ' in ' || n.nspname as name
      from pg_namespace n, pg_roles r
      where n.nspname in ${OURS} and r.rolname in ('anon', 'authenticated', 'service_role')
        and has_schema_privilege(r.oid, n.oid, 'create')`,
    breach: "grant create on schema private to authenticated",
  },
  {
    rule: "no sequence is unlogged: a standby that is promoted before its next restartpoint has an empty file for one",
    offenders:
      "select oid::regclass::text as name from pg_class where relkind = 'S' and relpersistence = 'u'",
    breach:
      "create unlogged table private.breach (id bigint generated always as identity primary key)",
  },
  {
    // A partial index cannot ask the function for free: its predicate repeats the number, and must be the function's.
    rule: "what a bad rating is stands in private.is_bad_rating alone, and partial indexes say the same",
    offenders: `
      select name from ${FUNCTIONS}
      where coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '') ~ 'rating\\s*[<>]=?\\s*[0-9]'
        and name <> 'private.is_bad_rating(smallint)'
      union all
      select t.tgname::text from pg_trigger t where pg_get_triggerdef(t.oid) ~ 'rating\\s*[<>]=?\\s*[0-9]'
      union all
      select i.indexrelid::regclass::text from pg_index i
      where pg_get_expr(i.indpred, i.indrelid) ~ 'rating\\s*[<>]'
        and position(
          substring(
            pg_get_function_sqlbody('private.is_bad_rating(smallint)'::regprocedure) from 'rating <= [0-9]+\\)')
          in pg_get_expr(i.indpred, i.indrelid)) = 0`,
    breach:
      "create index breach on public.pre_spin_reviews (org_id) where rating <= 2 and seen_at is null",
  },
  {
    rule: "whether the time of a code is over stands in private.is_over and private.is_in_force alone, but for those named here",
    offenders: `
      select name from ${FUNCTIONS}
      where coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '')
          ~ 'status = ''available''[^;]{0,80}expires_at *(<=|>) *now\\(\\)'
        and name <> all (${textArray([
          "private.is_over(text, timestamp with time zone)",
          "private.is_in_force(text, timestamp with time zone)",
          // Both ends of its range are read from the index of the job that closes codes.
          "private.remind_prizes(integer)",
        ])})`,
    breach: `
      create function private.breach() returns bigint language sql as
        $$select count(*) from public.redemptions r where r.status = 'available' and r.expires_at <= now()$$`,
  },
  {
    rule: "who a customer without a name is stands in private.name_or_email alone",
    offenders: `
      select name from ${FUNCTIONS}
      where coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '')
          ~* 'coalesce\\(nullif\\((btrim|trim)\\([^;]{0,60}email'
        and name <> 'private.name_or_email(text, text)'`,
    breach: `
      create function private.breach() returns setof text language sql as
        $$select coalesce(nullif(btrim(c.name), ''), c.email) from public.customers c$$`,
  },
  {
    rule: "how long what a reward gives is valid stands in private.validity_days alone",
    offenders: `
      select name from ${FUNCTIONS}
      where coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '') ~ '->> ''validityDays''(::text)?\\)::'
        and name <> all (${textArray([
          "private.validity_days(text, jsonb)",
          // Check of what is stored.
          "private.is_reward_metadata(jsonb)",
        ])})`,
    breach: `
      create function private.breach() returns setof integer language sql as
        $$select coalesce((r.metadata ->> 'validityDays')::integer, 31) from public.rewards r$$`,
  },
  {
    rule: "the step of the code of presence stands in private.presence_step alone",
    offenders: `
      select name from ${FUNCTIONS}
      where name ~ 'presence' and name <> 'private.presence_step()'
        and coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '')
          ~ 'interval ''[0-9]+ seconds|\\y30(000)?\\y(?! minutes)'`,
    breach: `
      create function private.presence_breach() returns timestamptz language sql as
        $$select now() - interval '31 seconds'$$`,
  },
  {
    rule: "what a mail calls its reader stands in private.greeting_name alone",
    offenders: `
      select name from ${FUNCTIONS}
      where coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '')
          ~* 'split_part\\((btrim|trim)\\([^;]{0,60}name'
        and name <> 'private.greeting_name(text)'`,
    breach: `
      create function private.breach() returns setof text language sql as
        $$select nullif(split_part(btrim(c.name), ' ', 1), '') from public.customers c$$`,
  },
  {
    // A generated column cannot change its expression without writing the table anew: it repeats the function's.
    rule: "how codes are compared stands in private.code_key alone, and generated columns say the same",
    offenders: `
      select name from ${FUNCTIONS}
      where coalesce(prosrc, '') || coalesce(pg_get_function_sqlbody(oid), '') ~* 'upper\\(regexp_replace\\('
        and name <> 'private.code_key(text)'
      union all
      select d.adrelid::regclass || '.' || a.attname
      from pg_attrdef d join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      where (a.attname = 'code_key' or pg_get_expr(d.adbin, d.adrelid) ~* 'regexp_replace\\(code')
        and position(
          replace(
            substring(pg_get_function_sqlbody('private.code_key(text)'::regprocedure) from 'upper.*'), 'p_code', 'code')
          in pg_get_expr(d.adbin, d.adrelid)) = 0`,
    breach: `
      create table private.breach (
        code text, code_key text generated always as (upper(regexp_replace(code, '[^A-Z0-9]', '', 'g'))) stored)`,
  },
  {
    // With such a trigger PostgreSQL takes all generated columns for changed: each update locks the row's key, and waits for all foreign
    // keys that are being checked against it.
    rule: "no trigger comes before the update of a row that others refer to and whose key is generated",
    offenders: `
      select distinct t.name from ${RELATIONS}
      join pg_index i on i.indrelid = t.oid and i.indisunique and i.indpred is null and i.indexprs is null
      join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey) and a.attgenerated = 's'
      -- Bits of tgtype: for each row, before, on update.
      join pg_trigger g on g.tgrelid = t.oid and g.tgtype & (1 + 2 + 16) = 1 + 2 + 16
      where exists (select 1 from pg_constraint f where f.confrelid = t.oid and f.contype = 'f')`,
    breach: `
      create trigger breach before update on public.redemptions
        for each row execute function private.check_redemption_status()`,
  },
  {
    // Foreign keys that are being checked hold the columns of plain unique indexes: whoever writes one waits for everybody who plays.
    rule: "no column that members may change is part of a key of a row that others refer to",
    offenders: `
      select distinct t.name || '.' || a.attname from ${RELATIONS}
      join pg_index i on i.indrelid = t.oid and i.indisunique and i.indpred is null and i.indexprs is null
      join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
      where has_column_privilege('authenticated', t.oid, a.attnum, 'update')
        and exists (select 1 from pg_constraint f where f.confrelid = t.oid and f.contype = 'f')`,
    breach: "create unique index breach on public.stores (org_id, name)",
  },
  {
    rule: "every table, view, column and function says what it is",
    offenders: `
      select name from ${RELATIONS} where obj_description(oid, 'pg_class') is null
      union all
      select t.name || '.' || a.attname from ${RELATIONS}
      join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
      where col_description(t.oid, a.attnum) is null
      union all
      select name from ${FUNCTIONS} where obj_description(oid, 'pg_proc') is null`,
    breach: "alter table public.stores add column breach int",
  },
];

function textArray(values: readonly string[]): string {
  return `array[${values.map((value) => `'${value.replaceAll("'", "''")}'`).join(", ")}]::text[]`;
}

const database = setUpTestDatabase();

async function offenders(sql: Pick<Sql, "unsafe">, { offenders }: Rule): Promise<string[]> {
  const rows = await sql.unsafe<{ name: string }[]>(offenders);
  return rows.map(({ name }) => name).sort();
}

describe.each(RULES)("$rule", (rule) => {
  it("holds", async () => {
    expect(await offenders(database.sql, rule)).toEqual([]);
  });

  it("is noticed when broken", async () => {
    const before = await offenders(database.sql, rule);
    const noticed = await undone(database.sql, async (transaction) => {
      await transaction.unsafe(rule.breach);
      return offenders(transaction, rule);
    });
    expect(noticed.filter((name) => !before.includes(name))).toHaveLength(1);
  });
});

describe("the lists of exceptions", () => {
  it("name only what exists", async () => {
    const rows = await database.sql.unsafe<{ name: string }[]>(`
      select name from ${FUNCTIONS} union all select name from ${RELATIONS}`);
    const existing = new Set(rows.map(({ name }) => name));
    const named = [
      ...CALLABLE_BY_ANON,
      ...PART_OF_THEIR_QUERY,
      ...PRIVATE_FOR_USERS,
      ...READ_THE_TOKEN,
    ];
    expect(named.filter((name) => !existing.has(name))).toEqual([]);
  });
});
