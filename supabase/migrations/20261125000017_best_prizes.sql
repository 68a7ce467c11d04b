-- Why: a poster names its three best prizes beside the code.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.campaign_poster(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'segments', (
      select jsonb_agg(jsonb_build_object('color', t.color,
        'prize', case when t.reward_id is not null and not w.is_example then t.label end) order by t.n)
      from unnest(w.colors, w.labels, w.reward_ids, w.weights) with ordinality as t (color, label, reward_id, weight, n)
      where t.weight > 0
    ),
    'best', coalesce((
      select jsonb_agg(p.label order by p.value desc nulls last, p.weight, p.label)
      from (
        select t.label, max(r.value) as value, sum(t.weight) as weight
        from unnest(w.labels, w.reward_ids, w.weights) as t (label, reward_id, weight)
        join public.rewards r on r.org_id = c.org_id and r.id = t.reward_id
        where t.weight > 0 and not w.is_example
        group by t.label
        order by value desc nulls last, weight, t.label limit 3
      ) p
    ), '[]'::jsonb),
    'white_label', private.has_feature(c.org_id, 'white_label'),
    'brand', private.brand(c.org_id))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
$function$;

COMMENT ON FUNCTION "public"."campaign_poster"(uuid) IS 'What a campaign''s posters show: address, names, its wheel''s segments of a weight above zero in order with the prizes that they stand for, the three best of these (by what they cost, then by how rare they are), whether the product''s name stays away (white_label), and the merchant''s brand in its place. The shape is campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was put away, and when its store is gone.';
