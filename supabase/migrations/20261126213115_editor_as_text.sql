-- Why: the editor's answer holds up to 200 rewards to choose from; written as text at once, it costs half of what it did as jsonb.

set check_function_bodies = off;

DROP FUNCTION "public"."campaign_editor"(uuid);

CREATE OR REPLACE FUNCTION public.campaign_editor(p_id uuid)
 RETURNS json
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a campaign or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
  v_library uuid[];
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (v_org_ids)
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
  return json_build_object(
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
      select json_agg(l order by r.home nulls first, r.created_at, r.id)
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
      -- A row as it is, in text: 200 objects that jsonb takes apart and puts in order cost half of the call.
      cross join lateral (
        select r.id, r.name, r.active, r.stock, r.archived_at is not null as is_archived, r.value, r.picture, r.home
      ) l
    ), '[]'::json),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$function$;

COMMENT ON FUNCTION "public"."campaign_editor"(uuid) IS 'All that the editing of a campaign needs, in one request: the campaign with its version, its wheel (drawn, else suggested from its rewards, else the example, private.wheel), rewards (home: the name of another campaign that they can be shared with, of the 200 newest in use, for whoever reads rewards) and stores to choose from; the shape is campaignEditor of _shared/domain. Null when there is no such campaign that the signed-in user may change.';

REVOKE ALL ON FUNCTION "public"."campaign_editor"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."campaign_editor"(uuid) TO "authenticated";
