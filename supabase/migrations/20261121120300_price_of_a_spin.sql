-- Why: two cores serve a shop's whole rush, so a spin pays for every statement and every expression that it makes the
-- database read again (docs/decisions/020). What cost much and gave nothing goes here; no rule changes.

-- PostgreSQL reads and plans the constraints of a row for each statement that writes it, and an SQL function in
-- one as if its body stood there: every prize taken from a stock paid for the check of its details. PL/pgSQL is called.
create or replace function private.is_reward_metadata(p_metadata jsonb) returns boolean
language plpgsql immutable parallel safe
as $$
begin
  return p_metadata is null or (
    jsonb_typeof(p_metadata) = 'object'
    and p_metadata <> '{}'::jsonb
    and p_metadata - array['discountPercent', 'item', 'points', 'validityDays'] = '{}'::jsonb
    and case when p_metadata ? 'discountPercent' then
      jsonb_typeof(p_metadata -> 'discountPercent') = 'number'
      and (p_metadata ->> 'discountPercent')::numeric between 1 and 100 else true end
    and case when p_metadata ? 'points' then
      jsonb_typeof(p_metadata -> 'points') = 'number'
      and (p_metadata ->> 'points')::numeric between 1 and 1000000
      and scale((p_metadata ->> 'points')::numeric) = 0 else true end
    and case when p_metadata ? 'validityDays' then
      jsonb_typeof(p_metadata -> 'validityDays') = 'number'
      and (p_metadata ->> 'validityDays')::numeric between 1 and 3650
      and scale((p_metadata ->> 'validityDays')::numeric) = 0 else true end
    and case when p_metadata ? 'item' then
      jsonb_typeof(p_metadata -> 'item') = 'string'
      and length(p_metadata ->> 'item') between 1 and 200 else true end
  );
end;
$$;

create function private.is_phone(p_phone text) returns boolean
language plpgsql immutable parallel safe
as $$
begin
  return p_phone ~ '^[0-9\s+()-]+$' and p_phone ~ '[0-9]' and length(p_phone) <= 32
    and length(regexp_replace(p_phone, '\s', '', 'g')) >= 10;
end;
$$;
comment on function private.is_phone(text) is
  'Whether a text is a phone number (specification, section 5): digits, spaces and + ( ) -, at least 10 signs.';
grant execute on function private.is_phone(text) to authenticated, service_role;
alter table public.customers
  drop constraint customers_phone_check,
  add constraint customers_phone_check check (private.is_phone(phone));

-- The 26 capitals are not looked up sign by sign in a table of 32: lower() of the plain alphabet knows them.
create or replace function private.slugify(p_text text) returns text
language sql immutable parallel safe
return trim(both '-' from regexp_replace(
  translate(
    lower(replace(replace(replace(replace(replace(
      regexp_replace(normalize(coalesce(p_text, ''), nfd), U&'[\0300-\036f]', '', 'g'),
      'œ', 'oe'), 'Œ', 'oe'), 'æ', 'ae'), 'Æ', 'ae'), 'ß', 'ss') collate "C"),
    'øØłŁđĐ', 'oolldd'
  ),
  '[^a-z0-9]+', '-', 'g'
));

-- customers_list_idx starts with the same columns.
drop index public.customers_org_id_created_at_idx;

-- Whoever is new is written down with the turn that brought them.
drop function private.find_or_create_customer(uuid, uuid, text, text, text, text, text, boolean);
create function private.find_or_create_customer(
  p_org_id uuid, p_store_id uuid, p_first_name text, p_last_name text, p_name text,
  p_email text, p_phone text, p_consent_marketing boolean, p_spins integer default 0,
  out customer_id uuid, out is_new boolean
)
language plpgsql volatile
as $$
declare
  v_email text := private.normalize_email(p_email);
  v_phone text := private.normalize_phone(p_phone);
begin
  is_new := false;
  -- Two rounds: whoever loses the race for a new customer finds the winner's row in the second.
  for round in 1..2 loop
    if v_email is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.email_normalized = v_email
      for no key update;
    end if;
    if customer_id is null and v_phone is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.phone_normalized = v_phone
      for no key update;
    end if;
    exit when customer_id is not null;

    insert into public.customers as c
      (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, last_activity_at, spin_count)
    values (p_org_id, p_store_id, p_first_name, p_last_name, p_name, p_email, p_phone, p_consent_marketing, now(), p_spins)
    on conflict do nothing
    returning c.id into customer_id;
    if customer_id is not null then
      is_new := true;
      exit;
    end if;
  end loop;
end;
$$;
comment on function private.find_or_create_customer(uuid, uuid, text, text, text, text, text, boolean, integer) is
  'The customer whom an e-mail (first) or a phone names in an organisation, made when new, with p_spins turns of the wheel. '
  'The names of a known customer stay: whoever types somebody''s address must not rename them. The row is locked until '
  'the end of the transaction, so that two calls of one person take turns.';

-- Rewards' figures are read with what was not folded yet.
create or replace function private.has_campaign_history(p_org_id uuid, p_campaign_id uuid) returns boolean
language sql stable
as $$
  select exists (
      select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = p_campaign_id
    ) or exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.campaign_id = p_campaign_id
        and (private.reward_ties(p_org_id, r.id)).wins
    );
$$;

create or replace function public.reward_stats(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_reward public.rewards;
  v_campaign_name text;
  v_today date;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('activity.read')));
  if not found then
    return null;
  end if;
  select c.name, private.now_in(s.timezone)::date into v_campaign_name, v_today
  from public.campaigns c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = v_reward.org_id and c.id = v_reward.campaign_id;
  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type,
      'stock', v_reward.stock, 'campaign_name', v_campaign_name),
    'advanced', case when private.has_feature(v_reward.org_id, 'advanced_analytics') then jsonb_build_object(
      'figures', private.reward_figures(v_reward.org_id, p_id),
      'counts', private.code_counts(v_reward.org_id, p_id),
      'days', (
        select jsonb_agg(jsonb_build_object('day', calendar.day::date, 'wins', coalesce(f.wins, 0),
          'redemptions', coalesce(f.redemptions, 0)) order by calendar.day)
        from generate_series(v_today - 89, v_today, interval '1 day') as calendar (day)
        left join (
          select d.day, sum(d.wins) as wins, sum(d.redemptions) as redemptions
          from private.reward_days_now(v_reward.org_id) d
          where d.reward_id = p_id and d.day >= v_today - 89
          group by d.day
        ) f on f.day = calendar.day::date
      )) end);
end;
$$;

create or replace function private.low_stock(p_org_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from public.rewards r
    join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id and c.active
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      -- Few, or gone in a week at the pace of the last one.
      and r.stock <= greatest(5, (
        select coalesce(sum(d.wins), 0) from private.reward_days_now(p_org_id) d
        where d.reward_id = r.id and d.day > current_date - 7))
    order by r.stock, r.name, r.id limit 3
  ) low;
$$;
