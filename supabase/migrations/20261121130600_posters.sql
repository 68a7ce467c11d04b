-- Why: a campaign starts with what stands on the counter. The back-office draws posters itself, from the wheel as
-- customers will see it and with the product's name only where the plan says so: both are decided here, not on a screen.

create function public.campaign_poster(p_campaign_id uuid) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'slug', c.slug,
    'name', c.name,
    'store_name', s.name,
    'colors', to_jsonb(w.colors),
    'white_label', private.has_feature(c.org_id, 'white_label'))
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral private.wheel(c.org_id, c.id, null) w
  where c.id = p_campaign_id and c.archived_at is null
    and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
$$;
comment on function public.campaign_poster(uuid) is
  'What a campaign''s posters show: address, names, the colours of its wheel in order, and whether the product''s name '
  'stays away (white_label). The shape is campaignPoster of _shared/domain. Null for whoever may not read the '
  'campaign, when it was put away, and when its store is gone.';
grant execute on function public.campaign_poster(uuid) to authenticated;
