-- Why: whoever knows a name or a code wants to be there, not to remember which list holds it. One question, asked while
-- typing, looks into all of them; it therefore uses the indexes that the lists have already, and asks nothing of a
-- table of customers or codes that would read it from end to end.

create function private.find_customers(p_org_id uuid, p_query text, p_limit integer)
returns table (id uuid, title text, detail text)
-- As in customer_list: a kept plan would not know a frequent word from a rare one.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  -- A variable is a constant to the plan: the index is asked once, not the word made anew for every row.
  v_filters constant jsonb := jsonb_build_object('search', p_query);
begin
  -- Fewer letters have no index to be looked for in.
  if length(coalesce(private.wanted_words(p_query), '')) < 3 then
    return;
  end if;
  return query
    select c.id, c.name, coalesce(c.email, c.phone)
    from public.customers c
    where c.org_id = p_org_id and private.is_wanted(c, v_filters)
    order by c.created_at desc, c.id desc
    limit p_limit;
end;
$$;
comment on function private.find_customers(uuid, text, integer) is
  'The newest customers of an organisation whom the list would find (private.is_wanted); none for less than three characters.';

create function private.find_codes(p_org_id uuid, p_query text, p_limit integer)
returns table (id uuid, title text, detail text, parent_id uuid)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_key constant text := upper(regexp_replace(p_query, '[^A-Za-z0-9]', '', 'g'));
begin
  if length(v_key) < 3 then
    return;
  end if;
  return query
    select r.id, r.code, concat_ws(', ', r.reward_name, coalesce(nullif(btrim(r.end_user_name), ''), r.end_user_email)),
      r.reward_id
    from public.redemptions r
    -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
    where r.org_id = p_org_id and r.code_key >= v_key and r.code_key <= v_key || repeat('Z', 32)
      and starts_with(r.code_key, v_key)
    order by r.code_key
    limit p_limit;
end;
$$;
comment on function private.find_codes(uuid, text, integer) is
  'Codes of an organisation that begin with a text, whatever its case, spaces and signs; none for less than three '
  'letters or digits. The parent is the reward.';

create function public.find_anything(p_query text, p_limit integer default 5) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_query constant text := left(btrim(coalesce(p_query, '')), 120);
  v_words constant text := '%' || private.slugify(v_query) || '%';
  v_limit constant integer := least(greatest(coalesce(p_limit, 5), 1), 10);
  v_found jsonb;
begin
  if private.slugify(v_query) = '' then
    return '[]'::jsonb;
  end if;
  -- Whoever lacks a permission has no organisation in that part. A user has one organisation at most.
  with found as (
    (select 1 as part, row_number() over (order by c.active desc, c.created_at desc, c.id) as place,
      'campaign' as kind, c.id, c.name as title, s.name as detail, null::uuid as parent_id
    from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = any (array(select private.my_org_ids('campaigns.read')))
      and private.slugify(c.name || ' ' || c.slug) like v_words
    order by place limit v_limit)
    union all
    (select 2, row_number() over (), 'customer', f.id, f.title, f.detail, null
    from private.my_org_ids('customers.read') o cross join lateral private.find_customers(o, v_query, v_limit) f)
    union all
    (select 3, row_number() over (), 'code', f.id, f.title, f.detail, f.parent_id
    from private.my_org_ids('activity.read') o cross join lateral private.find_codes(o, v_query, v_limit) f)
    union all
    (select 4, row_number() over (order by r.active desc, r.created_at desc, r.id) as place,
      'reward', r.id, r.name, c.name, null
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = any (array(select private.my_org_ids('rewards.read')))
      and r.archived_at is null and private.slugify(r.name) like v_words
    order by place limit v_limit)
    union all
    (select 5, row_number() over (order by s.created_at desc, s.id) as place, 'store', s.id, s.name, s.address, null
    from public.stores s
    where s.org_id = any (array(select private.my_org_ids('stores.read')))
      and s.archived_at is null and private.slugify(s.name || ' ' || s.address) like v_words
    order by place limit v_limit)
  )
  select coalesce(jsonb_agg(jsonb_build_object('kind', f.kind, 'id', f.id, 'title', f.title, 'detail', f.detail,
    'parent_id', f.parent_id) order by f.part, f.place), '[]'::jsonb)
  into v_found from found f;
  return v_found;
end;
$$;
comment on function public.find_anything(text, integer) is
  'What of the signed-in member''s organisation a text means: campaigns, customers, codes, rewards and stores in use, as '
  'many of each as the limit says (1 to 10), each only with its permission (campaigns.read, customers.read, '
  'activity.read, rewards.read, stores.read); the shape is foundThings of _shared/domain. Without case and accents.';
grant execute on function public.find_anything(text, integer) to authenticated;
