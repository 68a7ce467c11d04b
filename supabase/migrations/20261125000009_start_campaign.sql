-- Why: a merchant who begins gets a campaign with its prizes and its wheel at once, or none of it.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.start_campaign(p_id uuid, p_store_id uuid, p_name text, p_slug text, p_active boolean, p_segments jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_sent constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_base constant text := coalesce(nullif(left(private.slugify(coalesce(p_slug, p_name)), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
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

  if jsonb_typeof(v_sent) is distinct from 'array' then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select jsonb_agg(s.one || jsonb_build_object('id', null,
    'reward_id', case when jsonb_typeof(s.one -> 'prize') = 'object' then gen_random_uuid() end) order by s.n)
  into v_segments
  from jsonb_array_elements(v_sent) with ordinality as s (one, n);
  if not exists (
    select 1 from private.read_segments(v_segments) s where s.reward_id is not null and s.weight > 0
  ) then
    raise exception 'wheel_without_prize' using errcode = 'TV068';
  end if;

  while exists (select 1 from public.campaigns c where c.org_id = v_org_id and c.slug = v_slug) loop
    v_number := v_number + 1;
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;
  insert into public.campaigns (id, org_id, store_id, name, slug, active)
  values (p_id, v_org_id, p_store_id, btrim(p_name), v_slug, p_active);
  insert into public.rewards (id, org_id, campaign_id, name, type, value, created_at)
  select (s.one ->> 'reward_id')::uuid, v_org_id, p_id, btrim(s.one ->> 'label'), s.one #>> '{prize,type}',
    (s.one #>> '{prize,cost_cents}')::integer / 100::numeric,
    -- They keep the order that they have on the wheel.
    now() + s.n * interval '1 microsecond'
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

COMMENT ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb) IS 'Makes a campaign with its prizes and its wheel: all of it or nothing. p_segments is a list of {label, color, weight, prize}, where prize is null for a segment that loses, else {type, cost_cents (null: not entered)}; each prize becomes a reward named like its segment. p_id is chosen by the caller: a second call with it changes nothing. The slug is made from p_slug, else from the name, with a number where it is taken. Answers id. Errors: 42501 not a store where one may do that, TV068 nothing can be won, TV063 and TV064 of the wheel, TV060 active in a store that is put away, TV001 beyond the plan''s active campaigns, 23505 the organisation has a campaign of that name, 23514 or 23502 something is not well formed.';

REVOKE ALL ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb) TO "authenticated";
