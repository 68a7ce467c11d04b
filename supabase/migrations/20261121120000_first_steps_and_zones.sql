-- Why: a store that is not made because its organisation cannot be looked up is another failure than one that has no
-- organisation, and the specification (section 8) has a sentence for each. And a campaign's dates are those of its
-- store, wherever its merchant reads them.

create function private.my_organization() returns uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  return v_org_id;
exception
  -- Who is asking is no failure of the lookup.
  when sqlstate 'TV010' or sqlstate 'TV011' then
    raise;
  when others then
    raise log 'organization_lookup_failed: % %', sqlstate, sqlerrm;
    raise exception 'organization_lookup_failed' using errcode = 'TV050', detail = sqlstate;
end;
$$;
comment on function private.my_organization() is
  'Organisation of the signed-in user; null of a member of none. Errors of my_user_id(), and TV050 with the SQLSTATE as '
  'detail when the lookup fails: the database''s own words go to its log.';

create or replace function public.create_store(
  p_name text, p_slug text, p_address text, p_google_review_url text, p_review_mode text
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.my_organization();
  v_store public.stores;
begin
  if v_org_id is null then
    raise exception 'no_organization' using errcode = 'TV023';
  end if;
  if v_org_id not in (select private.my_org_ids('stores.write')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.stores (org_id, name, slug, address, google_review_url, review_mode)
  values (v_org_id, btrim(p_name), p_slug, btrim(p_address), nullif(btrim(p_google_review_url), ''),
    coalesce(p_review_mode, 'compliant'))
  returning * into v_store;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$$;
comment on function public.create_store(text, text, text, text, text) is
  'Adds a store to the signed-in member''s organisation. Errors: TV050 the organisation could not be looked up, TV023 '
  'member of none, 42501 without the permission stores.write, 23505 the organisation has a store with that slug, TV003 '
  'the plan has one store, 23514 or 23502 something is not well formed.';

-- The list of campaigns tells each store's zone.
create or replace function public.campaign_list(p_org_id uuid, p_search text default '', p_page integer default 1)
returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := '%' || regexp_replace(btrim(coalesce(p_search, '')), '([\\%_])', '\\\1', 'g') || '%';
  v_matches integer;
  v_page integer;
  v_items jsonb;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and (c.name ilike v_pattern or s.name ilike v_pattern);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'slug', shown.slug, 'active', shown.active,
    'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'created_at', shown.created_at,
    'store_name', shown.store_name, 'timezone', shown.timezone, 'scans', f.scans, 'reviews', f.reviews,
    'spins', f.spins, 'redemptions', f.redemptions) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select c.*, s.name as store_name, s.timezone
    from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = p_org_id and (c.name ilike v_pattern or s.name ilike v_pattern)
    order by c.created_at desc, c.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral (
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.redemptions), 0) as redemptions
    from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = shown.id
  ) f;

  return jsonb_build_object(
    'total', (select count(*) from public.campaigns c where c.org_id = p_org_id),
    'active', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
    'figures', private.totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
