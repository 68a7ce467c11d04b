-- Posters name the prizes of their wheel: its slices come with what can be won.

create or replace function public.campaign_poster(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'slices', (
      select jsonb_agg(jsonb_build_object('color', t.color,
        'prize', case when t.reward_id is not null and not w.is_example then t.label end) order by t.n)
      from unnest(w.colors, w.labels, w.reward_ids) with ordinality as t (color, label, reward_id, n)
    ),
    'white_label', private.has_feature(c.org_id, 'white_label'),
    'brand', private.brand(c.org_id))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
$$;
comment on function public.campaign_poster(uuid) is
  'What a campaign''s posters show: address, names, its wheel''s slices in order with the prizes that '
  'they stand for, whether the product''s name stays away (white_label), and the merchant''s brand in its place. The shape is campaignPoster of _shared/domain. Null for '
  'whoever may not read the campaign, when it was put away, and when its store is gone.';
