-- Why: organisations that are ending or suspended were refused keys and logos for wrong reasons; a scan or rating of a campaign deleted meanwhile failed.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.api_key_refusal(p_key private.api_keys)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when p_key.id is null or not private.is_api_key_open(p_key) then 'api_key_refused'
    else private.api_refusal(p_key.org_id) end;
$function$;

CREATE OR REPLACE FUNCTION private.api_refusal(p_org_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case when not private.includes_api(p_org_id) then coalesce((
      select case when s.suspended_at is not null then 'organization_suspended' when s.is_ending then 'organization_ending' end
      from public.subscriptions s where s.org_id = p_org_id and private.has_feature(s.org_id, 'api_access')
    ), 'api_not_in_plan')
  end;
$function$;

CREATE OR REPLACE FUNCTION private.may_upload_logo(p_name text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  if p_name is null or p_name !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return false;
  end if;
  v_org_id := split_part(p_name, '/', 1)::uuid;
  return v_org_id in (select private.my_org_ids('organization.update'))
    and private.has_feature(v_org_id, 'white_label')
    -- Uploads are removed within seconds (by the function brand_logo, else by the job sweep_files): five at once are
    -- enough.
    and (select count(*) from storage.objects o
      where o.bucket_id = 'logo-uploads' and o.name like v_org_id || '/%') < 5;
-- A policy can only refuse; the function brand_logo, which is called next, says why.
exception when sqlstate 'TV010' or sqlstate 'TV011' or sqlstate 'TV085' or sqlstate 'TV190' or sqlstate 'TV191' then
  return false;
end;
$function$;

CREATE OR REPLACE FUNCTION private.my_api_key()
 RETURNS private.api_keys
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_id constant text := auth.jwt() ->> 'api_key_id';
  v_key private.api_keys;
  v_refusal text;
begin
  -- A token of a signed-in user never acts as an API key, even where it names one.
  if v_id is null or auth.uid() is not null then
    return null;
  end if;
  select * into v_key from private.api_keys k where k.id = v_id::uuid;
  v_refusal := private.api_key_refusal(v_key);
  if v_refusal is not null then
    perform private.refuse_api(v_refusal);
  end if;
  -- PostgreSQL itself refuses what would write from here on (25006), whichever function it stands in.
  if v_key.scope = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return v_key;
end;
$function$;

CREATE OR REPLACE FUNCTION private.refuse_api(p_refusal text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO ''
AS $function$
begin
  raise exception '%', p_refusal using errcode = case p_refusal
    when 'api_key_refused' then 'TV110' when 'api_not_in_plan' then 'TV111'
    when 'organization_suspended' then 'TV190' else 'TV191' end;
end;
$function$;

CREATE OR REPLACE FUNCTION public.api_keys(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('api.manage'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'is_included', private.api_refusal(p_org_id) is distinct from 'api_not_in_plan',
    'keys', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', k.id, 'name', k.name, 'scope', k.scope, 'prefix', k.prefix, 'created_at', k.created_at,
        'created_by', private.user_name(k.created_by), 'expires_at', k.expires_at,
        'is_expired', coalesce(k.expires_at <= now(), false), 'last_used_at', k.last_used_at,
        'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
        order by k.created_at desc, k.id)
      from private.api_keys k
      left join public.stores s on s.org_id = k.org_id and s.id = k.store_id
      where k.org_id = p_org_id and k.revoked_at is null), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.begin_brand_logo(p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    where m.user_id = p_user_id and m.org_id = p_org_id and private.role_may(m.role, 'organization.update')
  ) then
    return 'forbidden';
  elsif exists (select 1 from public.subscriptions s where s.org_id = p_org_id and s.suspended_at is not null) then
    return 'suspended';
  elsif exists (select 1 from public.subscriptions s where s.org_id = p_org_id and s.is_ending) then
    return 'ending';
  elsif exists (select 1 from public.subscriptions s where s.org_id = p_org_id and not private.is_open(s)) then
    return 'closed';
  elsif not private.has_feature(p_org_id, 'white_label') then
    return 'not_in_plan';
  -- One at a time for an organisation, two for everybody: a picture costs memory and a processor while it is read.
  elsif not pg_try_advisory_xact_lock(hashtextextended('logo of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('logo 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('logo 2', 0)))
  then
    return 'busy';
  end if;
  return 'started';
end;
$function$;

CREATE OR REPLACE FUNCTION public.billing_overview()
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_managed constant uuid[] := array(select private.my_org_ids('billing.manage'));
begin
  return (
    select jsonb_build_object(
      'org_id', s.org_id, 'may_manage', s.org_id = any (v_managed), 'plan', s.plan, 'status', s.status,
      'billing', s.billing, 'trial_end', s.trial_end, 'current_period_end', s.current_period_end,
      'cancel_at_period_end', s.cancel_at_period_end or s.cancel_at is not null, 'past_due_since', s.past_due_since, 'is_open', private.is_plan_open(s),
      'customer_id', case when s.org_id = any (v_managed) then s.stripe_customer_id end,
      'subscription_id', case when s.org_id = any (v_managed) then s.stripe_subscription_id end,
      'active_campaigns', case when s.org_id = any (v_managed) then coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.created_at desc, c.id)
        from (
          select a.id, a.name, a.created_at from public.campaigns a
          where a.org_id = s.org_id and a.active order by a.created_at desc, a.id limit 200
        ) c), '[]') else '[]' end)
    from public.organization_members m join public.subscriptions s on s.org_id = m.org_id
    where m.user_id = v_user_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_api_key(p_name text, p_scope text, p_store_id uuid DEFAULT NULL::uuid, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_key constant text := private.new_api_key();
  -- One after the other, so that the keys are counted.
  v_org_id constant uuid := private.lock_my_team('api.manage');
  v_refusal text;
  v_row private.api_keys;
begin
  perform private.require_delegation(v_org_id, p_scope);
  v_refusal := private.api_refusal(v_org_id);
  if v_refusal is not null then
    perform private.refuse_api(v_refusal);
  elsif p_expires_at <= now() then
    raise exception 'already_expired' using errcode = '23514';
  elsif p_store_id is not null and not exists (
    select 1 from public.stores s where s.org_id = v_org_id and s.id = p_store_id and s.archived_at is null
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.api_keys k where k.org_id = v_org_id and k.revoked_at is null) >= 20 then
    raise exception 'too_many_api_keys' using errcode = 'TV112';
  end if;
  insert into private.api_keys (org_id, name, scope, store_id, prefix, key_hash, created_by, expires_at)
  values (v_org_id, private.clean_line(p_name), p_scope, p_store_id, left(v_key, 13), sha256(convert_to(v_key, 'UTF8')),
    private.my_user_id(), p_expires_at)
  returning * into v_row;
  perform private.audit(v_org_id, 'api_key.created', 'api_key', v_row.id, jsonb_build_object('name', v_row.name));
  return jsonb_build_object('id', v_row.id, 'name', v_row.name, 'key', v_key);
end;
$function$;

CREATE OR REPLACE FUNCTION public.record_review(p_campaign_id uuid, p_visit_id uuid, p_first_name text, p_last_name text, p_email text, p_phone text, p_consent_marketing boolean, p_rating integer, p_source text, p_address_hash text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT review_id uuid, OUT next text, OUT google_review_url text, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_review public.pre_spin_reviews;
  v_customer_id uuid;
  v_name constant text := private.clean_line(concat_ws(' ', p_first_name, p_last_name));
begin
  -- One journey at a time: a double click waits here and finds the review of the first.
  perform pg_advisory_xact_lock(hashtextextended(p_campaign_id::text || p_visit_id::text, 1));
  select * into v_campaign from public.campaigns c where c.id = p_campaign_id;
  select * into v_review from public.pre_spin_reviews r
  where r.org_id = v_campaign.org_id and r.campaign_id = p_campaign_id and r.visit_id = p_visit_id;
  if found then
    select * into v_store from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id;
    outcome := 'repeated';
    review_id := v_review.id;
    next := private.review_next(v_review.rating, v_store.review_mode, v_store.google_review_url);
    google_review_url := v_store.google_review_url;
    return;
  end if;

  if not exists (
    select 1 from public.subscriptions s where s.org_id = v_campaign.org_id and private.is_running(v_campaign, s)
  ) then
    outcome := 'campaign_not_found';
    return;
  end if;

  retry_after := private.count_attempt(
    array['review address ' || p_address_hash || ' ' || p_campaign_id::text], '{600}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;

  -- A campaign in which nobody ever took part may be deleted at this instant.
  perform 1 from public.campaigns c where c.id = p_campaign_id for key share;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  select f.customer_id into v_customer_id
  from private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, p_first_name, p_last_name,
    v_name, p_email, p_phone, p_consent_marketing, p_locale => p_locale) f;
  -- Consent is given by ticking the box and stays until it is withdrawn; a blank box takes nothing back.
  update public.customers c
  set last_activity_at = now(), consent_marketing = c.consent_marketing or p_consent_marketing,
    locale = coalesce(p_locale, c.locale)
  where c.org_id = v_campaign.org_id and c.id = v_customer_id;

  if (
    select count(*) from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.customer_id = v_customer_id
      and r.created_at > now() - interval '1 hour'
  ) >= 20 then
    outcome := 'too_many_attempts';
    retry_after := 3600;
    return;
  end if;

  insert into public.pre_spin_reviews (
    org_id, campaign_id, store_id, customer_id, visit_id, customer_name, customer_email, customer_phone,
    rating, consent_marketing, source, locale
  ) values (
    v_campaign.org_id, v_campaign.id, v_campaign.store_id, v_customer_id, p_visit_id, v_name, p_email, p_phone,
    p_rating, p_consent_marketing, p_source, coalesce(p_locale, 'fr')
  ) returning id into review_id;
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_store.timezone)::date,
    p_reviews => 1, p_rating_sum => p_rating, p_five_star_reviews => (p_rating = 5)::integer);

  outcome := 'created';
  next := private.review_next(p_rating, v_store.review_mode, v_store.google_review_url);
  google_review_url := v_store.google_review_url;
end;
$function$;

CREATE OR REPLACE FUNCTION public.record_scan(p_slug text, p_source text, p_visitor_hash text, p_address_hash text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_timezone text;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return 'campaign_not_found';
  end if;

  -- Looked at first, so that reloading a page takes nothing from those who share an address.
  if exists (
    select 1 from private.recent_scans r
    where r.campaign_id = v_campaign.id and r.visitor_hash = p_visitor_hash
      and private.is_same_visit(r.scanned_at)
  ) then
    return 'repeated';
  end if;
  if private.count_attempt(
    array['scan address ' || p_address_hash || ' ' || v_campaign.id::text], '{600}', interval '1 hour') is not null
  then
    return 'too_many_attempts';
  end if;
  -- A campaign that nobody has seen may be deleted at this instant.
  perform 1 from public.campaigns c where c.id = v_campaign.id for key share;
  if not found then
    return 'campaign_not_found';
  end if;
  insert into private.recent_scans as r (campaign_id, visitor_hash, scanned_at)
  values (v_campaign.id, p_visitor_hash, now())
  on conflict (campaign_id, visitor_hash) do update set scanned_at = excluded.scanned_at
    where not private.is_same_visit(r.scanned_at);
  if not found then
    return 'repeated';
  end if;
  if random() < 0.01 then
    delete from private.recent_scans r
    where r.ctid = any (array(
      select o.ctid from private.recent_scans o where not private.is_same_visit(o.scanned_at)
      limit 500 for update skip locked
    ));
  end if;

  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  insert into public.scan_events (org_id, campaign_id, store_id, source)
  values (v_campaign.org_id, v_campaign.id, v_campaign.store_id, p_source);
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_timezone)::date, p_scans => 1);
  return 'counted';
end;
$function$;

CREATE OR REPLACE FUNCTION public.timezone_change(p_store_id uuid, p_timezone text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.read'));
  v_store public.stores;
  v_may_read boolean;
begin
  select * into v_store from public.stores s where s.id = p_store_id and s.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  if p_timezone is null or not private.is_timezone(p_timezone) then
    raise exception 'unknown_timezone' using errcode = '23514', constraint = 'stores_timezone_check';
  end if;
  v_may_read := v_store.org_id = any (array(select private.my_org_ids('campaigns.read')));
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'name', case when v_may_read then effects.name end, 'effect', effects.effect) order by effects.name, effects.id), '[]')
    from (
      select c.id, c.name, case
        when private.is_in_time(c) and not private.is_in_time(moved) then 'stops'
        when not private.is_in_time(c) and private.is_in_time(moved) then 'starts'
        else 'moves' end as effect
      from public.campaigns c
      cross join lateral jsonb_populate_record(c, jsonb_build_object(
        'starts_at', private.same_clock_time(c.starts_at, v_store.timezone, p_timezone),
        'ends_at', private.same_clock_time(c.ends_at, v_store.timezone, p_timezone))) moved
      where c.org_id = v_store.org_id and c.store_id = p_store_id and c.active
        and coalesce(c.starts_at, c.ends_at) is not null
        and (c.starts_at is distinct from moved.starts_at or c.ends_at is distinct from moved.ends_at)
        -- One that is over, and stays so, is of no interest.
        and (c.ends_at is null or greatest(c.ends_at, moved.ends_at) > now())
        and (c.ends_at is not null or greatest(c.starts_at, moved.starts_at) > now())
    ) effects);
end;
$function$;

COMMENT ON FUNCTION "private"."api_refusal"(uuid) IS 'Reason why an organisation has no use of the API: api_not_in_plan (or it is over), organization_suspended, organization_ending; null where it has.';

COMMENT ON FUNCTION "private"."refuse_api"(text) IS 'Raises a reason of private.api_key_refusal: errors TV110, TV111, TV190 and TV191.';

COMMENT ON FUNCTION "public"."api_keys"(uuid) IS 'Keys of an organisation that were not taken back, newest first, without what opens anything. is_included: its plan includes the API and is not over; the shape is apiKeys of _shared/domain. Error 42501 without the permission api.manage there.';

COMMENT ON FUNCTION "public"."begin_brand_logo"(uuid, uuid, text, uuid) IS 'Whether a user whose token names a session and an assurance level may change an organisation''s logo now; the place is held until the transaction ends. Answers started, or why not: session_ended, second_factor_required, forbidden, suspended, ending (it waits to be erased), closed (the plan is no longer in force), not_in_plan, busy (other pictures are being read).';

COMMENT ON FUNCTION "public"."create_api_key"(text, text, uuid, timestamp with time zone) IS 'Makes a key for the API of the signed-in user''s organisation and answers it, this once: scope read or redeem, the latter at one store or at all, with or without an end. The shape is newApiKey of _shared/domain. Errors: 42501 without the permission api.manage or what the key would open, or for a store that is not in use there; TV111 the plan does not include the API or is over; TV190 the organisation is suspended, TV191 it waits to be erased; TV112 there are 20 keys; 23514 or 23502 no name, scope or future.';

REVOKE ALL ON FUNCTION "private"."api_refusal"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_api"(text) FROM PUBLIC;
