-- Points: what they are worth, and how they are spent.
--
-- A customer is an address that was typed, perhaps another person's: typing it must neither show nor spend that person's points.
-- A phone may therefore see and spend what it can prove to have won: the points of those spins whose nonces it
-- keeps. The catalogue belongs to the organisation, as its customers and their points do. A spend takes from the entries
-- that earned the points, those first that end first; that none of them goes below zero is a check of the ledger.

create table public.points_rewards (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null references public.organizations (id) on delete cascade,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  cost integer not null check (cost between 1 and 1000000),
  stock integer not null default -1 check (stock between -1 and 1000000),
  active boolean not null default true,
  created_at timestamptz not null default now(),
  version integer not null default 1 check (version >= 1),
  translations jsonb not null default '{}',
  unique (org_id, id),
  constraint points_rewards_translations_check check (private.is_translations(translations, 120))
);
create index points_rewards_cost_idx on public.points_rewards (org_id, cost, id);
comment on table public.points_rewards is
  'Rewards that an organisation gives for points: its catalogue, good at each of its stores.';
comment on column public.points_rewards.id is 'Identifier.';
comment on column public.points_rewards.org_id is 'Organisation.';
comment on column public.points_rewards.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.points_rewards.cost is 'Cost in points, from 1.';
comment on column public.points_rewards.stock is 'How many are left; -1 is unlimited.';
comment on column public.points_rewards.active is 'Whether it can be had.';
comment on column public.points_rewards.created_at is 'When it was created.';
comment on column public.points_rewards.version is
  'Rises with every change that a merchant makes in the form: saving an older version is refused, and overwrites nothing.';
comment on column public.points_rewards.translations is
  'Its name in other languages of the phone pages; customers read the name itself in those that are missing.';
create trigger adjust_texts before insert or update of name, translations on public.points_rewards
  for each row when (private.is_unclean(new.name) or new.translations <> '{}')
  execute function private.clean_texts('name', 'translations');
create trigger bump_reward_version before update of name, cost, translations on public.points_rewards
  for each row execute function private.bump_reward_version();
-- Not the stock: every spend takes one.
create trigger audit_points_reward_change
  after insert or delete or update of name, cost, active, translations on public.points_rewards
  for each row execute function private.audit_change('reward', 'name', 'cost', 'active', 'translations');

create table public.points_spends (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  customer_id uuid,
  points_reward_id uuid,
  reward_name text not null,
  points integer not null check (points > 0),
  request_id uuid not null,
  code text not null check (length(code) between 4 and 64),
  code_key text generated always as (upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g'))) stored,
  status text not null default 'available' check (status in ('available', 'used', 'expired')),
  expires_at timestamptz not null,
  used_at timestamptz,
  used_by uuid references auth.users (id) on delete set null,
  used_store_id uuid,
  used_request_id uuid,
  created_at timestamptz not null default now(),
  by_team boolean not null default false,
  used_key_id uuid,
  primary key (org_id, id),
  unique (org_id, request_id),
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id),
  foreign key (org_id, points_reward_id) references public.points_rewards (org_id, id) on delete set null (points_reward_id),
  foreign key (org_id, used_store_id) references public.stores (org_id, id) on delete restrict,
  constraint points_spends_use_check check ((status = 'used') = (used_at is not null)),
  constraint points_spends_user_check
    check (used_at is not null or (used_by is null and used_store_id is null and used_request_id is null and used_key_id is null))
);
create unique index points_spends_org_code_key on public.points_spends (org_id, code_key);
create index points_spends_customer_idx on public.points_spends (org_id, customer_id, id);
create index points_spends_reward_idx on public.points_spends (org_id, points_reward_id);
create index points_spends_store_idx on public.points_spends (org_id, used_store_id) where used_store_id is not null;
create index points_spends_used_by_idx on public.points_spends (used_by) where used_by is not null;
create index points_spends_expiry_idx on public.points_spends (expires_at) where status = 'available';
create index points_spends_waiting_idx on public.points_spends (org_id) where status = 'available';
comment on table public.points_spends is 'Points that were spent on a reward of the catalogue, and the code that the till takes for it.';
comment on column public.points_spends.id is 'Identifier.';
comment on column public.points_spends.org_id is 'Organisation.';
comment on column public.points_spends.customer_id is 'Whose points; null once the customer is erased.';
comment on column public.points_spends.points_reward_id is 'Reward of the catalogue; null once it was deleted.';
comment on column public.points_spends.reward_name is 'Name of the reward at the time.';
comment on column public.points_spends.points is 'Cost at the time, in points.';
comment on column public.points_spends.request_id is 'Identifier of the phone''s request: one spend a request.';
comment on column public.points_spends.code is 'Code that the till takes.';
comment on column public.points_spends.code_key is 'The code without case, spaces and signs, unique within the organisation: what the till looks for.';
comment on column public.points_spends.status is 'available, used (by staff) or expired (by time, or taken back: the points went back).';
comment on column public.points_spends.expires_at is 'Last second of the last day at the store of the campaign: 30 days.';
comment on column public.points_spends.used_at is 'When it was used.';
comment on column public.points_spends.used_by is 'Staff member who used it; null for a key of the API, and once that account is gone.';
comment on column public.points_spends.used_store_id is 'Store where it was used.';
comment on column public.points_spends.used_request_id is
  'Identifier of the till''s request: repeated after a lost answer, it gets that answer. Null when it did not say.';
comment on column public.points_spends.created_at is 'When the points were spent.';
comment on column public.points_spends.by_team is
  'Whether staff spent them for a customer who was there: used at once, and taken back as a whole.';
comment on column public.points_spends.used_key_id is 'Key of the organisation that used it in a person''s place; null for staff.';

alter table public.points_ledger
  add constraint points_ledger_spend_fkey foreign key (org_id, spend_id) references public.points_spends (org_id, id)
    on delete restrict;

create function private.is_spendable(l public.points_ledger) returns boolean
language sql stable
return l.remaining > 0 and (l.expires_at is null or l.expires_at > now());
comment on function private.is_spendable(public.points_ledger) is
  'Whether an entry has points that can be spent at this instant: the job that lets points expire comes a little later. '
  'Planned as part of the query that calls it.';

create function private.points_balance(p_org_id uuid, p_customer_id uuid) returns bigint
language sql stable set search_path = ''
as $$
  select coalesce(sum(l.remaining), 0)
  from public.points_ledger l
  where l.org_id = p_org_id and l.customer_id = p_customer_id and private.is_spendable(l);
$$;
comment on function private.points_balance(uuid, uuid) is
  'Points that a customer can spend at this instant.';

create function private.proven_points(p_campaign_id uuid, p_proofs jsonb) returns setof public.points_ledger
language sql stable set search_path = ''
as $$
  select l.*
  from public.campaigns c
  join jsonb_to_recordset(p_proofs) as p (spin_id uuid, nonce uuid) on true
  join public.spins s on s.org_id = c.org_id and s.id = p.spin_id and s.nonce = p.nonce
  join public.points_ledger l on l.org_id = s.org_id and l.spin_id = s.id
  where c.id = p_campaign_id;
$$;
comment on function private.proven_points(uuid, jsonb) is
  'Entries that earned points at the organisation of a campaign, for whoever knows the nonces of their spins: a list of '
  '{spin_id, nonce}, in which those of others count for nothing.';

create function private.points_wallet(p_campaign_id uuid, p_proofs jsonb, p_locale text) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_org_id uuid;
  v_lots uuid[];
  v_ends jsonb;
begin
  select c.org_id into v_org_id from public.campaigns c where c.id = p_campaign_id;
  if not found then
    return null;
  end if;
  v_lots := array(select l.id from private.proven_points(p_campaign_id, p_proofs) l);
  select jsonb_build_object('points', sum(l.remaining), 'at', l.expires_at) into v_ends
  from public.points_ledger l
  where l.org_id = v_org_id and l.id = any (v_lots) and private.is_spendable(l) and l.expires_at is not null
  group by l.expires_at order by l.expires_at limit 1;
  return jsonb_build_object(
    'balance', (
      select coalesce(sum(l.remaining), 0) from public.points_ledger l
      where l.org_id = v_org_id and l.id = any (v_lots) and private.is_spendable(l)),
    'ends', v_ends,
    -- A code that points have bought is good at each store.
    'place', (select jsonb_build_object('kind', p.kind, 'name', p.name) from private.taken_in(v_org_id, null) p),
    'rewards', private.points_offer(v_org_id, p_locale),
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'code', s.code,
        'reward', private.in_language(s.reward_name, s.translations, p_locale), 'points', s.points,
        'status', s.state, 'expires_at', s.expires_at, 'used_at', s.used_at)
        order by s.id desc)
      from (
        select o.id, o.code, o.reward_name, o.points, o.expires_at, o.used_at, private.points_code_state(o) as state,
          w.translations
        from public.points_spends o
        -- A reward that was renamed since is translated otherwise.
        left join public.points_rewards w
          on w.org_id = o.org_id and w.id = o.points_reward_id and w.name = o.reward_name
        where o.org_id = v_org_id and o.id in (
          select l.spend_id from public.points_ledger l
          where l.org_id = v_org_id and l.lot_id = any (v_lots) and l.kind = 'spent')
        order by o.id desc limit 10
      ) s), '[]'::jsonb));
end;
$$;
comment on function private.points_wallet(uuid, jsonb, text) is
  'Points that a phone can prove (private.proven_points), in its language: balance, the points that end first, where its codes are '
  'taken (private.taken_in), the catalogue (private.points_offer), and the last 10 codes; null without such a '
  'campaign. The shape is pointsWallet of _shared/domain.';

create function private.points_code_state(p_spend public.points_spends) returns text
language sql stable set search_path = ''
as $$
  select case when private.is_over(p_spend.status, p_spend.expires_at) then 'expired' else p_spend.status end;
$$;
comment on function private.points_code_state(public.points_spends) is
  'available, used or expired, at this instant: the job that gives points back comes a little later.';

create function public.points_wallet(
  p_campaign_id uuid, p_proofs jsonb, p_address_hash text, p_locale text default null,
  out outcome text, out body jsonb, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_retry_after integer;
begin
  v_retry_after := private.count_attempt(array['points address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  body := private.points_wallet(p_campaign_id, p_proofs, p_locale);
  outcome := case when body is null then 'campaign_not_found' else 'shown' end;
end;
$$;
comment on function public.points_wallet(uuid, jsonb, text, text) is
  'Points that a phone can prove, and what they buy, named in its language (private.points_wallet). Outcomes: shown, '
  'campaign_not_found, too_many_attempts (retry_at).';
grant execute on function public.points_wallet(uuid, jsonb, text, text) to service_role;

create function private.take_points(p_spend public.points_spends, p_lots uuid[]) returns void
language sql volatile set search_path = ''
as $$
  insert into public.points_ledger (org_id, customer_id, kind, points, lot_id, spend_id)
  select l.org_id, l.customer_id, 'spent', - least(l.remaining, p_spend.points - l.before)::integer, l.id, p_spend.id
  from (
    select o.*, coalesce(sum(o.remaining) over (
      order by o.expires_at nulls last, o.id rows between unbounded preceding and 1 preceding), 0) as before
    from public.points_ledger o
    where o.org_id = p_spend.org_id and o.id = any (p_lots) and private.is_spendable(o)
  ) l
  where l.before < p_spend.points;
$$;
comment on function private.take_points(public.points_spends, uuid[]) is
  'Takes what a spend costs from the given entries, those first that end first.';

create function private.gives_for_points(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select 1 from public.subscriptions u where u.org_id = p_org_id and private.is_open(u))
    and exists (select 1 from public.stores s where s.org_id = p_org_id and s.archived_at is null);
$$;
comment on function private.gives_for_points(uuid) is
  'Whether points buy anything at an organisation: while it is open, and has a store in use, which takes the code.';

create function private.points_offer(p_org_id uuid, p_locale text) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', r.id,
    'name', private.in_language(r.name, r.translations, p_locale), 'cost', r.cost, 'sold_out', r.stock = 0)
    order by r.cost, r.name, r.id), '[]'::jsonb)
  from (
    select * from public.points_rewards w
    where w.org_id = p_org_id and w.active and private.gives_for_points(p_org_id)
    order by w.cost, w.id limit 50
  ) r;
$$;
comment on function private.points_offer(uuid, text) is
  'The 50 cheapest rewards of a catalogue that can be had, cheapest first, named in a language (null: as the merchant has named them); none where points buy nothing (private.gives_for_points).';

create function private.buy_with_points(
  p_org_id uuid, p_lots uuid[], p_points_reward_id uuid, p_cost integer, p_request_id uuid, p_timezone text,
  out outcome text, out spend public.points_spends
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_balance bigint;
  v_customer_id uuid;
  v_reward public.points_rewards;
  v_code text;
begin
  -- A deletion of the reward at this instant goes first or waits.
  select * into v_reward from public.points_rewards r
  where r.org_id = p_org_id and r.id = p_points_reward_id and r.active
  for key share;
  if not found or not private.gives_for_points(p_org_id) then
    outcome := 'points_reward_gone';
    return;
  elsif v_reward.cost is distinct from p_cost then
    outcome := 'points_cost_changed';
    return;
  end if;
  select coalesce(sum(l.remaining), 0), (array_agg(l.customer_id order by l.id desc))[1] into v_balance, v_customer_id
  from public.points_ledger l
  where l.org_id = p_org_id and l.id = any (p_lots) and private.is_spendable(l);
  if v_balance < v_reward.cost then
    outcome := 'points_missing';
    return;
  end if;
  if v_reward.stock <> -1 then
    update public.points_rewards r set stock = r.stock - 1
    where r.org_id = v_reward.org_id and r.id = v_reward.id and r.stock > 0;
    if not found then
      outcome := 'points_sold_out';
      return;
    end if;
  end if;
  loop
    v_code := private.random_code('PTS-{random}');
    -- Codes of prizes come first at the till: none may hide this one.
    continue when exists (
      select 1 from public.redemptions d
      where d.org_id = p_org_id and d.code_key = private.code_key(v_code));
    insert into public.points_spends (
      org_id, customer_id, points_reward_id, reward_name, points, request_id, code, expires_at
    ) values (
      p_org_id, v_customer_id, v_reward.id, v_reward.name, v_reward.cost, p_request_id, v_code,
      private.day_end(private.now_in(p_timezone)::date + 30, p_timezone)
    )
    on conflict (org_id, code_key) do nothing
    returning * into spend;
    exit when spend.id is not null;
  end loop;
  perform private.take_points(spend, p_lots);
  update public.customers c set last_activity_at = now() where c.org_id = p_org_id and c.id = v_customer_id;
  outcome := 'spent';
end;
$$;
comment on function private.buy_with_points(uuid, uuid[], uuid, integer, uuid, text) is
  'Spends what given entries of the ledger hold on a reward of the catalogue, with its code. The request is new, and the '
  'people''s rows are locked. Outcomes: spent, points_reward_gone (inactive, deleted, another merchant''s, or the '
  'organisation is closed), points_cost_changed, points_missing, points_sold_out; refusals change nothing.';

create function public.spend_points(
  p_campaign_id uuid, p_proofs jsonb, p_points_reward_id uuid, p_cost integer, p_request_id uuid, p_address_hash text,
  p_locale text default null, out outcome text, out body jsonb, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_retry_after integer;
  v_campaign record;
  v_lots uuid[];
  v_spend public.points_spends;
begin
  v_retry_after := private.count_attempt(array['points address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  select c.org_id, s.timezone into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  v_lots := array(select l.id from private.proven_points(p_campaign_id, p_proofs) l);

  -- The reward before people and codes, as whoever deletes it: two orders would make deadlocks.
  perform 1 from public.points_rewards r where r.org_id = v_campaign.org_id and r.id = p_points_reward_id for key share;
  -- The people, in order, whose rows are locked: two spends of one person take turns, and what follows counts what is left.
  perform 1 from public.customers c
  where c.org_id = v_campaign.org_id and c.id in (
    select l.customer_id from public.points_ledger l where l.org_id = v_campaign.org_id and l.id = any (v_lots))
  order by c.id for no key update;

  -- A repeated request is answered as the first time, whatever has changed since, to whoever made it.
  select * into v_spend from public.points_spends s
  where s.org_id = v_campaign.org_id and s.request_id = p_request_id;
  if found then
    outcome := case when v_spend.points_reward_id is not distinct from p_points_reward_id and exists (
      select 1 from public.points_ledger l
      where l.org_id = v_spend.org_id and l.spend_id = v_spend.id and l.lot_id = any (v_lots)
    ) then 'spent' else 'points_request_reused' end;
  else
    select b.outcome into outcome
    from private.buy_with_points(
      v_campaign.org_id, v_lots, p_points_reward_id, p_cost, p_request_id, v_campaign.timezone) b;
  end if;
  body := case when outcome = 'spent' then private.points_wallet(p_campaign_id, p_proofs, p_locale) end;
exception
  -- The same request for somebody else at the same instant.
  when unique_violation then
    outcome := 'points_request_reused';
    body := null;
end;
$$;
comment on function public.spend_points(uuid, jsonb, uuid, integer, uuid, text, text) is
  'Spends points that a phone can prove (private.proven_points) on a reward of the catalogue, at the cost that the phone '
  'showed: exactly once a request, in one transaction with the stock and the code. body is private.points_wallet. '
  'Outcomes: spent (repeated as well), campaign_not_found, those of private.buy_with_points, points_request_reused (the request '
  'was somebody else''s, or for something else), too_many_attempts (retry_at). Refusals change nothing but the count of attempts.';
grant execute on function public.spend_points(uuid, jsonb, uuid, integer, uuid, text, text) to service_role;

create function private.my_points_customer(p_customer_id uuid) returns public.customers
language plpgsql stable set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(
    select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.redeem'));
  v_customer public.customers;
begin
  select * into v_customer from public.customers c where c.id = p_customer_id and c.org_id = any (v_org_ids);
  return v_customer;
end;
$$;
comment on function private.my_points_customer(uuid) is
  'The customer, for whoever may hand out rewards for their points: a member with customers.read and codes.redeem; null otherwise.';

create function public.points_choices(p_customer_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_customer constant public.customers := private.my_points_customer(p_customer_id);
begin
  if v_customer.id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'balance', private.points_balance(v_customer.org_id, p_customer_id), 'rewards', private.points_offer(v_customer.org_id, null));
end;
$$;
comment on function public.points_choices(uuid) is
  'Points that a customer can spend, and rewards for them, for the team; the shape is pointsChoices of _shared/domain. Error '
  '42501 without the permissions customers.read and codes.redeem, and for no such customer.';
grant execute on function public.points_choices(uuid) to authenticated;

create function public.spend_points_for(
  p_customer_id uuid, p_points_reward_id uuid, p_cost integer, p_store_id uuid, p_request_id uuid
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_customer constant public.customers := private.my_points_customer(p_customer_id);
  v_user_id constant uuid := private.my_user_id();
  v_timezone text;
  v_lots uuid[];
  v_spend public.points_spends;
  v_outcome text;
begin
  if not private.hold_account(v_user_id) then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  select s.timezone into v_timezone
  from public.stores s
  join public.organization_members m on m.org_id = s.org_id and m.user_id = v_user_id
  where s.org_id = v_customer.org_id and s.id = coalesce(private.bound_store(m.role, m.store_id), p_store_id)
    and s.id = p_store_id and s.archived_at is null;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_open_plan(v_customer.org_id);
  -- The reward first, as in spend_points; two spends of one person take turns.
  perform 1 from public.points_rewards r where r.org_id = v_customer.org_id and r.id = p_points_reward_id for key share;
  perform 1 from public.customers c where c.org_id = v_customer.org_id and c.id = p_customer_id for no key update;
  select * into v_spend from public.points_spends s
  where s.org_id = v_customer.org_id and s.request_id = p_request_id;
  if found then
    v_outcome := case
      when v_spend.by_team and v_spend.customer_id is not distinct from p_customer_id
        and v_spend.points_reward_id is not distinct from p_points_reward_id and v_spend.used_store_id = p_store_id
      then 'spent' else 'points_request_reused' end;
  else
    v_lots := array(
      select l.id from public.points_ledger l
      where l.org_id = v_customer.org_id and l.customer_id = p_customer_id and l.remaining > 0);
    select b.outcome, (b.spend).id into v_outcome, v_spend.id
    from private.buy_with_points(v_customer.org_id, v_lots, p_points_reward_id, p_cost, p_request_id, v_timezone) b;
    if v_outcome = 'spent' then
      update public.points_spends s
      set status = 'used', used_at = now(), used_by = v_user_id, used_store_id = p_store_id,
        used_request_id = p_request_id, by_team = true
      where s.org_id = v_customer.org_id and s.id = v_spend.id
      returning * into v_spend;
      perform private.audit(v_customer.org_id, 'points.spent', 'customer', p_customer_id,
        jsonb_build_object('name', v_spend.reward_name, 'points', v_spend.points));
    end if;
  end if;
  return jsonb_build_object(
    'outcome', v_outcome,
    'balance', private.points_balance(v_customer.org_id, p_customer_id),
    'spend_id', case when v_outcome = 'spent' then v_spend.id end,
    'reward', case when v_outcome = 'spent' then v_spend.reward_name end);
exception
  -- The same request for somebody else at the same instant.
  when unique_violation then
    return jsonb_build_object('outcome', 'points_request_reused',
      'balance', private.points_balance(v_customer.org_id, p_customer_id), 'spend_id', null, 'reward', null);
end;
$$;
comment on function public.spend_points_for(uuid, uuid, integer, uuid, uuid) is
  'Spends the points of a customer who is at a store on a reward that is handed over at once: exactly once a request, whatever '
  'phone won them; restore_code takes it back as a whole for ten minutes. Outcomes: spent (repeated as well), those of '
  'private.buy_with_points, points_request_reused; the shape is pointsSpent of _shared/domain. Error 42501 without the permissions '
  'customers.read and codes.redeem, for no such customer, and for a store that is not a till of theirs; errors of private.my_user_id and of '
  'private.require_open_plan.';
grant execute on function public.spend_points_for(uuid, uuid, integer, uuid, uuid) to authenticated;

create function private.give_points_back(p_spend public.points_spends) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- Before the entries and the stock, as whoever spends: two orders would make deadlocks.
  perform 1 from public.customers c
  where c.org_id = p_spend.org_id and c.id in (
    select l.customer_id from public.points_ledger l where l.org_id = p_spend.org_id and l.spend_id = p_spend.id)
  order by c.id for no key update;
  insert into public.points_ledger (org_id, customer_id, kind, points, lot_id, spend_id)
  select l.org_id, l.customer_id, 'returned', - l.points, l.lot_id, l.spend_id
  from public.points_ledger l
  where l.org_id = p_spend.org_id and l.spend_id = p_spend.id and l.kind = 'spent';
  update public.points_rewards r set stock = r.stock + 1
  where r.org_id = p_spend.org_id and r.id = p_spend.points_reward_id and r.stock >= 0;
end;
$$;
comment on function private.give_points_back(public.points_spends) is
  'Gives the points of a spend back to the entries that they came from, whose ends stay, and its reward to the stock.';

create function private.expire_points(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_spends public.points_spends[];
  v_lots public.points_ledger[];
  v_spend public.points_spends;
begin
  v_spends := array(
    select s from public.points_spends s
    where private.is_over(s.status, s.expires_at)
    order by s.expires_at limit p_limit);
  -- Rewards before the codes that were bought with them, as whoever deletes one: two orders would make deadlocks.
  perform 1 from public.points_rewards r
  where (r.org_id, r.id) in (select s.org_id, s.points_reward_id from unnest(v_spends) s)
  order by r.id for key share;
  -- A code that a till is using right now is left to that till.
  v_spends := array(
    select s from unnest(v_spends) o
    join public.points_spends s on s.org_id = o.org_id and s.id = o.id
    where private.is_over(s.status, s.expires_at)
    order by s.expires_at for update of s skip locked);
  v_lots := array(
    select l from public.points_ledger l
    where l.remaining > 0 and l.expires_at <= now()
    order by l.expires_at limit p_limit);
  -- People in the order in which spends lock them: two orders would make deadlocks.
  perform 1 from public.customers c
  where (c.org_id, c.id) in (
    select l.org_id, l.customer_id from unnest(v_lots) l
    union
    select l.org_id, l.customer_id from unnest(v_spends) s
    join public.points_ledger l on l.org_id = s.org_id and l.spend_id = s.id)
  order by c.id for no key update;
  foreach v_spend in array v_spends loop
    update public.points_spends s set status = 'expired' where s.org_id = v_spend.org_id and s.id = v_spend.id;
    perform private.give_points_back(v_spend);
  end loop;
  insert into public.points_ledger (org_id, customer_id, kind, points, lot_id)
  select l.org_id, l.customer_id, 'expired', - l.remaining, l.id
  from unnest(v_lots) o
  join public.points_ledger l on l.org_id = o.org_id and l.id = o.id
  where l.remaining > 0;
  return cardinality(v_spends) + cardinality(v_lots);
end;
$$;
comment on function private.expire_points(integer) is
  'Job: removes points whose last instant has passed, and gives back those of a code that expired unused. Of these the '
  'next run removes what has ended meanwhile.';
insert into private.jobs (name, run_every) values ('expire_points', interval '1 hour');

create function private.points_code(p_code text, p_store_id uuid) returns public.points_spends
language sql stable set search_path = ''
as $$
  select p.* from public.stores s
  join public.points_spends p on p.org_id = s.org_id
  where s.id = p_store_id and p.code_key = private.code_key(coalesce(p_code, ''));
$$;
comment on function private.points_code(text, uuid) is
  'The spend whose code somebody shows at a store, whatever its case and spaces; null where the organisation has none. Asks no permission.';

create function private.describe_points_code(p_state text, p_spend public.points_spends, p_store_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'state', p_state,
    'code', p_spend.code,
    'reward', jsonb_build_object('id', coalesce(p_spend.points_reward_id, p_spend.id), 'name', p_spend.reward_name, 'type', 'gift'),
    'customer', (
      select jsonb_build_object('name', private.name_or_email(c.name, c.email))
      from public.customers c where c.org_id = p_spend.org_id and c.id = p_spend.customer_id),
    'store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s where s.org_id = p_spend.org_id and s.id = coalesce(p_spend.used_store_id, p_store_id)),
    'expires_at', p_spend.expires_at,
    'used_at', p_spend.used_at,
    'used_by', coalesce(private.user_name(p_spend.used_by), (
      select k.name from private.api_keys k where k.org_id = p_spend.org_id and k.id = p_spend.used_key_id)),
    'undo_id', case
      when p_state in ('redeemed', 'used') and private.may_restore(p_spend.used_at) then p_spend.id end,
    'points', p_spend.points);
$$;
comment on function private.describe_points_code(text, public.points_spends, uuid) is
  'Description for the till of a code that points were spent for: the shape is codeLookup of _shared/domain.';

create function private.lookup_points_code(p_code text, p_store_id uuid) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_spend constant public.points_spends := private.points_code(p_code, p_store_id);
begin
  if v_spend.id is null then
    return null;
  end if;
  return private.describe_points_code(private.points_code_state(v_spend), v_spend, p_store_id);
end;
$$;
comment on function private.lookup_points_code(text, uuid) is
  'State of a code that points were spent for, before it is used (private.describe_points_code); null where there is none. '
  'For whoever was let to that till already.';

create function private.use_points_code(
  p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid, p_request_id uuid, out outcome text, out body jsonb
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_spend public.points_spends := private.points_code(p_code, p_store_id);
begin
  if v_spend.id is null then
    return;
  end if;
  update public.points_spends s
  set status = 'used', used_at = now(), used_by = p_user_id, used_key_id = p_key_id, used_store_id = p_store_id,
    used_request_id = p_request_id
  where s.org_id = v_spend.org_id and s.id = v_spend.id and private.is_in_force(s.status, s.expires_at);
  if found then
    outcome := 'redeemed';
    update public.customers c set last_activity_at = now()
    where c.org_id = v_spend.org_id and c.id = v_spend.customer_id;
  end if;
  select * into v_spend from public.points_spends s where s.org_id = v_spend.org_id and s.id = v_spend.id;
  -- The use that counts now may be this very request's, whose answer was lost.
  if outcome is null then
    outcome := case
      when v_spend.status = 'used' and v_spend.used_request_id = p_request_id and v_spend.used_store_id = p_store_id
        and (v_spend.used_by = p_user_id or v_spend.used_key_id = p_key_id) then 'redeemed'
      else private.points_code_state(v_spend) end;
  end if;
  body := private.describe_points_code(outcome, v_spend, p_store_id);
end;
$$;
comment on function private.use_points_code(uuid, uuid, text, uuid, uuid) is
  'Uses a code that points were spent for, once, at any store of the organisation, for a person or a key of the API: the '
  'outcome (redeemed, used or expired) and what the till shows; nulls where there is no such code. For whoever was let to '
  'that till already (private.use_code).';

create function private.restore_points_code(p_id uuid) returns boolean
language plpgsql volatile set search_path = ''
as $$
declare
  v_spend public.points_spends;
begin
  -- The reward before the code that was bought with it, as whoever deletes it: two orders would make deadlocks.
  perform 1 from public.points_rewards r
  where (r.org_id, r.id) = (
    select s.org_id, s.points_reward_id from public.points_spends s
    where s.org_id = any (array(select private.my_org_ids('codes.redeem'))) and s.id = p_id)
  for key share;
  select * into v_spend from public.points_spends s
  where s.org_id = any (array(select private.my_org_ids('codes.redeem'))) and s.id = p_id
  for no key update;
  if not found then
    return false;
  elsif exists (
    select 1 from public.organization_members m
    where m.user_id = (select private.my_user_id())
      and private.bound_store(m.role, m.store_id) <> v_spend.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_spend.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_spend.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.points_spends s
  set status = case when s.by_team then 'expired' else 'available' end,
    used_at = null, used_by = null, used_key_id = null, used_store_id = null, used_request_id = null
  where s.org_id = v_spend.org_id and s.id = p_id;
  if v_spend.by_team then
    perform private.give_points_back(v_spend);
  end if;
  perform private.audit(v_spend.org_id, 'code.restored', 'redemption', p_id, jsonb_build_object('name', v_spend.reward_name));
  return true;
end;
$$;
comment on function private.restore_points_code(uuid) is
  'Makes a code that points were spent for good again, with the rules and errors of restore_code; where staff spent them, the '
  'points go back instead. False when the identifier is none of the signed-in user''s organisation.';

create function private.customer_spends(p_org_id uuid, p_customer_id uuid, p_has_codes boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.created_at, 'reward', s.reward_name, 'points', s.points,
    'status', private.points_code_state(s), 'used_at', s.used_at, 'code', case when p_has_codes then s.code end)
    order by s.id desc), '[]'::jsonb)
  from (
    select * from public.points_spends v
    where v.org_id = p_org_id and v.customer_id = p_customer_id
    order by v.id desc limit 20
  ) s;
$$;
comment on function private.customer_spends(uuid, uuid, boolean) is
  'The last 20 times that a customer spent points, newest first, with their codes where asked.';

create function public.points_catalogue(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_balances bigint[];
  v_holders bigint[];
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Many customers have the same balance: each is divided once.
  select array_agg(h.balance), array_agg(h.holders) into v_balances, v_holders
  from (
    select c.balance, count(*) as holders
    from (
      select sum(l.remaining) as balance from public.points_ledger l
      where l.org_id = p_org_id and private.is_spendable(l)
      group by l.customer_id
    ) c
    group by c.balance
  ) h;
  return jsonb_build_object(
    'owed', jsonb_build_object(
      'points', (select coalesce(sum(b * n), 0) from unnest(v_balances, v_holders) h (b, n)),
      'customers', (select coalesce(sum(n), 0) from unnest(v_holders) n),
      'codes', (select count(*) from public.points_spends s
        where s.org_id = p_org_id and private.is_in_force(s.status, s.expires_at))),
    'earns', exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.type = 'points' and r.active and r.archived_at is null),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'version', r.version, 'name', r.name, 'translations', r.translations, 'cost', r.cost, 'stock', r.stock, 'active', r.active,
        -- Balances of several customers are not added up: each spends their own.
        'affordable', (select coalesce(sum(b / r.cost * n), 0) from unnest(v_balances, v_holders) h (b, n)),
        'spends', (select count(*) from public.points_spends s
          where s.org_id = p_org_id and s.points_reward_id = r.id and s.status <> 'expired'))
        order by r.cost, r.name, r.id)
      from public.points_rewards r where r.org_id = p_org_id), '[]'::jsonb));
end;
$$;
comment on function public.points_catalogue(uuid) is
  'Rewards that an organisation gives for points, cheapest first. How many of each its customers could have now and how '
  'many they have had, and what it owes: points that can be spent, of how many customers, and codes that wait. earns '
  'tells whether a reward in use wins points. The shape is pointsCatalogue of _shared/domain. Error 42501 without the '
  'permissions rewards.read and activity.read there.';
grant execute on function public.points_catalogue(uuid) to authenticated;

-- Permissions -------------------------------------------------------------------------------------

alter table public.points_rewards enable row level security;
grant select, delete, insert (id, org_id, name, cost, stock, active, translations),
  update (name, cost, stock, active, translations)
  on public.points_rewards to authenticated;
grant select, insert, update, delete on public.points_rewards to service_role;
create policy "Members read the rewards for points" on public.points_rewards
  for select to authenticated using (org_id = (select private.my_org_ids('rewards.read')));
create policy "Members add rewards for points" on public.points_rewards
  for insert to authenticated with check (org_id = (select private.my_org_ids('rewards.write')));
create policy "Members change rewards for points" on public.points_rewards
  for update to authenticated
  using (org_id = (select private.my_org_ids('rewards.write')))
  with check (org_id = (select private.my_org_ids('rewards.write')));
create policy "Owners and admins delete rewards for points" on public.points_rewards
  for delete to authenticated using (org_id = (select private.my_org_ids('rewards.delete')));

alter table public.points_spends enable row level security;
grant select on public.points_spends to authenticated;
grant select, insert, update, delete on public.points_spends to service_role;
create policy "Members read the codes for points" on public.points_spends
  for select to authenticated
  using (org_id = (select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read')));
