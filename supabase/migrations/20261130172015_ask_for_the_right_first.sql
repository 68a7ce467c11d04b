-- Why: twelve functions looked for a campaign, store or reward first, so a refused session or key learned which identifiers exist.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.duplicate_campaign(p_id uuid, p_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(
    select private.my_org_ids('campaigns.write') intersect select private.my_org_ids('rewards.write'));
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_asked constant text := private.clean_line(p_name);
  v_name text := btrim(left(v_asked, 120));
  v_slug text;
begin
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if coalesce(v_name, '') = '' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  -- Two copies of one name made at once take turns here, so that each finds a name of its own.
  v_slug := private.free_campaign_slug(private.campaign_slug_of(v_asked), null);
  if exists (
    select 1 from public.campaigns c where c.org_id = v_source.org_id and lower(btrim(c.name)) = lower(v_name)
  ) then
    v_name := private.numbered_name(v_asked,
      private.free_number('campaign name', v_asked, 1, null, v_source.org_id));
  end if;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  perform private.copy_prizes(v_source.org_id, p_id, v_copy.id, null);
  perform private.copy_checks(v_source.org_id, p_id, v_copy.id);
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
end;
$function$;

CREATE OR REPLACE FUNCTION public.note_poster(p_campaign_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
begin
  perform 1 from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  update public.campaigns c set poster_at = now() where c.id = p_campaign_id and c.poster_at is null;
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_campaign(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.delete'));
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun, and none begins anything afterwards.
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  -- The lock waits for all who take part right now: in a campaign that has customers it might never come.
  if not private.has_campaign_history(v_org_id, p_id) then
    perform private.lock_campaign_to_remove(v_org_id, p_id);
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  -- Shared rewards move to another campaign that uses them.
  update public.rewards r set campaign_id = (
    select min(s.campaign_id::text)::uuid from public.wheel_segments s where s.org_id = v_org_id and s.reward_id = r.id)
  where r.org_id = v_org_id and r.campaign_id = p_id and private.is_shared(r);
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_public_rating(p_store_id uuid, p_day date)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.write'));
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids)
  for key share;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  delete from public.public_ratings r where r.org_id = v_store.org_id and r.store_id = p_store_id and r.day = p_day;
  if found then
    perform private.audit(v_store.org_id, 'store.rating_removed', 'store', p_store_id,
      jsonb_build_object('name', v_store.name));
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_reward(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('rewards.delete'));
  v_org_id uuid;
  v_dependencies record;
begin
  select r.org_id into v_org_id from public.rewards r
  where r.id = p_id and r.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is winning it: a draw that has begun ends, and none begins with it afterwards.
    update public.rewards r set archived_at = now() where r.id = p_id and r.archived_at is null;
    return;
  end if;
  v_dependencies := private.reward_dependencies(v_org_id, p_id);
  -- The lock waits for all who win it right now: of a reward in demand it might never come.
  if not v_dependencies.wins and v_dependencies.segments = 0 then
    perform 1 from public.rewards r where r.id = p_id for update;
    v_dependencies := private.reward_dependencies(v_org_id, p_id);
  end if;
  if v_dependencies.wins or v_dependencies.segments > 0 then
    raise exception 'reward_has_history' using errcode = 'TV040';
  end if;
  delete from public.rewards r where r.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'reward_has_history' using errcode = 'TV040';
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_store(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.delete'));
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun.
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  -- The lock waits for all who take part right now: in a store that has customers it might never come.
  if not private.has_store_history(v_org_id, p_id) then
    perform 1 from public.stores s where s.id = p_id for update;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- Revoked keys open nothing, whichever till they name.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  delete from public.stores s where s.id = p_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.restore_campaign(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
begin
  update public.campaigns c set archived_at = null
  where c.id = p_id and c.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_campaign(p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean, p_play_interval_days integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_segments jsonb DEFAULT NULL::jsonb, p_translations jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_translations constant jsonb :=
    case jsonb_typeof(p_translations) when 'string' then (p_translations #>> '{}')::jsonb else p_translations end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- A save at the same instant waits here, and then finds another version.
  perform private.lock_sharing_campaigns(c.org_id, p_id, array(
    select s.reward_id from private.read_segments(case when jsonb_typeof(v_segments) = 'array' then v_segments end) s
    where s.reward_id is not null))
  from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids);
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_campaign.version is distinct from p_version then
    raise exception 'campaign_conflict' using errcode = 'TV062', detail = v_campaign.version::text;
  end if;
  if v_campaign.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  update public.campaigns c
  set name = p_name, slug = p_slug, store_id = p_store_id, description = nullif(private.clean_text(p_description), ''),
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days,
    translations = coalesce(nullif(v_translations, 'null'), c.translations)
  where c.id = p_id;
  if v_segments is not null and jsonb_typeof(v_segments) <> 'null' then
    perform private.redraw_wheel(v_campaign.org_id, p_id, v_segments);
  end if;
  return (
    select jsonb_build_object('version', c.version, 'slug', c.slug) from public.campaigns c where c.id = p_id
  );
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_slug_key' then
      raise exception 'campaign_slug_taken' using errcode = 'TV066';
    end if;
    raise;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_check_settings(p_campaign_id uuid, p_device_names integer, p_network_names integer, p_marks_disposable boolean, p_device_daily_limit integer DEFAULT NULL::integer, p_quiet_from time without time zone DEFAULT NULL::time without time zone, p_quiet_to time without time zone DEFAULT NULL::time without time zone, p_presence text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
  v_campaign public.campaigns;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- The rules of the game say how presence is shown, and two who save take turns.
  update public.campaigns c set rules_stale = true
  where c.org_id = v_campaign.org_id and c.id = p_campaign_id
    and (private.check_settings_of(c.org_id, c.id)).presence is distinct from p_presence;
  insert into private.check_settings as s (
    org_id, campaign_id, device_daily_limit, device_names, network_names, marks_disposable, quiet_from, quiet_to, presence
  ) values (
    v_campaign.org_id, p_campaign_id, p_device_daily_limit, p_device_names, p_network_names, p_marks_disposable,
    p_quiet_from, p_quiet_to, p_presence
  )
  on conflict (org_id, campaign_id) do update set
    device_daily_limit = excluded.device_daily_limit, device_names = excluded.device_names,
    network_names = excluded.network_names, marks_disposable = excluded.marks_disposable,
    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, presence = excluded.presence;
  perform private.audit(v_campaign.org_id, 'check.updated', 'campaign', p_campaign_id,
    jsonb_build_object('name', v_campaign.name));
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_average_basket(p_store_id uuid, p_before numeric DEFAULT NULL::numeric, p_basket numeric DEFAULT NULL::numeric)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.write'));
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  -- Saved already: a request whose answer was lost comes again.
  elsif v_store.average_basket is not distinct from p_basket then
    return;
  elsif v_store.average_basket is distinct from p_before then
    raise exception 'average_basket_changed' using errcode = 'TV070', detail = coalesce(v_store.average_basket::text, '');
  end if;
  update public.stores s set average_basket = trim_scale(p_basket)
  where s.org_id = v_store.org_id and s.id = p_store_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_public_rating(p_store_id uuid, p_rating numeric, p_reviews integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.write'));
  v_store public.stores;
begin
  select * into v_store from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids)
  for key share;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.public_ratings as r (org_id, store_id, day, rating, reviews)
  values (v_store.org_id, p_store_id, private.now_in(v_store.timezone)::date, trim_scale(p_rating), p_reviews)
  on conflict (org_id, store_id, day) do update
    set rating = excluded.rating, reviews = excluded.reviews, typed_at = excluded.typed_at
    where (r.rating, r.reviews) is distinct from (excluded.rating, excluded.reviews);
  -- A request whose answer was lost comes again, and changes nothing.
  if found then
    perform private.audit(v_store.org_id, 'store.rated', 'store', p_store_id, jsonb_build_object('name', v_store.name));
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION public.start_campaign(p_id uuid, p_store_id uuid, p_name text, p_slug text, p_active boolean, p_segments jsonb, p_source_id uuid DEFAULT NULL::uuid, p_stock integer DEFAULT NULL::integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_is_shared boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(
    select private.my_org_ids('campaigns.write') intersect select private.my_org_ids('rewards.write'));
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_sent constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_interval smallint := 1;
  v_org_id uuid;
  v_segments jsonb;
  v_constraint text;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_store_id and s.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- A second try of the same start waits here for the first, and finds what it made.
  perform pg_advisory_xact_lock(hashtextextended('start campaign ' || v_org_id, 0));
  if exists (select 1 from public.campaigns c where c.id = p_id and c.org_id = v_org_id) then
    return jsonb_build_object('id', p_id);
  end if;

  if p_source_id is not null then
    select c.play_interval_days into v_interval from public.campaigns c
    where c.id = p_source_id and c.org_id = v_org_id;
    if not found then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    if p_is_shared then
      -- Before the plan is locked: whoever saves a campaign locks it first, then the plan.
      perform private.lock_sharing_campaigns(v_org_id, p_source_id, array(
        select r.id from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_source_id));
    end if;
  elsif jsonb_typeof(v_sent) is distinct from 'array' then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select jsonb_agg(s.one || jsonb_build_object('id', null,
    'reward_id', case when jsonb_typeof(s.one -> 'prize') = 'object' then gen_random_uuid() end) order by s.n)
  into v_segments
  from jsonb_array_elements(case when p_source_id is null then v_sent end) with ordinality as s (one, n);
  if p_source_id is null and not exists (
    select 1 from private.read_segments(v_segments) s where s.reward_id is not null and s.weight > 0
  ) then
    raise exception 'wheel_without_prize' using errcode = 'TV068';
  end if;

  insert into public.campaigns
    (id, org_id, store_id, name, slug, active, description, starts_at, ends_at, play_interval_days)
  values (p_id, v_org_id, p_store_id, p_name,
    private.free_campaign_slug(private.campaign_slug_of(private.clean_line(coalesce(p_slug, p_name))), p_id), p_active, nullif(private.clean_text(p_description), ''), p_starts_at,
    p_ends_at, v_interval);
  if p_source_id is not null then
    perform private.copy_checks(v_org_id, p_source_id, p_id);
    if p_is_shared then
      perform private.share_prizes(v_org_id, p_source_id, p_id);
    else
      perform private.copy_prizes(v_org_id, p_source_id, p_id, p_stock);
    end if;
    return jsonb_build_object('id', p_id);
  end if;
  insert into public.rewards (id, org_id, campaign_id, name, type, value, created_at, picture, translations)
  select (s.one ->> 'reward_id')::uuid, v_org_id, p_id, btrim(s.one ->> 'label'), s.one #>> '{prize,type}',
    (s.one #>> '{prize,cost_cents}')::integer / 100::numeric,
    -- They keep the order that they have on the wheel.
    now() + s.n * interval '1 microsecond', s.one #>> '{prize,picture}', coalesce(s.one #> '{prize,translations}', '{}')
  from jsonb_array_elements(v_segments) with ordinality as s (one, n)
  where s.one ->> 'reward_id' is not null;
  perform private.redraw_wheel(v_org_id, p_id, v_segments);
  return jsonb_build_object('id', p_id);
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_pkey' then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    raise;
end;
$function$;
