-- Why: a search of signs alone has no words, and no words were taken for no search: whoever looked for « % », or for a name
-- in letters that the search does not know, was shown and exported every code, other people's included.

create function private.code_pattern(p_search text) returns text
language plpgsql immutable parallel safe
as $$
begin
  if btrim(coalesce(p_search, '')) = '' then
    return null;
  end if;
  -- Signs alone match no code: the question mark stands in no word.
  return '%' || coalesce(nullif(private.slugify(p_search), ''), '?') || '%';
end;
$$;
comment on function private.code_pattern(text) is
  'Pattern of code_words for a search: what it says stands anywhere; null when nothing is searched.';
grant execute on function private.code_pattern(text) to service_role;

create or replace function public.reward_codes(p_id uuid, p_search text default '', p_page integer default 1) returns jsonb
-- A plan kept from one search to the next would not know a frequent word, best found among the newest codes, from
-- a rare one, best found by the index of words.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_pattern constant text := private.code_pattern(p_search);
  v_reward public.rewards;
  v_items jsonb;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', case when shown.status = 'available' and shown.expires_at <= now() then 'expired' else shown.status end,
    'customer', coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email),
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and shown.used_at > now() - interval '10 minutes',
    'trace', private.code_trace(v_reward.org_id, shown.id)) order by shown.created_at desc, shown.id desc), '[]'::jsonb)
  into v_items
  from (
    -- One more than is shown tells whether there is a next page.
    select r.* from public.redemptions r
    where r.org_id = v_reward.org_id and r.reward_id = p_id and (v_pattern is null or r.words like v_pattern)
    order by r.created_at desc, r.id desc
    limit v_page_size + 1 offset (v_page - 1) * v_page_size
  ) shown;

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_reward.org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_reward.org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$$;

create or replace function public.export_redemptions(p_org_id uuid, p_filters jsonb)
returns table (
  code text, status text, reward text, campaign text, customer text, email text, created_at text, expires_at text,
  used_at text, used_store text
)
language sql stable
as $$
  select r.code, case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end,
    r.reward_name, c.name, r.end_user_name, r.end_user_email, private.export_moment(r.created_at, z.timezone),
    private.export_moment(r.expires_at, z.timezone), private.export_moment(r.used_at, z.timezone), s.name
  from public.redemptions r
  cross join (select private.timezone_of(p_org_id) as timezone) z
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join public.stores s on s.org_id = r.org_id and s.id = r.used_store_id
  where r.org_id = p_org_id
    and ((p_filters ->> 'reward_id') is null or r.reward_id = (p_filters ->> 'reward_id')::uuid)
    and ((p_filters ->> 'status') is null or (p_filters ->> 'status')
      = case when r.status = 'available' and r.expires_at <= now() then 'expired' else r.status end)
    and (private.code_pattern(p_filters ->> 'search') is null
      or private.code_words(r.code, r.code_key, r.end_user_email, r.end_user_name)
        like private.code_pattern(p_filters ->> 'search'))
  order by r.created_at desc, r.id desc;
$$;
