-- Spins: the draw, and what one spin writes.
--
-- A spin moves real prizes. It is drawn here, where no client can reach, in one transaction with the stock, the code and the
-- counters: whatever breaks, all of it happened once or none of it did. The draw knows neither the rating nor the text nor
-- the click of the review: nothing below reads them.

create table public.spins (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  customer_id uuid,
  review_id uuid,
  play_id uuid,
  segment_id uuid not null,
  reward_id uuid,
  end_user_email text,
  end_user_name text,
  result_type text not null check (result_type in ('reward', 'lose')),
  nonce uuid not null,
  rules_version integer not null,
  result json not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id),
  foreign key (org_id, review_id) references public.pre_spin_reviews (org_id, id) on delete set null (review_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict,
  check ((result_type = 'reward') = (reward_id is not null))
);
create unique index spins_review_key on public.spins (org_id, review_id) where review_id is not null;
create unique index spins_play_key on public.spins (org_id, campaign_id, play_id) where play_id is not null;
create index spins_org_campaign_idx on public.spins (org_id, campaign_id, created_at desc);
create index spins_org_customer_idx on public.spins (org_id, customer_id, created_at desc);
create index spins_org_reward_idx on public.spins (org_id, reward_id) where reward_id is not null;
create index spins_org_created_idx on public.spins (org_id, created_at desc);
create index spins_org_store_idx on public.spins (org_id, store_id);
comment on table public.spins is 'A spin, drawn by the server (specification, section 3).';
comment on column public.spins.id is 'Identifier.';
comment on column public.spins.org_id is 'Organisation.';
comment on column public.spins.campaign_id is 'Campaign.';
comment on column public.spins.store_id is 'Store of the campaign at the time.';
comment on column public.spins.customer_id is 'Player; null once the customer is erased.';
comment on column public.spins.review_id is 'Review that gave the spin: one spin a review.';
comment on column public.spins.play_id is 'Key of a spin without a review, made by the page: one spin a key.';
comment on column public.spins.segment_id is 'Segment that was drawn. No foreign key: wheels are redrawn, history stays.';
comment on column public.spins.reward_id is 'Reward won; null for a loss.';
comment on column public.spins.end_user_email is 'E-mail at the time.';
comment on column public.spins.end_user_name is 'Name at the time.';
comment on column public.spins.result_type is 'reward (a win) or lose.';
comment on column public.spins.nonce is 'Random identifier of the draw, for its audit.';
comment on column public.spins.rules_version is 'Version of the rules that it was played under.';
comment on column public.spins.result is 'The answer that was given, letter for letter: a repeated call gets it again.';
comment on column public.spins.created_at is 'When.';
create trigger count_win after insert on public.spins
  for each row when (new.reward_id is not null) execute function private.count_win();

create table public.points_ledger (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  customer_id uuid not null,
  spin_id uuid,
  reward_id uuid,
  points integer not null check (points <> 0),
  created_at timestamptz not null default now(),
  kind text not null default 'earned' check (kind in ('earned', 'spent', 'returned', 'expired')),
  lot_id uuid,
  spend_id uuid,
  expires_at timestamptz,
  remaining integer,
  primary key (org_id, id),
  unique (org_id, spin_id),
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete cascade,
  foreign key (org_id, spin_id) references public.spins (org_id, id) on delete restrict,
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict,
  foreign key (org_id, lot_id) references public.points_ledger (org_id, id) on delete cascade,
  constraint points_ledger_lot_check
    check ((kind = 'earned') = (lot_id is null) and (kind = 'earned') = (remaining is not null)),
  constraint points_ledger_spend_check check ((kind in ('spent', 'returned')) = (spend_id is not null)),
  constraint points_ledger_sign_check check ((points > 0) = (kind in ('earned', 'returned'))),
  constraint points_ledger_remaining_check check (remaining between 0 and points)
);
create index points_ledger_customer_idx on public.points_ledger (org_id, customer_id, created_at desc);
create index points_ledger_reward_idx on public.points_ledger (org_id, reward_id);
create index points_ledger_lot_idx on public.points_ledger (org_id, lot_id) where lot_id is not null;
create index points_ledger_spend_idx on public.points_ledger (org_id, spend_id) where spend_id is not null;
-- The points that are owed are added up from the index alone.
create index points_ledger_open_idx on public.points_ledger (org_id, customer_id) include (remaining, expires_at) where remaining > 0;
create index points_ledger_expiry_idx on public.points_ledger (expires_at) where remaining > 0;
comment on table public.points_ledger is
  'Points of customers: each entry is added, none is changed but for what is left of it. Points rewards are credited '
  'automatically and need no code (specification, section 5).';
comment on column public.points_ledger.id is 'Identifier.';
comment on column public.points_ledger.org_id is 'Organisation.';
comment on column public.points_ledger.customer_id is 'Customer.';
comment on column public.points_ledger.spin_id is 'Spin that won them; one entry a spin.';
comment on column public.points_ledger.reward_id is 'Reward.';
comment on column public.points_ledger.points is 'Points added (earned, returned) or taken (spent, expired), which are negative.';
comment on column public.points_ledger.created_at is 'When.';
comment on column public.points_ledger.kind is
  'earned (by a spin), spent, returned (a spend was taken back or never fetched) or expired (by time).';
comment on column public.points_ledger.lot_id is 'Earned entry that points were taken from, or given back to; null for an earned one.';
comment on column public.points_ledger.spend_id is 'Spend that took them or gave them back.';
comment on column public.points_ledger.expires_at is 'Last second in which earned points can be spent; null is without end.';
comment on column public.points_ledger.remaining is 'Rest of earned points, never below zero; null for every other entry.';

create function private.fill_points_lot() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.remaining := new.points;
  return new;
end;
$$;
comment on function private.fill_points_lot() is 'Earned points are all left at first.';
create trigger fill_points_lot before insert on public.points_ledger
  for each row when (new.kind = 'earned') execute function private.fill_points_lot();

create function private.book_points() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.points_ledger l set remaining = l.remaining + new.points
  where l.org_id = new.org_id and l.id = new.lot_id;
  return null;
end;
$$;
comment on function private.book_points() is
  'Takes spent and expired points from the entry that earned them, and puts returned ones back: less than nothing, and more '
  'than was earned, is refused by a check.';
create trigger book_points after insert on public.points_ledger
  for each row when (new.lot_id is not null) execute function private.book_points();

create table public.usage_alerts (
  org_id uuid not null references public.organizations (id) on delete cascade,
  month date not null,
  threshold smallint not null check (threshold in (80, 100)),
  created_at timestamptz not null default now(),
  primary key (org_id, month, threshold)
);
comment on table public.usage_alerts is
  'Notices of use to a merchant: the month''s spins reached 80% or 100% of the plan.';
comment on column public.usage_alerts.org_id is 'Organisation.';
comment on column public.usage_alerts.month is 'First day of the month.';
comment on column public.usage_alerts.threshold is 'Percent of the plan''s spins: 80 or 100.';
comment on column public.usage_alerts.created_at is 'When it was reached.';

create function private.monthly_spins_used(p_org_id uuid, p_day date) returns integer
language plpgsql stable set search_path = ''
as $$
declare
  v_from constant date := date_trunc('month', p_day)::date;
  v_to constant date := (date_trunc('month', p_day) + interval '1 month')::date;
begin
  -- Not through day_figures_now: the draw calls this, and may read the number of spins alone.
  return coalesce((
    select sum(f.spins) from private.folded_days f
    where f.org_id = p_org_id and f.day >= v_from and f.day < v_to
  ), 0) + coalesce((
    select sum(d.spins) from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= v_from and d.day < v_to
  ), 0);
end;
$$;
comment on function private.monthly_spins_used(uuid, date) is
  'Spins of an organisation in the calendar month of a day: what the plan limits.';

create function private.wins_of(p_org_id uuid, p_customer_id uuid, p_reward_id uuid) returns bigint
language sql stable
return (
  select count(*) from public.spins w
  where w.org_id = p_org_id and w.customer_id = p_customer_id and w.reward_id = p_reward_id
);
comment on function private.wins_of(uuid, uuid, uuid) is 'How often a customer has won a reward.';

create function private.random_below(p_bound integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  -- The largest multiple of the bound that 32 bits hold: above it a remainder would favour small numbers.
  v_ceiling constant bigint := 4294967296 - 4294967296 % p_bound;
  v_bytes bytea;
  v_number bigint;
begin
  loop
    -- The first 48 bits of a version 4 UUID are plain output of the cryptographic generator.
    v_bytes := uuid_send(gen_random_uuid());
    -- (<< and | bind equally in SQL: every shift needs its parentheses.)
    v_number := (get_byte(v_bytes, 0)::bigint << 24) | (get_byte(v_bytes, 1) << 16)
      | (get_byte(v_bytes, 2) << 8) | get_byte(v_bytes, 3);
    exit when v_number < v_ceiling;
  end loop;
  return v_number % p_bound;
end;
$$;
comment on function private.random_below(integer) is
  'A number from 0 to p_bound - 1, each as likely, from the database''s cryptographic generator.';

create function private.draw_segment(p_weights integer[], p_rewards uuid[], p_is_drawable boolean[]) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_total integer := 0;
  v_winning integer := 0;
  v_losing integer := 0;
  v_point integer;
  v_is_win boolean;
begin
  for i in 1..coalesce(array_length(p_weights, 1), 0) loop
    v_total := v_total + p_weights[i];
    if p_rewards[i] is null then
      v_losing := v_losing + p_weights[i];
    elsif p_is_drawable[i] then
      v_winning := v_winning + p_weights[i];
    end if;
  end loop;
  if v_losing = 0 then
    if v_winning = 0 then
      return null;
    end if;
    v_total := v_winning;
  end if;

  -- Odds that cannot be won go to the losing segments in proportion: a point anywhere outside the winning
  -- stretch loses, and a second draw says on which segment.
  v_point := private.random_below(v_total);
  v_is_win := v_point < v_winning;
  if not v_is_win then
    v_point := private.random_below(v_losing);
  end if;
  for i in 1..array_length(p_weights, 1) loop
    continue when (p_rewards[i] is null) = v_is_win or (v_is_win and not p_is_drawable[i]);
    v_point := v_point - p_weights[i];
    if v_point < 0 then
      return i;
    end if;
  end loop;
end;
$$;
comment on function private.draw_segment(integer[], uuid[], boolean[]) is
  'Index (from 1) of the segment drawn by weight; a segment without reward loses. A reward that is not drawable leaves its '
  'weight to the losing segments in proportion, or is spread over the rest when there is none (design, section 4); null '
  'when no weight is left.';

-- Reviews, spins and codes keep the address that was typed, even a stranger's.
create function private.find_or_create_customer(
  p_org_id uuid, p_store_id uuid, p_first_name text, p_last_name text, p_name text,
  p_email text, p_phone text, p_consent_marketing boolean, p_spins integer default 0,
  p_locale text default null,
  out customer_id uuid, out is_new boolean
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_email text := private.normalize_email(p_email);
  v_phone text := private.normalize_phone(p_phone);
begin
  if not private.is_email(p_email) then
    raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
  end if;
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
      (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, last_activity_at, spin_count,
        locale)
    values (p_org_id, p_store_id, p_first_name, p_last_name, p_name, p_email, p_phone, p_consent_marketing, now(), p_spins,
      coalesce(p_locale, 'fr'))
    on conflict do nothing
    returning c.id into customer_id;
    if customer_id is not null then
      is_new := true;
      exit;
    end if;
  end loop;
end;
$$;
comment on function private.find_or_create_customer(uuid, uuid, text, text, text, text, text, boolean, integer, text) is
  'The customer whom an e-mail (first) or a phone names in an organisation, made when new, with p_spins spins '
  'and the language of the page. '
  'The names of a known customer stay: whoever types somebody''s address must not rename them. The row is locked until '
  'the end of the transaction, so that two calls of one person take turns. Error 23514 when the e-mail is no address.';

create function public.spin_wheel(
  p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text,
  p_device_hash text, p_address_hash text, p_presence text default null, p_locale text default null,
  out outcome text, out body text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_campaign record;
  v_today date;
  v_person record;
  v_customer_id uuid;
  v_is_new boolean := false;
  v_name text := private.clean_line(p_name);
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_hits integer;
  v_last_day date;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
  v_spin_id uuid;
  v_nonce uuid;
  v_code text;
  v_expires_at timestamptz;
begin
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins, k.device_daily_limit,
    k.presence, k.presence_key,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
  left join private.check_settings k on k.org_id = c.org_id and k.campaign_id = c.id
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- One call a key at a time; a repeated call gets the first answer, letter for letter, whatever has
  -- changed since.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_review_id, p_play_id)::text, 2));
  if p_review_id is not null then
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.review_id = p_review_id and s.campaign_id = p_campaign_id;
  else
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.campaign_id = p_campaign_id and s.play_id = p_play_id;
  end if;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if not v_campaign.is_running then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- High for an address, since a shop's Wi-Fi and a mobile network are shared; lower for one device.
  v_retry_after := private.count_attempt(
    array[
      'spin address ' || p_address_hash || ' ' || p_campaign_id::text,
      'spin device ' || p_device_hash || ' ' || p_campaign_id::text
    ],
    '{600,20}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  if v_campaign.presence is not null
    and not private.is_presence_pass(v_campaign.presence_key, p_presence, p_device_hash, now())
  then
    outcome := 'presence_missing';
    return;
  end if;

  -- The customer, whose row is locked: of two spins of one person the second waits, and then counts the first.
  if p_review_id is not null then
    select r.customer_id, r.customer_name, r.customer_email into v_customer_id, v_name, v_email
    from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.id = p_review_id and r.campaign_id = p_campaign_id;
    if v_customer_id is null then
      outcome := 'review_not_found';
      return;
    end if;
    perform 1 from public.customers c
    where c.org_id = v_campaign.org_id and c.id = v_customer_id for no key update;
    if not found then
      outcome := 'review_not_found';
      return;
    end if;
  else
    -- A new customer is stored with this spin counted: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      v_name, p_email, p_phone, false, p_spins => 1, p_locale => p_locale);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- Play interval: one spin in that many calendar days of the store; without an interval, 30 an hour.
  if not v_is_new then
    if v_campaign.play_interval_days > 0 then
      select max(s.created_at at time zone v_campaign.timezone)::date into v_last_day
      from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id;
      if v_last_day + v_campaign.play_interval_days > v_today then
        outcome := 'already_played';
        retry_at := (v_last_day + v_campaign.play_interval_days)::timestamp at time zone v_campaign.timezone;
        return;
      end if;
    elsif (
      select count(*) from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id
        and s.created_at > now() - interval '1 hour'
    ) >= 30 then
      outcome := 'too_many_attempts';
      retry_at := now() + interval '1 hour';
      return;
    end if;
  end if;

  -- Does the plan leave a spin? Only a limited plan makes its customers take turns, at most its limit times a month.
  if v_campaign.monthly_spins >= 0 then
    -- Not the plan's row: whoever switches a campaign on waits for that, and this waits for a reward that somebody changes.
    perform pg_advisory_xact_lock(hashtextextended('spins of ' || v_campaign.org_id, 0));
    v_used := private.monthly_spins_used(v_campaign.org_id, v_today);
    if v_used >= v_campaign.monthly_spins then
      outcome := 'spins_used_up';
    end if;
  end if;

  -- Does the merchant's limit leave one to this device today? What the plan has refused does not count.
  if outcome is null and v_campaign.device_daily_limit is not null then
    -- In one row, so that spins at the same instant take turns, and for the store's own day.
    insert into private.rate_limits as l (key, window_start, shard, hits, expires_at)
    values ('spin day ' || p_device_hash || ' ' || p_campaign_id::text, v_today::timestamp at time zone v_campaign.timezone, 0, 1,
      (v_today + 2)::timestamp at time zone v_campaign.timezone)
    on conflict (key, window_start, shard) do update set hits = l.hits + 1
    returning l.hits into v_hits;
    if v_hits > v_campaign.device_daily_limit then
      outcome := 'too_many_attempts';
      retry_at := (v_today + 1)::timestamp at time zone v_campaign.timezone;
    end if;
  end if;

  -- The draw. A stock that somebody else emptied in the meantime only means drawing again without it.
  while outcome is null loop
    v_wheel := private.wheel(v_campaign.org_id, p_campaign_id, case when not v_is_new then v_customer_id end);
    v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable);
    if v_index is null or v_wheel.is_example then
      outcome := 'nothing_to_draw';
      exit;
    end if;
    exit when v_wheel.reward_ids[v_index] is null;

    select * into v_reward from public.rewards r
    where r.org_id = v_campaign.org_id and r.id = v_wheel.reward_ids[v_index];
    if v_reward.stock = -1 then
      -- A reward that was never won may be deleted at this instant.
      perform 1 from public.rewards r where r.org_id = v_campaign.org_id and r.id = v_reward.id for key share;
      exit when found;
    end if;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is null then
    -- A campaign in which nobody ever took part may be deleted at this instant; a reward that it shared stays.
    perform 1 from public.campaigns c where c.id = p_campaign_id for key share;
    if not found then
      outcome := 'campaign_not_found';
      update public.rewards r set stock = r.stock + 1
      where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock >= 0 and v_reward.stock > 0;
    end if;
  end if;
  if outcome is not null then
    -- Refused: nothing is stored, not even who asked.
    if v_is_new then
      delete from public.customers c where c.org_id = v_campaign.org_id and c.id = v_customer_id;
    end if;
    return;
  end if;

  v_spin_id := private.uuid_v7();
  v_nonce := gen_random_uuid();
  if v_reward.type in ('coupon', 'gift') then
    v_expires_at := private.day_end(
      v_today + private.validity_days(v_reward.type, v_reward.metadata), v_campaign.timezone);
    loop
      insert into public.redemptions as d (
        org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        end_user_email, end_user_name, expires_at
      ) values (
        v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_reward.id, v_spin_id, v_customer_id,
        private.random_code(v_reward.code_template), v_reward.name, v_email, v_name, v_expires_at
      )
      on conflict (org_id, code_key) do nothing
      returning d.code into v_code;
      exit when v_code is not null;
    end loop;
  end if;
  body := json_build_object(
    'spin_id', v_spin_id,
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_reward.id is not null then
      json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type) end,
    'redemption_code', v_code,
    'expires_at', v_expires_at,
    'nonce', v_nonce
  )::text;

  insert into public.spins (
    id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
    end_user_email, end_user_name, result_type, nonce, rules_version, result
  ) values (
    v_spin_id, v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_customer_id, p_review_id,
    case when p_review_id is null then p_play_id end, v_wheel.segment_ids[v_index], v_reward.id,
    v_email, v_name, case when v_reward.id is null then 'lose' else 'reward' end,
    v_nonce, v_campaign.rules_version, body::json
  );
  -- Judged within a minute, by a job: nobody in a queue waits for it.
  insert into private.spin_origins (org_id, spin_id, campaign_id, customer_id, device_key, network_key)
  values (v_campaign.org_id, v_spin_id, p_campaign_id, v_customer_id, p_device_hash, p_address_hash);
  if v_reward.type = 'points' then
    insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points, expires_at)
    values (v_campaign.org_id, v_customer_id, v_spin_id, v_reward.id, (v_reward.metadata ->> 'points')::integer,
      private.day_end(v_today + private.validity_days(v_reward.type, v_reward.metadata), v_campaign.timezone));
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1,
      locale = coalesce(p_locale, c.locale)
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null,
    p_points_wins => coalesce(v_reward.type = 'points', false)::integer);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$$;
comment on function public.spin_wheel(uuid, uuid, uuid, text, text, text, text, text, text, text) is
  'One spin for a review, or for a contact with a key of its own: exactly once a key. body is the spin '
  'result of the specification (section 3), the same bytes when repeated. Outcomes: spun, repeated, '
  'campaign_not_found, review_not_found, presence_missing (the campaign asks for a pass of prove_presence, p_presence), '
  'already_played and too_many_attempts (retry_at says when again), spins_used_up, nothing_to_draw. The customer keeps the language of the page (p_locale) where one is given. Refusals store nothing but the count of attempts.';
grant execute on function public.spin_wheel(uuid, uuid, uuid, text, text, text, text, text, text, text) to service_role;

create function public.test_spin(
  p_campaign_id uuid, p_address_hash text, out outcome text, out body text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_timezone text;
  v_retry_after integer;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
begin
  select c.org_id, s.timezone into v_org_id, v_timezone
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  where c.id = p_campaign_id and private.is_running(c, u);
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  v_retry_after := private.count_attempt(array['test address ' || p_address_hash], '{600}', interval '10 minutes');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  -- A test shows the whole wheel that customers see: stocks and earlier wins do not count here.
  v_wheel := private.wheel(v_org_id, p_campaign_id, null);
  v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_shown);
  if v_index is null then
    outcome := 'nothing_to_draw';
    return;
  end if;
  if v_wheel.reward_ids[v_index] is not null then
    select * into v_reward from public.rewards r
    where r.org_id = v_org_id and r.id = v_wheel.reward_ids[v_index];
  end if;

  body := json_build_object(
    'spin_id', gen_random_uuid(),
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_wheel.reward_ids[v_index] is not null then json_build_object(
      'id', v_wheel.reward_ids[v_index],
      'name', coalesce(v_reward.name, v_wheel.labels[v_index]),
      'type', coalesce(v_reward.type, 'gift')) end,
    'redemption_code', case when v_wheel.reward_ids[v_index] is not null and v_reward.type is distinct from 'points'
      then private.random_code('TEST-{random}') end,
    'expires_at', case when v_wheel.reward_ids[v_index] is not null and v_reward.type is distinct from 'points'
      then private.day_end(
        private.now_in(v_timezone)::date + private.validity_days(v_reward.type, v_reward.metadata), v_timezone) end,
    'nonce', gen_random_uuid()
  )::text;
  outcome := 'spun';
end;
$$;
comment on function public.test_spin(uuid, text) is
  'A draw without consequence for the test mode (design, section 4): nothing is stored, no stock is taken, the '
  'code is marked TEST and cannot be redeemed. Outcomes: spun, campaign_not_found, too_many_attempts, nothing_to_draw.';
grant execute on function public.test_spin(uuid, text) to service_role;

create function private.customer_spins(p_org_id uuid, p_customer_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'at', s.created_at, 'campaign', c.name,
    'reward', w.name, 'value', w.value, 'points', l.points) order by s.created_at desc, s.id desc), '[]'::jsonb)
  from (
    select * from public.spins v where v.org_id = p_org_id and v.customer_id = p_customer_id
    order by v.created_at desc, v.id desc limit 20
  ) s
  left join public.campaigns c on c.org_id = s.org_id and c.id = s.campaign_id
  left join public.rewards w on w.org_id = s.org_id and w.id = s.reward_id
  left join public.points_ledger l on l.org_id = s.org_id and l.spin_id = s.id;
$$;
comment on function private.customer_spins(uuid, uuid) is 'The last 20 spins of a customer, newest first, with what they won.';

-- Permissions -------------------------------------------------------------------------------------

alter table public.spins enable row level security;
grant select on public.spins to authenticated;
grant select, insert, update, delete on public.spins to service_role;
create policy "Members read the spins" on public.spins
  for select to authenticated
  using (org_id = (select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read')));

alter table public.points_ledger enable row level security;
grant select on public.points_ledger to authenticated;
grant select, insert, update, delete on public.points_ledger to service_role;
create policy "Members read the points" on public.points_ledger
  for select to authenticated
  using (org_id = (select private.my_org_ids('customers.read')));

alter table public.usage_alerts enable row level security;
grant select on public.usage_alerts to authenticated;
grant select, insert, update, delete on public.usage_alerts to service_role;
create policy "Members read the usage alerts" on public.usage_alerts
  for select to authenticated using (org_id = (select private.my_org_ids('activity.read')));
