-- Why: an organisation's page says until which day its campaigns run, and took the day from the clocks of Paris: a store
-- in Martinique was told to go on for a day more. Each campaign comes with the time zone of its store.

create or replace function public.organization_page(p_slug text) returns jsonb
language sql stable security definer set search_path = ''
as $$
  select jsonb_build_object(
    'name', o.name,
    'slug', o.slug,
    'white_label', private.has_feature(o.id, 'white_label'),
    'brand', private.brand(o.id),
    'campaigns', coalesce((
      select jsonb_agg(jsonb_build_object(
        'slug', c.slug, 'name', c.name, 'store_name', s.name, 'timezone', s.timezone, 'ends_at', c.ends_at
      ) order by c.created_at desc, c.id)
      from public.campaigns c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      where c.org_id = o.id and c.active and private.is_running(c, u)
    ), '[]'::jsonb)
  )
  from public.organizations o
  join public.subscriptions u on u.org_id = o.id
  where o.id = (
      select n.id
      from (
        select g.id, 0 as rank from public.organizations g where g.slug = p_slug
        union all
        select r.org_id, 1 from public.organization_slug_redirects r where r.slug = p_slug
      ) n
      order by n.rank limit 1
    )
    and private.is_open(u);
$$;
