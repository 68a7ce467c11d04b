-- Why: customers who read another language read a campaign's name in it, where its merchant has translated it.

set check_function_bodies = off;

DROP TRIGGER "audit_campaign_change" ON "public"."campaigns";

DROP TRIGGER "bump_campaign_version" ON "public"."campaigns";

DROP FUNCTION "public"."save_campaign"(uuid, integer, text, text, uuid, boolean, integer, text, timestamp with time zone, timestamp with time zone, jsonb);

-- A column with a default is refused while a function with a parsed body takes the table's rows (PostgreSQL 15.20): it is made again below.
DROP FUNCTION "private"."is_in_time"(public.campaigns);

ALTER TABLE "public"."campaigns" ADD COLUMN "translations" jsonb NOT NULL DEFAULT '{}'::jsonb;

CREATE FUNCTION private.is_in_time(c public.campaigns)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN ((c).active AND (((c).starts_at IS NULL) OR ((c).starts_at <= now())) AND (((c).ends_at IS NULL) OR ((c).ends_at > now())));

COMMENT ON FUNCTION "private"."is_in_time"(public.campaigns) IS 'Whether a campaign is active and within its dates. Planned as part of the query that calls it.';

REVOKE ALL ON FUNCTION "private"."is_in_time"(public.campaigns) FROM PUBLIC;

CREATE OR REPLACE FUNCTION private.campaign_words(p_org_id uuid, p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('text', w.text, 'translations', w.translations) order by w.text), '[]'::jsonb)
  from (
    -- A text is said in one way wherever it stands: as the newest reward of that name says it.
    select distinct on (t.text) t.text, t.translations
    from (
      select r.name as text, r.translations, 1 as rank, r.created_at
      from public.rewards r
      where r.org_id = p_org_id and r.translations <> '{}' and (r.campaign_id = p_campaign_id or r.id in (
        select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))
      union all
      select s.label, s.translations, 2, null
      from public.wheel_segments s
      where s.org_id = p_org_id and s.campaign_id = p_campaign_id and s.translations <> '{}'
        -- Left from another text: a reward's name is translated with the reward.
        and not exists (
          select 1 from public.rewards r where r.org_id = s.org_id and r.id = s.reward_id and r.name = s.label)
      union all
      select d.label, d.translations, 3, null
      from private.default_segments d
      where d.purpose = 'losing'
        or not exists (select 1 from public.wheel_segments s where s.campaign_id = p_campaign_id)
      union all
      select c.name, c.translations, 4, null
      from public.campaigns c where c.id = p_campaign_id and c.org_id = p_org_id and c.translations <> '{}'
    ) t
    order by t.text, t.rank, t.created_at desc
  ) w;
$function$;

CREATE OR REPLACE FUNCTION private.open_wheels(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'slug', c.slug, 'name', c.name, 'store_name', s.name, 'timezone', s.timezone, 'ends_at', c.ends_at,
    'translations', c.translations
  ) order by c.created_at desc, c.id), '[]'::jsonb)
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  where c.org_id = p_org_id and c.active and private.is_running(c, u);
$function$;

CREATE OR REPLACE FUNCTION public.campaign_editor(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
  v_library uuid[];
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.read')))
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    and exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = c.org_id
        and private.role_may(m.role, 'campaigns.write'));
  if not found then
    return null;
  end if;
  v_wheel := private.wheel(v_campaign.org_id, p_id, null);
  v_is_drawn := exists (select 1 from public.wheel_segments s where s.campaign_id = p_id);
  if v_campaign.org_id = any (array(select private.my_org_ids('rewards.read'))) then
    v_library := array(
      select r.id from public.rewards r
      where r.org_id = v_campaign.org_id and r.campaign_id <> p_id and r.active and r.archived_at is null
      order by r.created_at desc, r.id limit 200);
  end if;
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at,
      'translations', v_campaign.translations),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight,
        'translations', coalesce(s.translations, d.translations, '{}')) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
      left join public.wheel_segments s on s.campaign_id = p_id and s.id = w.id
      -- The losing segment of a wheel that is only suggested.
      left join private.default_segments d
        on d.purpose = 'losing' and not v_is_drawn and w.reward_id is null and d.label = w.label
    ),
    'rewards', coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'active', r.active, 'stock', r.stock,
        'is_archived', r.archived_at is not null, 'value', r.value, 'picture', r.picture, 'home', r.home)
        order by r.home nulls first, r.created_at, r.id)
      from (
        select w.*, case when w.campaign_id <> p_id then c.name end as home
        from (
          select o.id from public.rewards o
          where o.org_id = v_campaign.org_id and o.campaign_id = p_id and o.archived_at is null
          union
          select s.reward_id from public.wheel_segments s where s.campaign_id = p_id
          union
          select l from unnest(v_library) l
        ) i
        -- One by one: a condition that has all three would compare each reward with the whole library.
        cross join lateral (
          select * from public.rewards r where r.org_id = v_campaign.org_id and r.id = i.id offset 0
        ) w
        join public.campaigns c on c.org_id = v_campaign.org_id and c.id = w.campaign_id
      ) r
    ), '[]'::jsonb),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_campaign(p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean, p_play_interval_days integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_segments jsonb DEFAULT NULL::jsonb, p_translations jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_translations constant jsonb :=
    case jsonb_typeof(p_translations) when 'string' then (p_translations #>> '{}')::jsonb else p_translations end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- Whoever saves at the same instant waits here, and then finds another version.
  perform private.lock_sharing_campaigns(c.org_id, p_id, array(
    select s.reward_id from private.read_segments(case when jsonb_typeof(v_segments) = 'array' then v_segments end) s
    where s.reward_id is not null))
  from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
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
  set name = btrim(p_name), slug = p_slug, store_id = p_store_id, description = nullif(btrim(p_description), ''),
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

CREATE TRIGGER audit_campaign_change AFTER INSERT OR DELETE OR UPDATE OF name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at, translations ON public.campaigns FOR EACH ROW EXECUTE FUNCTION private.audit_change('campaign', 'name', 'slug', 'description', 'store_id', 'active', 'starts_at', 'ends_at', 'play_interval_days', 'archived_at', 'translations');

create trigger bump_campaign_version
  before update of name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at,
    translations
  on public.campaigns
  for each row
  when ((old.name, old.slug, old.description, old.store_id, old.active, old.starts_at, old.ends_at,
      old.play_interval_days, old.archived_at, old.translations)
    is distinct from (new.name, new.slug, new.description, new.store_id, new.active, new.starts_at, new.ends_at,
      new.play_interval_days, new.archived_at, new.translations))
  execute function private.bump_campaign_version();

COMMENT ON COLUMN "public"."campaigns"."translations" IS 'Its name in the other languages of the phone pages.';

COMMENT ON FUNCTION "private"."campaign_words"(uuid, uuid) IS 'What is translated of a campaign''s texts, which customers read in their language: names of its rewards, archived as well, texts of its wheel, and its own name. A list of {text, translations}; the shape is merchantWords of _shared/domain.';

COMMENT ON FUNCTION "public"."save_campaign"(uuid, integer, text, text, uuid, boolean, integer, text, timestamp with time zone, timestamp with time zone, jsonb, jsonb) IS 'Saves a version of a campaign and, unless p_segments is null, its wheel (private.redraw_wheel): all of it or nothing. Null leaves the name''s translations as they are. Answers the new version, and the slug, which got a suffix where another merchant has it. Errors: 42501 not a campaign that one may change; TV062 somebody saved a newer version (detail); TV061 it is archived; TV060 active in an archived store; TV001 beyond the plan''s active campaigns; 23505 the organisation has a campaign of that name; TV066 one with that slug; TV063 to TV065 of the wheel; 23503 not a store of the organisation; 23514 or 23502 not well formed.';

REVOKE ALL ON FUNCTION "public"."save_campaign"(uuid, integer, text, text, uuid, boolean, integer, text, timestamp with time zone, timestamp with time zone, jsonb, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."save_campaign"(uuid, integer, text, text, uuid, boolean, integer, text, timestamp with time zone, timestamp with time zone, jsonb, jsonb) TO "authenticated";

ALTER TABLE "public"."campaigns" ADD CONSTRAINT "campaigns_translations_check" CHECK (private.is_translations(translations, 120));
