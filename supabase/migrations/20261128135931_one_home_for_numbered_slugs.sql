-- Why: a slug was numbered in three ways, one number after the other, beside the search that jumps: the thousandth campaign of a name looked a thousand times, and two copies to one name at once failed.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.assign_campaign_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- The organisation's own slug again is an error of the caller (23505), which no number may hide.
  new.slug := private.free_campaign_slug(
    trim(trailing '-' from coalesce(nullif(new.slug, ''), private.campaign_slug_of(new.name))), new.id, new.org_id);
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.campaign_slug_of(p_name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select trim(trailing '-' from coalesce(nullif(left(private.slugify(p_name), 70), ''), 'campagne'));
$function$;

CREATE OR REPLACE FUNCTION private.decide_codes(p_codes public.redemptions[], p_action text, p_user_id uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_codes public.redemptions[];
  v_ids uuid[];
  v_org_id uuid;
begin
  v_codes := array(
    select d from unnest(p_codes) d
    where case p_action
      when 'hold' then d.verdict is null and private.code_state(d) = 'available'
      -- A code that expired without being held back is not cancelled: nothing would change for its winner or for the stock.
      when 'cancel' then d.status <> 'used' and d.verdict is distinct from 'cancelled'
        and (d.verdict is not null or private.code_state(d) <> 'expired')
      else d.verdict is not null end
    order by d.reward_id, d.id);
  if p_action <> 'hold' then
    -- After the codes, and in one order as well: a reward's stock changes once, however many codes it has here.
    perform 1 from public.rewards r
    where (r.org_id, r.id) in (select d.org_id, d.reward_id from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled')
    order by r.id for no key update;
  end if;
  if p_action = 'release' then
    -- Stock that was given back may have been won since: then the prize stays cancelled.
    v_codes := array(
      select o.code
      from (
        select d as code, d.verdict, d.org_id, d.reward_id, d.id,
          row_number() over (partition by d.reward_id, d.verdict order by d.id) as turn
        from unnest(v_codes) d
      ) o
      where o.verdict = 'held' or exists (
        select 1 from public.rewards r
        where r.org_id = o.org_id and r.id = o.reward_id and (r.stock < 0 or o.turn <= r.stock))
      order by o.reward_id, o.id);
  end if;
  if cardinality(v_codes) = 0 then
    return 0;
  end if;
  v_org_id := (v_codes[1]).org_id;
  v_ids := array(select d.id from unnest(v_codes) d order by d.reward_id, d.id);
  if p_action <> 'hold' then
    update public.rewards r set stock = r.stock + n.given
    from (
      select d.org_id, d.reward_id, case p_action when 'cancel' then count(*) else -count(*) end::integer as given
      from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled' group by 1, 2
    ) n
    where r.org_id = n.org_id and r.id = n.reward_id and r.stock >= 0;
    perform private.drop_verdict_mails(v_org_id, v_ids);
  end if;
  if p_action = 'release' then
    -- Valid for as many days longer as it could not be used.
    update public.redemptions d set status = 'available', verdict = null, expires_at = e.expires_at
    from (
      select c.id, private.day_end((c.expires_at at time zone s.timezone)::date + (
        private.now_in(s.timezone)::date - (coalesce(v.decided_at, now()) at time zone s.timezone)::date), s.timezone) as expires_at
      from unnest(v_codes) c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      left join private.code_verdicts v on v.org_id = c.org_id and v.redemption_id = c.id
    ) e
    where d.org_id = v_org_id and d.id = e.id;
    perform private.notify_winners(v_org_id, array(
      select c.id from unnest(v_ids) with ordinality c (id, place)
      join private.code_verdicts v on v.org_id = v_org_id and v.redemption_id = c.id
      where v.is_notified order by c.place
    ), 'prize_released');
    delete from private.code_verdicts v using unnest(v_ids) c (id) where v.org_id = v_org_id and v.redemption_id = c.id;
  else
    update public.redemptions d
    set status = case p_action when 'cancel' then 'expired' else d.status end,
      verdict = case p_action when 'cancel' then 'cancelled' else 'held' end
    from unnest(v_ids) c (id) where d.org_id = v_org_id and d.id = c.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    select v_org_id, c.id, c.mail_id
    from unnest(v_ids, private.notify_winners(v_org_id, v_ids, case p_action when 'cancel' then 'prize_cancelled' else 'prize_held' end))
      c (id, mail_id)
    -- Held before: since then it cannot be used.
    on conflict (org_id, redemption_id) do update set mail_id = excluded.mail_id;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  select v_org_id, c.id, case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id
  from unnest(v_ids) with ordinality c (id, place) order by c.place;
  return cardinality(v_codes);
end;
$function$;

CREATE OR REPLACE FUNCTION private.free_campaign_slug(p_wanted text, p_campaign_id uuid, p_org_id uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Merchants who choose the same slug at the same instant wait for each other here, with or without a number.
  perform pg_advisory_xact_lock(hashtextextended(
    'campaign slug ' || left(regexp_replace(p_wanted, '(-[0-9]+)+$', ''), 70), 0));
  if private.is_campaign_slug_free(p_wanted, p_campaign_id, p_org_id) then
    return p_wanted;
  end if;
  return private.numbered_slug(p_wanted, private.free_number('saved campaign', p_wanted, 1, p_campaign_id));
end;
$function$;

CREATE OR REPLACE FUNCTION private.free_number(p_kind text, p_text text, p_number integer, p_owner_id uuid, p_org_id uuid DEFAULT NULL::uuid)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_taken integer := p_number;
  v_free integer;
  v_step integer := 1;
  v_middle integer;
begin
  -- Ten numbers one by one, then steps that double: a name that thousands have takes some thirty looks.
  loop
    v_free := v_taken + v_step;
    exit when private.is_number_free(p_kind, p_text, v_free, p_owner_id, p_org_id);
    v_taken := v_free;
    if v_taken >= p_number + 10 then
      v_step := v_step * 2;
    end if;
    if v_step > 1000000 then
      return null;
    end if;
  end loop;
  while v_free - v_taken > 1 loop
    v_middle := (v_taken + v_free) / 2;
    if private.is_number_free(p_kind, p_text, v_middle, p_owner_id, p_org_id) then
      v_free := v_middle;
    else
      v_taken := v_middle;
    end if;
  end loop;
  return v_free;
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_campaign_slug_free(p_slug text, p_campaign_id uuid, p_org_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return not exists (
    select 1 from public.campaigns c
    where c.slug = p_slug and c.id is distinct from p_campaign_id and c.org_id is distinct from p_org_id
  ) and not exists (
    select 1 from public.campaign_slug_redirects r where r.slug = p_slug and r.campaign_id is distinct from p_campaign_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_number_free(p_kind text, p_text text, p_number integer, p_owner_id uuid, p_org_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return case p_kind
    when 'campaign name' then not exists (
      select 1 from public.campaigns c
      where c.org_id = p_org_id and lower(btrim(c.name)) = lower(private.numbered_name(p_text, p_number)))
    when 'saved campaign' then
      private.is_campaign_slug_free(private.numbered_slug(p_text, p_number), p_owner_id)
    else public.is_slug_free(p_kind, private.numbered_slug(p_text, p_number), p_owner_id)
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.numbered_name(p_name text, p_number integer)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  select btrim(left(p_name, 110)) || ' (' || p_number || ')';
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
  v_slug text;
begin
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

CREATE OR REPLACE FUNCTION public.free_slug(p_kind text, p_slug text, p_owner_id uuid DEFAULT NULL::uuid)
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_parts constant text[] := regexp_match(p_slug, '^(.+?)(?:-([0-9]{1,3}))?$');
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if not private.is_slug(p_slug) then
    return null;
  end if;
  if public.is_slug_free(p_kind, p_slug, p_owner_id) then
    return p_slug;
  end if;
  return private.numbered_slug(v_parts[1],
    private.free_number(p_kind, v_parts[1], coalesce(v_parts[2]::integer, 1), p_owner_id));
end;
$function$;

CREATE OR REPLACE FUNCTION public.is_slug_free(p_kind text, p_slug text, p_owner_id uuid DEFAULT NULL::uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (select private.my_user_id()) is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return case p_kind
    when 'organization' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.organizations o
        where o.slug = p_slug and o.id <> all (array(select private.my_org_ids()))
      ) and not exists (
        select 1 from public.organization_slug_redirects r
        where r.slug = p_slug and r.org_id <> all (array(select private.my_org_ids()))
      )
    when 'store' then
      private.is_slug(p_slug) and not exists (
        select 1 from public.stores s
        where s.org_id = any (array(select private.my_org_ids('stores.read'))) and s.slug = p_slug
          and s.id is distinct from p_owner_id
      )
    when 'campaign' then
      private.is_slug(p_slug) and private.is_campaign_slug_free(p_slug, p_owner_id)
  end;
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

COMMENT ON FUNCTION "private"."assign_campaign_slug"() IS 'Makes a missing slug from the name and numbers one that another merchant has, now or formerly.';

COMMENT ON FUNCTION "private"."campaign_slug_of"(text) IS 'Slug that a campaign''s name makes, taken or not: 70 signs at most, so that a number fits behind it.';

COMMENT ON FUNCTION "private"."free_campaign_slug"(text, uuid, uuid) IS 'The slug itself where a campaign can have it (is_campaign_slug_free), else with a number with which nobody has it: it stays free for this transaction alone until its end.';

COMMENT ON FUNCTION "private"."free_number"(text, text, integer, uuid, uuid) IS 'A number that is free behind a text (is_number_free), counted on from one that is taken: of the next ten the first, and further on one whose predecessor is taken. Null when a million numbers are taken.';

COMMENT ON FUNCTION "private"."is_campaign_slug_free"(text, uuid, uuid) IS 'Whether no other campaign has a slug, now or formerly. With p_org_id, a slug that a campaign of that organisation has now is free.';

COMMENT ON FUNCTION "private"."is_number_free"(text, text, integer, uuid, uuid) IS 'Whether a text is free with a number behind it: the name of a campaign within its organisation (kind "campaign name"), the slug of a campaign that is being saved ("saved campaign", as is_campaign_slug_free), else a slug as is_slug_free.';

COMMENT ON FUNCTION "private"."numbered_name"(text, integer) IS 'A name with a number behind it, shortened to the 120 signs that a campaign''s name may have.';

REVOKE ALL ON FUNCTION "private"."campaign_slug_of"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."free_campaign_slug"(text, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."free_number"(text, text, integer, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_campaign_slug_free"(text, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_number_free"(text, text, integer, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."numbered_name"(text, integer) FROM PUBLIC;
