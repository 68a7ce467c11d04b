-- A copy of a campaign was without its limits, hours and proof of presence: whoever was kept out of one played the other.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.copy_checks(p_org_id uuid, p_source_id uuid, p_campaign_id uuid)
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  insert into private.check_settings (org_id, campaign_id, device_daily_limit, device_names, network_names, marks_disposable,
    quiet_from, quiet_to, presence)
  select s.org_id, p_campaign_id, s.device_daily_limit, s.device_names, s.network_names, s.marks_disposable,
    s.quiet_from, s.quiet_to, s.presence
  from private.check_settings s where s.org_id = p_org_id and s.campaign_id = p_source_id;
$function$;

CREATE OR REPLACE FUNCTION public.duplicate_campaign(p_id uuid, p_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_asked constant text := private.clean_line(p_name);
  v_name text := btrim(left(v_asked, 120));
  v_base constant text := coalesce(nullif(left(private.slugify(v_asked), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
begin
  -- Two copies made at once take turns, so that each finds a name.
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and c.org_id = any (array(select private.my_org_ids('rewards.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if coalesce(v_name, '') = '' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  while exists (
    select 1 from public.campaigns c
    where c.org_id = v_source.org_id and (lower(btrim(c.name)) = lower(v_name) or c.slug = v_slug)
  )
  loop
    v_number := v_number + 1;
    v_name := btrim(left(v_asked, 110)) || ' (' || v_number || ')';
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;

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

CREATE OR REPLACE FUNCTION public.start_campaign(p_id uuid, p_store_id uuid, p_name text, p_slug text, p_active boolean, p_segments jsonb, p_source_id uuid DEFAULT NULL::uuid, p_stock integer DEFAULT NULL::integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_is_shared boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_sent constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_base constant text := coalesce(nullif(left(private.slugify(private.clean_line(coalesce(p_slug, p_name))), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
  v_interval smallint := 1;
  v_org_id uuid;
  v_segments jsonb;
  v_constraint text;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and s.org_id = any (array(select private.my_org_ids('rewards.write')));
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

  while exists (select 1 from public.campaigns c where c.org_id = v_org_id and c.slug = v_slug) loop
    v_number := v_number + 1;
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;
  insert into public.campaigns
    (id, org_id, store_id, name, slug, active, description, starts_at, ends_at, play_interval_days)
  values (p_id, v_org_id, p_store_id, p_name, v_slug, p_active, nullif(private.clean_text(p_description), ''), p_starts_at,
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

COMMENT ON FUNCTION "private"."copy_checks"(uuid, uuid, uuid) IS 'Gives a new campaign the checks of another one, with a secret of its own for the proof of presence.';

COMMENT ON FUNCTION "public"."duplicate_campaign"(uuid, text) IS 'Copies a campaign with its wheel, its rewards (with the stock that is left) and its checks. The name gets a number where it is taken, the slug is its own: inactive, without history, without dates that are over. Answers id and name. Errors: 42501 when it is not a campaign that one may copy, 22023 when the name has nothing that can be seen.';

REVOKE ALL ON FUNCTION "private"."copy_checks"(uuid, uuid, uuid) FROM PUBLIC;
