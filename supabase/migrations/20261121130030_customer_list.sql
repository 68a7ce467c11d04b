-- Why: above the list of customers stands the mean of all their stars, which was added up from every day of every
-- campaign; and a frequent word was looked for three times, once for the page and up to a thousand matches for their count.
-- A page of a search brings its count along, and says « more than 100 » where there are more: nobody turns so many pages
-- to find one person. Filters without a search are counted up to 1,000, from their indexes alone.

create or replace function public.customer_list(
  p_org_id uuid, p_filters jsonb default '{}', p_after uuid default null, p_before uuid default null
) returns jsonb
-- A plan kept from one search to the next would have to do without the indexes that a search can use.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_is_search constant boolean := private.wanted_words(v_filters ->> 'search') is not null;
  v_most_counted constant integer := case when v_is_search then 100 else 1000 end;
  -- One more than is shown tells whether there is a next page.
  v_wanted constant integer := case when v_is_search then v_most_counted else v_page_size end + 1;
  v_at timestamptz;
  v_id uuid;
  v_ids uuid[];
  v_is_back boolean := p_before is not null;
  v_has_more boolean;
  v_totals record;
  v_reviews bigint;
  v_rating_sum bigint;
  v_matches integer;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('customers.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select c.created_at, c.id into v_at, v_id from public.customers c
  where c.org_id = p_org_id and c.id = coalesce(p_before, p_after);

  if v_is_back and v_at is not null then
    select array_agg(p.id order by p.created_at, p.id) into v_ids from (
      select c.created_at, c.id from public.customers c
      where c.org_id = p_org_id and private.is_wanted(c, v_filters) and (c.created_at, c.id) > (v_at, v_id)
      order by c.created_at, c.id limit v_page_size + 1
    ) p;
    v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;
  end if;
  -- A page before which nothing stands is the first one, and shows all of it.
  if v_at is null or (v_is_back and not v_has_more) then
    v_is_back := false;
    v_at := null;
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select c.created_at, c.id from public.customers c
      where c.org_id = p_org_id and private.is_wanted(c, v_filters)
      order by c.created_at desc, c.id desc limit v_wanted
    ) p;
  elsif not v_is_back then
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select c.created_at, c.id from public.customers c
      where c.org_id = p_org_id and private.is_wanted(c, v_filters) and (c.created_at, c.id) < (v_at, v_id)
      order by c.created_at desc, c.id desc limit v_page_size + 1
    ) p;
  end if;
  v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;

  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from private.campaign_figures_now(p_org_id) d;
  if v_filters = '{}' then
    v_matches := v_totals.customers;
  elsif v_at is null and (v_is_search or not v_has_more) then
    -- What was looked for once is not looked for again.
    v_matches := coalesce(array_length(v_ids, 1), 0);
  else
    select count(*) into v_matches from (
      select 1 from public.customers c
      where c.org_id = p_org_id and private.is_wanted(c, v_filters) limit v_most_counted + 1
    ) counted;
  end if;

  return jsonb_build_object(
    'totals', jsonb_build_object('customers', v_totals.customers, 'consents', v_totals.consents,
      'participants', v_totals.participants,
      'reviews', v_reviews, 'rating_sum', v_rating_sum),
    'matches', case when v_filters = '{}' then v_matches else least(v_matches, v_most_counted) end,
    'has_more_matches', v_filters <> '{}' and v_matches > v_most_counted,
    'has_previous', case when v_is_back then v_has_more else v_at is not null end,
    'has_next', v_is_back or v_has_more,
    'can_export', private.can_export(p_org_id),
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'email', c.email, 'phone', c.phone,
        'consent_marketing', c.consent_marketing, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by c.created_at desc, c.id desc)
      from public.customers c
      where c.org_id = p_org_id and c.id = any (v_ids[1:v_page_size])
    ), '[]'::jsonb));
end;
$$;
comment on function public.customer_list(uuid, jsonb, uuid, uuid) is
  'A page of an organisation''s customers, newest first, that pass the filters (private.is_wanted): the one after a '
  'customer, or before one, with the figures above the list (specification, section 2.11); the shape is customerList of '
  '_shared/domain. Matches of a search are counted up to 100, of filters alone up to 1,000. Error 42501 without the '
  'permissions customers.read and activity.read there.';
