-- Why: links that end a kind of mail carry 256 random bits instead of the 122 of a UUID (OWASP ASVS 11.5.1); those sent before go on.

set check_function_bodies = off;

DROP FUNCTION "public"."unsubscribe"(uuid, text);

ALTER TABLE "public"."notification_preferences" ALTER COLUMN "unsubscribe_token" DROP DEFAULT;

ALTER TABLE "public"."notification_preferences" ALTER COLUMN "unsubscribe_token" DROP NOT NULL;

CREATE OR REPLACE FUNCTION private.alert_low_rating()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store text;
  v_reader record;
begin
  -- Nearly always nobody asked: one look into an index.
  if not exists (
    select 1 from public.notification_preferences n where n.org_id = new.org_id and n.low_ratings
  ) then
    return null;
  end if;
  -- Limit of alerts: anonymous visitors must not fill a merchant's mailbox.
  if private.count_attempt(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_secret,
      private.proven_phone(u.id) as phone,
      -- Whoever may not see customers is led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id,
      private.role_may(m.role, 'customers.read') and private.role_may(m.role, 'reviews.read') as reads_inbox
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_mail('low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'brand', private.brand(new.org_id),
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'review', case when v_reader.reads_inbox then private.alias_of(new.id) end,
          'customer', case when not v_reader.reads_inbox then v_reader.customer_id end,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_secret))),
        now() + interval '1 day', now() + interval '2 minutes');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone,
        jsonb_build_object('store', v_store, 'rating', new.rating), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.send_reports(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_timezone text;
  v_month date;
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.next_report_at, n.unsubscribe_secret,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_report_at <= now()
    order by n.next_report_at limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The month before the report was due, however late this run comes.
    v_month := (date_trunc('month', v_due.next_report_at at time zone v_timezone) - interval '1 month')::date;
    update public.notification_preferences n set next_report_at = private.next_report(v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;
    continue when v_due.address is null or not private.has_feature(v_due.org_id, 'advanced_analytics') or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    perform private.enqueue_mail('monthly_report', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'report', private.monthly_report(v_due.org_id, v_month),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'token', v_due.unsubscribe_secret))),
      now() + interval '3 days');
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.send_summaries(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_timezone text;
  v_until date;
  v_from date;
  v_figures record;
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.summary, n.next_summary_at, n.unsubscribe_secret,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_summary_at <= now()
    order by n.next_summary_at limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The period ends with the day before the summary was due, however late this run comes.
    v_until := (v_due.next_summary_at at time zone v_timezone)::date;
    v_from := v_until - case v_due.summary when 'daily' then 1 else 7 end;
    update public.notification_preferences n
    set next_summary_at = private.next_summary(n.summary, v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;

    continue when v_due.address is null or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    into v_figures
    from private.day_figures_now(v_due.org_id, v_from, v_until) d;
    -- A day on which nothing happened is not worth a mail; a week is.
    continue when v_due.summary = 'daily'
      and v_figures.scans + v_figures.reviews + v_figures.spins + v_figures.redemptions = 0;

    perform private.enqueue_mail(v_due.summary || '_summary', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'scans', v_figures.scans::text, 'reviews', v_figures.reviews::text, 'spins', v_figures.spins::text,
        'wins', v_figures.wins::text, 'redemptions', v_figures.redemptions::text,
        'average', case when v_figures.reviews > 0 then
          replace(round(v_figures.rating_sum::numeric / v_figures.reviews, 1)::text, '.', ',') end,
        'token', v_due.unsubscribe_secret)),
      'days', jsonb_build_object(
        'from', jsonb_build_object('at', v_from::timestamp at time zone v_timezone, 'timezone', v_timezone),
        'to', jsonb_build_object('at', (v_until - 1)::timestamp at time zone v_timezone, 'timezone', v_timezone))),
      now() + interval '1 day');
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.export_organization(p_org_id uuid)
 RETURNS TABLE(name text, columns text[], query text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select c.relname::text, shown.columns,
    format('select to_json(r) as row from (select %s from %s where %I = %L order by %s) r', shown.list, c.oid::regclass,
      t.key, p_org_id, (
        select string_agg(quote_ident(a.attname), ', ' order by k.place)
        from pg_catalog.pg_constraint p, unnest(p.conkey) with ordinality k (number, place)
        join pg_catalog.pg_attribute a on a.attnum = k.number
        where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid))
  from (
    select r::oid as oid, 'org_id' as key from private.tenant_tables() r
    union all
    select 'public.organizations'::regclass::oid, 'id'
  ) t
  join pg_catalog.pg_class c on c.oid = t.oid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  cross join lateral (
    select array_agg(a.attname::text order by a.attnum) as columns,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as list
    from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      -- What only serves the platform: spread counters, words to search by, marks against abuse.
      and a.attname::text !~ '(_hash|_token|_secret|_words|_normalized|_key)$' and a.attname not in ('shard', 'nonce')
  ) shown
  order by c.relname;
$function$;

CREATE OR REPLACE FUNCTION public.unsubscribe(p_token text, p_kind text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.notification_preferences n set
    low_ratings = n.low_ratings and p_kind <> 'alert',
    summary = case when p_kind = 'summary' then 'none' else n.summary end,
    next_summary_at = case when p_kind = 'summary' then null else n.next_summary_at end,
    monthly_report = n.monthly_report and p_kind <> 'report',
    next_report_at = case when p_kind <> 'report' then n.next_report_at end
  where p_kind in ('alert', 'summary', 'report') and (
    n.unsubscribe_secret = p_token
    or n.unsubscribe_token = case
      when p_token ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_token::uuid
    end
  );
  return found;
end;
$function$;

COMMENT ON COLUMN "public"."notification_preferences"."unsubscribe_token" IS 'What mails until November 2026 carried in the place of that secret; null for members since.';

COMMENT ON FUNCTION "public"."unsubscribe"(text, text) IS 'Ends the alerts (alert), the summaries (summary) or the reports (report) of whoever has a mail with this token. False when there is nobody, or the kind is another word.';

REVOKE ALL ON FUNCTION "public"."unsubscribe"(text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."unsubscribe"(text, text) TO "service_role";

ALTER TABLE "public"."notification_preferences" ADD COLUMN "unsubscribe_secret" text NOT NULL DEFAULT encode(private.new_secret(), 'hex'::text);

ALTER TABLE "public"."notification_preferences" ADD CONSTRAINT "notification_preferences_unsubscribe_secret_key" UNIQUE (unsubscribe_secret);

COMMENT ON COLUMN "public"."notification_preferences"."unsubscribe_secret" IS 'Names this row in the link of a mail that says « no more »: 256 random bits, in hexadecimal. It opens nothing else.';
