-- Codes: what was won, used at a till, given back, exported, and asked about by its winner.
--
-- At the till one code is worth one prize. Whether it is used is decided by one conditional update, so that fifty tills
-- at once make one success; and no answer tells that another merchant's code exists. Mails, tickets and tills name the
-- last day of a prize, without an hour: a code ends with that day, where the store is. A prize is fetched days later.
-- Its winner can ask from the phone that won whether it still waits, and have it sent by e-mail. The secret is the
-- draw's nonce, which only that phone has. The mail goes to the address that was given for the spin, with a limit for
-- each address: no client can make the platform write to strangers.

create table public.redemptions (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  campaign_id uuid not null,
  store_id uuid not null,
  reward_id uuid not null,
  spin_id uuid,
  customer_id uuid,
  code text not null check (length(code) between 4 and 64),
  code_key text generated always as (upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g'))) stored,
  status text not null default 'available' check (status in ('available', 'used', 'expired')),
  reward_name text not null,
  end_user_email text,
  end_user_name text,
  expires_at timestamptz,
  used_at timestamptz,
  used_by uuid references auth.users (id) on delete set null,
  used_store_id uuid,
  created_at timestamptz not null default now(),
  words text generated always as (
    private.code_words(code, upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g')), end_user_email, end_user_name)
  ) stored,
  verdict text check (verdict in ('held', 'cancelled')),
  primary key (org_id, id),
  unique (org_id, spin_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, used_store_id) references public.stores (org_id, id) on delete restrict,
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict,
  -- Checked at the end of the transaction: the code is drawn before its spin is written.
  foreign key (org_id, spin_id) references public.spins (org_id, id) deferrable initially deferred,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete set null (customer_id),
  check ((status = 'used') = (used_at is not null)),
  check (used_at is not null or (used_by is null and used_store_id is null)),
  check (verdict is null or (status <> 'used' and (verdict = 'held' or status = 'expired')))
) with (fillfactor = 85);
create unique index redemptions_org_code_key on public.redemptions (org_id, code_key);
create index redemptions_org_campaign_idx on public.redemptions (org_id, campaign_id, created_at desc);
create index redemptions_org_reward_idx on public.redemptions (org_id, reward_id, created_at desc);
create index redemptions_org_customer_idx on public.redemptions (org_id, customer_id, created_at desc);
create index redemptions_org_created_idx on public.redemptions (org_id, created_at desc);
create index redemptions_org_store_idx on public.redemptions (org_id, store_id);
create index redemptions_org_used_store_idx on public.redemptions (org_id, used_store_id, used_at desc)
  where used_store_id is not null;
create index redemptions_used_by_idx on public.redemptions (used_by) where used_by is not null;
create index redemptions_expiry_idx on public.redemptions (expires_at) where status = 'available';
-- Latest uses, without reading codes that were only won.
create index redemptions_org_used_at_idx on public.redemptions (org_id, used_at desc) where used_at is not null;
-- The list of a reward's codes by state.
create index redemptions_org_reward_status_idx on public.redemptions (org_id, reward_id, status, created_at desc, id desc);
-- The same by when they end.
create index redemptions_org_reward_expiry_idx on public.redemptions (org_id, reward_id, status, expires_at, id);
-- Few; the cancelled ones are those that the rules of the game count among what is left.
create index redemptions_verdict_idx on public.redemptions (org_id, reward_id, verdict, created_at desc, id desc)
  where verdict is not null;
-- Gestures of the team, which no counter of the wheel knows.
create index redemptions_goodwill_idx on public.redemptions (org_id, reward_id) where spin_id is null;
create index redemptions_words_idx on public.redemptions
  using gin (reward_id extensions.uuid_ops, words extensions.gin_trgm_ops);
comment on table public.redemptions is
  'A code that was won, or given by the team, and its use at the till (specification, section 3).';
comment on column public.redemptions.id is 'Identifier.';
comment on column public.redemptions.org_id is 'Organisation.';
comment on column public.redemptions.campaign_id is 'Campaign.';
comment on column public.redemptions.store_id is 'Store where the code is valid.';
comment on column public.redemptions.reward_id is 'Reward.';
comment on column public.redemptions.spin_id is 'Spin that won it, one code a spin; null for one that the team gave (32_goodwill.sql).';
comment on column public.redemptions.customer_id is 'Whose code; null once the customer is erased.';
comment on column public.redemptions.code is 'Code as printed on the ticket.';
comment on column public.redemptions.code_key is 'The code without case, spaces and signs, unique within the organisation: what the till looks for.';
comment on column public.redemptions.status is 'available, used (by staff) or expired (by time).';
comment on column public.redemptions.reward_name is 'Name of the reward at the time.';
comment on column public.redemptions.end_user_email is 'E-mail at the time.';
comment on column public.redemptions.end_user_name is 'Name at the time.';
comment on column public.redemptions.expires_at is
  'Last second of the last day at the store; from the reward''s validity days, 30 by default.';
comment on column public.redemptions.used_at is 'When it was used.';
comment on column public.redemptions.used_by is 'Staff member who used it; null once that account is gone.';
comment on column public.redemptions.used_store_id is 'Store where it was used.';
comment on column public.redemptions.created_at is 'When it was won or given.';
comment on column public.redemptions.verdict is
  'held while the team checks it, cancelled by the team (28_checks.sql); null otherwise. Neither can be used.';
comment on column public.redemptions.words is 'Where it is looked for: the code, and its customer''s e-mail and name, as code_words writes them.';
create trigger count_code_change after update of status on public.redemptions
  for each row when (old.status is distinct from new.status and new.spin_id is not null) execute function private.count_code_change();
create constraint trigger count_code_of_campaign after update on public.redemptions
  deferrable initially deferred for each row
  when ((old.status = 'used') is distinct from (new.status = 'used') and new.spin_id is not null)
  execute function private.count_code_of_campaign();

create table public.redemption_events (
  id uuid not null default private.uuid_v7(),
  org_id uuid not null,
  redemption_id uuid not null,
  action text not null check (action in ('used', 'restored', 'expired', 'held', 'cancelled', 'released')),
  user_id uuid references auth.users (id) on delete set null,
  store_id uuid,
  created_at timestamptz not null default now(),
  api_key_id uuid,
  request_id uuid,
  primary key (org_id, id),
  foreign key (org_id, redemption_id) references public.redemptions (org_id, id) on delete cascade,
  foreign key (org_id, store_id) references public.stores (org_id, id) on delete restrict
);
create index redemption_events_redemption_idx on public.redemption_events (org_id, redemption_id, created_at);
create index redemption_events_user_idx on public.redemption_events (user_id) where user_id is not null;
create index redemption_events_store_idx on public.redemption_events (org_id, store_id) where store_id is not null;
create index redemption_events_api_key_idx on public.redemption_events (org_id, api_key_id) where api_key_id is not null;
comment on table public.redemption_events is
  'Uses and returns of codes, with person and time: the trace that a dispute asks for.';
comment on column public.redemption_events.id is 'Identifier.';
comment on column public.redemption_events.org_id is 'Organisation.';
comment on column public.redemption_events.redemption_id is 'Code.';
comment on column public.redemption_events.action is 
  'used, restored (undone by staff), expired (by time), or what a check led to: held, cancelled, released.';
comment on column public.redemption_events.user_id is 'Staff member; null for time, or once that account is gone.';
comment on column public.redemption_events.store_id is 'Store of the till.';
comment on column public.redemption_events.created_at is 'When.';
comment on column public.redemption_events.api_key_id is 'Key of the organisation that used the code in a person''s place.';
comment on column public.redemption_events.request_id is
  'Identifier of the till''s request: repeated after a lost answer, it gets that answer. Null when it did not say.';

create table private.prize_mails (
  org_id uuid not null,
  spin_id uuid not null,
  mails smallint not null default 1,
  sent_at timestamptz not null default now(),
  primary key (org_id, spin_id),
  foreign key (org_id, spin_id) references public.spins (org_id, id) on delete cascade
);
comment on table private.prize_mails is 'Which prizes were sent to their winners by e-mail; not to which address.';
comment on column private.prize_mails.org_id is 'Organisation.';
comment on column private.prize_mails.spin_id is 'Spin that won.';
comment on column private.prize_mails.mails is 'How often, 3 at most.';
comment on column private.prize_mails.sent_at is 'The last time.';

create table private.prize_reminders (
  org_id uuid not null,
  spin_id uuid not null,
  mail_id uuid,
  decided_at timestamptz not null default now(),
  primary key (org_id, spin_id),
  foreign key (org_id, spin_id) references public.spins (org_id, id) on delete cascade
);
comment on table private.prize_reminders is
  'Prizes whose reminder was decided on, once each: sent, or left out for want of an address.';
comment on column private.prize_reminders.org_id is 'Organisation.';
comment on column private.prize_reminders.spin_id is 'Spin that won.';
comment on column private.prize_reminders.mail_id is
  'The mail, which goes with its code as long as it has not left; null where none was written.';
comment on column private.prize_reminders.decided_at is 'When.';

create function private.is_over(p_status text, p_expires_at timestamptz) returns boolean
language sql stable
return p_status = 'available' and p_expires_at <= now();
comment on function private.is_over(text, timestamptz) is
  'Whether the time of a code, won or bought with points, is over although the job of the minute has not closed it yet. '
  'Planned as part of the query that calls it.';
grant execute on function private.is_over(text, timestamptz) to service_role;

create function private.is_in_force(p_status text, p_expires_at timestamptz) returns boolean
language sql stable
return p_status = 'available' and (p_expires_at is null or p_expires_at > now());
comment on function private.is_in_force(text, timestamptz) is
  'Whether a code, won or bought with points, is neither used nor over at this instant, whatever a check says of it. Planned '
  'as part of the query that calls it.';

create function private.check_redemption_status() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if (old.status = 'available' and new.status = 'used')
    or (new.status = 'expired' and private.is_over(old.status, old.expires_at))
    or (old.status = 'used' and new.status = 'available' and private.may_restore(old.used_at))
    or (old.status = 'available' and new.status = 'expired' and new.verdict = 'cancelled')
    or (old.status = 'expired' and new.status = 'available' and old.verdict is not null and new.verdict is null)
  then
    return null;
  end if;
  raise exception 'redemption_transition_refused' using errcode = '23514',
    constraint = 'redemptions_status_transition', detail = old.status || ' -> ' || new.status;
end;
$$;
comment on function private.check_redemption_status() is
  'A code goes from available to used (staff) or expired (time, or cancelled), and back from used within 10 minutes, or from a '
  'decision that is taken back; nothing else. Error 23514, constraint redemptions_status_transition.';
-- After the update: a trigger before it would lock the code's key, which is generated. A till would wait for foreign keys that are checked
-- against the code, as those of the job judge_spins are.
create trigger check_redemption_status after update of status on public.redemptions
  for each row when (old.status is distinct from new.status)
  execute function private.check_redemption_status();

create function private.random_code(p_template text) returns text
language plpgsql volatile set search_path = ''
as $$
declare
  -- 32 signs without look-alikes (0/O, 1/I): 5 bits each, so no remainder favours any.
  v_alphabet constant text := 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  v_bytes constant bytea := uuid_send(gen_random_uuid());
  v_bits bigint := (get_byte(v_bytes, 0)::bigint << 32) | (get_byte(v_bytes, 1)::bigint << 24)
    | (get_byte(v_bytes, 2) << 16) | (get_byte(v_bytes, 3) << 8) | get_byte(v_bytes, 4);
  v_random text := '';
begin
  for i in 1..8 loop
    v_random := v_random || substr(v_alphabet, (v_bits & 31)::integer + 1, 1);
    v_bits := v_bits >> 5;
  end loop;
  return case
    when p_template is null then 'WIN' || v_random
    when position('{random}' in p_template) > 0 then replace(p_template, '{random}', v_random)
    else p_template || '-' || v_random
  end;
end;
$$;
comment on function private.random_code(text) is
  'A code after a template: {random} becomes 8 random signs of A-Z and 2-9 without look-alikes, appended '
  'when the template lacks it; without a template WIN and the 8 signs (specification, section 9).';

create function private.has_own_till(p_code public.redemptions) returns boolean
language sql stable set search_path = ''
return exists (
  select 1 from public.stores s
  where s.org_id = p_code.org_id and s.id = p_code.store_id and s.archived_at is null
);
comment on function private.has_own_till(public.redemptions) is
  'Whether the store of a code is in use: an archived one has no till, and its codes are valid at any other of the organisation.';

create function private.taken_in(p_org_id uuid, p_store_id uuid, out kind text, out name text, out address text)
language sql stable set search_path = ''
as $$
  select
    case count(s.id) when 0 then 'none' when 1 then 'store' else 'stores' end,
    case count(s.id) when 1 then min(s.name) else min(o.name) end,
    case count(s.id) when 1 then min(s.address) end
  from public.organizations o
  left join public.stores s on s.org_id = o.id and s.archived_at is null
    and s.id = coalesce(p_store_id, s.id)
  where o.id = p_org_id;
$$;
comment on function private.taken_in(uuid, uuid) is
  'Where codes of an organisation are taken, for their winner: at the given store, or at all in use (null). One has its name and '
  'address; several (stores), or none any more, the organisation''s name and no address.';

create function private.taken_at(p_code public.redemptions, out kind text, out name text, out address text)
language sql stable set search_path = ''
as $$
  select * from private.taken_in(p_code.org_id, case when private.has_own_till(p_code) then p_code.store_id end);
$$;
comment on function private.taken_at(public.redemptions) is
  'Where a code is taken (private.taken_in): at its own store, while that is in use, else at any other. The rule is that of '
  'private.code_at.';

create function private.code_at(p_org_id uuid, p_store_id uuid, p_code text)
returns table (state text, redemption public.redemptions)
language plpgsql stable set search_path = ''
as $$
declare
  v_key text := private.code_key(coalesce(p_code, ''));
  v_redemption public.redemptions;
begin
  select * into v_redemption from public.redemptions r where r.org_id = p_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      when v_redemption.store_id <> p_store_id and private.has_own_till(v_redemption) then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.verdict is not null then v_redemption.verdict
      else private.code_state(v_redemption)
    end,
    v_redemption;
end;
$$;
comment on function private.code_at(uuid, uuid, text) is
  'State of an organisation''s code at one of its stores, whatever its case and spaces: available, used, expired, held, '
  'cancelled, other_store (never for a store that was archived), test, unknown (other merchants'' codes too).';

create function private.inspect_code(p_user_id uuid, p_code text, p_store_id uuid)
returns table (state text, redemption public.redemptions)
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select m.org_id into v_org_id
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id and s.archived_at is null
  where m.user_id = p_user_id and p_store_id = coalesce(private.bound_store(m.role, m.store_id), p_store_id);
  if not found then
    return query select 'forbidden', null::public.redemptions;
  -- Guessed codes are slowed down; a busy till is not.
  elsif private.count_attempt(array['code user ' || p_user_id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(v_org_id, p_store_id, p_code);
  end if;
end;
$$;
comment on function private.inspect_code(uuid, text, uuid) is
  'State of a code for a user at the till of a store, whatever its case and spaces: available, used, expired, held, '
  'cancelled, other_store, test, unknown (other merchants'' codes too), forbidden (not a till of theirs, or of an archived store), '
  'too_many_attempts.';

create function private.may_restore(p_used_at timestamptz) returns boolean
language sql stable
return p_used_at > now() - interval '10 minutes';
comment on function private.may_restore(timestamptz) is
  'Whether a code that was used then may still be given back (design, section 4). Planned as part of the query that calls it.';

create function private.describe_code(p_state text, p_code text, p_redemption public.redemptions) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'state', p_state,
    'code', coalesce(p_redemption.code, p_code),
    'reward', case when p_redemption.id is not null then (
      select jsonb_build_object('id', r.id, 'name', p_redemption.reward_name, 'type', r.type)
      from public.rewards r where r.org_id = p_redemption.org_id and r.id = p_redemption.reward_id) end,
    'customer', case when p_redemption.id is not null then
      jsonb_build_object('name', coalesce(p_redemption.end_user_name, p_redemption.end_user_email)) end,
    'store', case when p_redemption.id is not null then (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s where s.org_id = p_redemption.org_id and s.id = p_redemption.store_id) end,
    'expires_at', p_redemption.expires_at,
    'used_at', p_redemption.used_at,
    'used_by', case
      when p_redemption.used_by is not null then private.user_name(p_redemption.used_by)
      when p_redemption.used_at is not null then (
        select k.name from public.redemption_events e
        join private.api_keys k on k.org_id = e.org_id and k.id = e.api_key_id
        where e.org_id = p_redemption.org_id and e.redemption_id = p_redemption.id and e.action = 'used'
        order by e.created_at desc limit 1)
    end,
    'undo_id', case
      when p_state in ('redeemed', 'used') and private.may_restore(p_redemption.used_at) then p_redemption.id
    end
  );
$$;
comment on function private.describe_code(text, text, public.redemptions) is
  'Description of a code for the till: the shape is codeLookup of _shared/domain.';

create function public.lookup_code(p_code text, p_store_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_key constant private.api_keys := private.my_api_key();
  v_inspection record;
  v_points jsonb;
begin
  if v_key.id is null then
    select * into v_inspection from private.inspect_code((select private.my_user_id()), p_code, p_store_id);
  else
    select * into v_inspection from private.inspect_code_with_key(v_key, p_code, p_store_id);
  end if;
  if v_inspection.state = 'forbidden' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_inspection.state = 'unknown' then
    v_points := private.lookup_points_code(p_code, p_store_id);
  end if;
  return coalesce(v_points, private.describe_code(v_inspection.state, p_code, v_inspection.redemption));
end;
$$;
comment on function public.lookup_code(text, uuid) is
  'State of a code before it is used: the shape is codeLookup of _shared/domain. Error 42501 to whoever may not redeem codes '
  'at that store, person or key, and at an archived one; errors of my_user_id().';
grant execute on function public.lookup_code(text, uuid) to authenticated, service_role;

create function private.expire_codes(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  update public.redemptions r set status = 'expired'
  from (
    -- A code that a till is using right now is left to that till.
    select due.org_id, due.id from public.redemptions due
    where private.is_over(due.status, due.expires_at)
    order by due.expires_at limit p_limit for update skip locked
  ) over
  where r.org_id = over.org_id and r.id = over.id;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.expire_codes(integer) is 'Job: codes whose last instant has passed become expired.';
insert into private.jobs (name, run_every) values ('expire_codes', interval '1 minute');

create function private.is_free_win(p_redemption public.redemptions) returns boolean
language sql stable set search_path = ''
as $$
  -- Not review_id: it is forgotten with the review.
  select s.play_id is not null from public.spins s where s.org_id = p_redemption.org_id and s.id = p_redemption.spin_id;
$$;
comment on function private.is_free_win(public.redemptions) is 'Whether a code was won without a review.';

create function private.use_code(
  p_state text, p_redemption public.redemptions, p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid,
  p_request_id uuid, out outcome text, out body jsonb
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_redemption public.redemptions := p_redemption;
  v_timezone text;
begin
  outcome := p_state;
  if outcome = 'unknown' then
    select u.outcome, u.body into outcome, body
    from private.use_points_code(p_user_id, p_key_id, p_code, p_store_id, p_request_id) u;
    if body is not null then
      return;
    end if;
    outcome := p_state;
  end if;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available' and r.verdict is null
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, api_key_id, store_id, request_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_key_id, p_store_id, p_request_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      -- Prizes that the team gave were not won: they stand in no figure of the wheel, and nobody checks them.
      if v_redemption.spin_id is not null then
        select s.timezone into v_timezone from public.stores s
        where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
        perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
          private.now_in(v_timezone)::date, p_redemptions => 1, p_is_free => private.is_free_win(v_redemption));
        -- The till's own clock: a code of an archived store is used elsewhere.
        perform private.mark_quiet_use(v_redemption, s.timezone)
        from public.stores s where s.org_id = v_redemption.org_id and s.id = p_store_id;
      end if;
    else
      -- Another till was faster, or a colleague who holds it back.
      select * into v_redemption from public.redemptions r
      where r.org_id = p_redemption.org_id and r.id = p_redemption.id;
      outcome := coalesce(v_redemption.verdict, v_redemption.status);
    end if;
  end if;
  -- The use that counts now is this very request's, whose answer was lost.
  if outcome = 'used' and exists (
    select 1 from public.redemption_events e
    where e.org_id = v_redemption.org_id and e.redemption_id = v_redemption.id and e.action = 'used'
      and e.created_at = v_redemption.used_at and e.request_id = p_request_id and e.store_id = p_store_id
      and (e.user_id = p_user_id or e.api_key_id = p_key_id)
  ) then
    outcome := 'redeemed';
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$$;
comment on function private.use_code(text, public.redemptions, uuid, uuid, text, uuid, uuid) is
  'Uses a code that was inspected, once, for a person or a key of the API: the outcome (redeemed, or why not) and what the '
  'till shows. The same request at the same store again, known by its identifier, is answered as the first time.';

create function public.redeem_code(
  p_user_id uuid, p_session_id uuid, p_aal text, p_code text, p_store_id uuid, p_request_id uuid default null,
  out outcome text, out body jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_inspection record;
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is null and not private.hold_account(p_user_id) then
    outcome := 'session_ended';
  end if;
  if outcome is not null then
    return;
  end if;
  select * into v_inspection from private.inspect_code(p_user_id, p_code, p_store_id);
  select u.outcome, u.body into outcome, body
  from private.use_code(
    v_inspection.state, v_inspection.redemption, p_user_id, null, p_code, p_store_id, p_request_id) u;
end;
$$;
comment on function public.redeem_code(uuid, uuid, text, text, uuid, uuid) is
  'Uses a code at the till of a store, once (specification, section 7.2), for a user whose token names a session and an '
  'assurance level. Outcomes: redeemed, used, expired, held, cancelled, other_store, test, unknown, forbidden, too_many_attempts, '
  'second_factor_required, session_ended; body is what the till shows, null for the last two. A request that is repeated '
  'with its identifier, since its answer was lost, is answered as the first time.';
grant execute on function public.redeem_code(uuid, uuid, text, text, uuid, uuid) to service_role;

create function private.code_counts(p_org_id uuid, p_reward_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object(
    'total', f.codes + g.codes, 'used', f.redemptions + g.used, 'expired', f.expirations + o.codes + g.expired,
    'available', f.codes - f.redemptions - f.expirations - o.codes + g.codes - g.used - g.expired)
  from jsonb_to_record(private.reward_figures(p_org_id, p_reward_id))
    as f (codes bigint, redemptions bigint, expirations bigint),
    -- Over, but not yet seen by the job that comes every minute: few. Asked in the order of the index in which they stand first:
    -- a plan made for any reward might else read all of its codes.
    (select count(*) as codes from (
       select r.spin_id from public.redemptions r
       where private.is_over(r.status, r.expires_at) and r.org_id = p_org_id and r.reward_id = p_reward_id
       order by r.expires_at, r.id offset 0
     ) r where r.spin_id is not null) o,
    (select count(*) as codes, count(*) filter (where r.status = 'used') as used,
       count(*) filter (where private.code_state(r) = 'expired') as expired
     from public.redemptions r where r.org_id = p_org_id and r.reward_id = p_reward_id and r.spin_id is null) g;
$$;
comment on function private.code_counts(uuid, uuid) is
  'Codes of a reward by state, at this instant: those that were won from its counters, those that the team gave one by one.';

create function private.matches_code(r public.redemptions, p_patterns text[], p_prefix text) returns boolean
language sql stable parallel safe
return (p_patterns is null or (p_patterns <> '{}' and r.words like any (p_patterns)))
  -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
  and (p_prefix is null or (r.code_key >= p_prefix and r.code_key <= p_prefix || repeat('Z', 32)
    and r.code_key like p_prefix || '%'));
comment on function private.matches_code(public.redemptions, text[], text) is
  'Whether the words of a code match one of several patterns, or the code begins with a prefix; null does not filter. Planned as part of the '
  'query that calls it.';

create function private.is_in_code_list(r public.redemptions, p_status text) returns boolean
language sql stable parallel safe
return case
  when p_status is null then true
  when p_status in ('held', 'cancelled') then r.verdict is not null and r.verdict = p_status
  when p_status = 'available' then private.is_in_force(r.status, r.expires_at) and r.verdict is null
  -- Over, too, are those that the job of the minute has not seen yet.
  when p_status = 'expired' then r.verdict is null
    and (r.status = 'expired' or private.is_over(r.status, r.expires_at))
  -- No code that was used has a verdict: without that column the index alone finds a deep page.
  else r.status = p_status
end;
comment on function private.is_in_code_list(public.redemptions, text) is
  'Whether a code is in the list of one state (available, used, expired, held, cancelled; any when null). Planned as part of the '
  'query that calls it.';

create function private.sorted_codes(
  p_org_id uuid, p_reward_id uuid, p_status text, p_patterns text[], p_prefix text, p_sort text, p_skip integer, p_limit integer
) returns uuid[]
language plpgsql stable set search_path = ''
as $$
declare
  v_key constant text := private.sort_key(p_sort, '{created_at,expires_at}');
  v_direction constant text := case when p_sort like '-%' then 'desc' else 'asc' end;
  v_ids uuid[];
begin
  -- The codes of each state stand in order in the index of the column: what a page may need of each is read, and put together.
  execute format('select array(
    select found.id from unnest($8) as s (status)
    cross join lateral (
      select r.id, r.%1$I as place from public.redemptions r
      where r.org_id = $1 and r.reward_id = $2 and r.status = s.status and private.is_in_code_list(r, $3)
        and private.matches_code(r, $4, $5)
      order by r.%1$I %2$s, r.id %2$s limit $6 + $7
    ) found
    order by found.place %2$s, found.id %2$s offset $6 limit $7)', v_key, v_direction)
  into v_ids using p_org_id, p_reward_id, p_status, p_patterns, p_prefix, p_skip, p_limit, case p_status
    when 'available' then '{available}'::text[]
    when 'used' then '{used}'
    when 'expired' then '{available,expired}'
    when 'cancelled' then '{expired}'
    else '{available,used,expired}'
  end;
  return v_ids;
end;
$$;
comment on function private.sorted_codes(uuid, uuid, text, text[], text, text, integer, integer) is
  'Codes of a reward in an order (created_at, expires_at; private.sort_key) that are in the list of a state '
  '(private.is_in_code_list) and match a search (private.matches_code): so many after so many. One that never ends is the last '
  'to end. Error 22023 for another order.';

create function private.code_page(
  p_org_id uuid, p_reward_id uuid, p_status text, p_patterns text[], p_prefix text, p_skip integer, p_limit integer
) returns uuid[]
-- A plan made for each search: frequent words are best found among the newest codes, rare ones by the index of words.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_last constant integer := p_skip + p_limit;
begin
  -- Each state is found by an index in which the newest stand first; what is over stands in two of its ranges.
  return array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_patterns, p_prefix)
         and case when p_status = 'expired' then r.status = 'expired' and r.verdict is null
           else private.is_in_code_list(r, p_status) end
       order by r.created_at desc, r.id desc limit v_last)
      union all
      -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
      (select r.id, r.created_at from public.redemptions r
       where p_status = 'expired' and private.is_over(r.status, r.expires_at) and r.verdict is null
         and r.org_id = p_org_id and r.reward_id = p_reward_id and private.matches_code(r, p_patterns, p_prefix)
       order by r.created_at desc, r.id desc limit v_last)
    ) found
    order by found.created_at desc, found.id desc
    limit p_limit offset p_skip
  );
end;
$$;
comment on function private.code_page(uuid, uuid, text, text[], text, integer, integer) is
  'Codes of a reward, newest first, that are in the list of a state and match a search, as in sorted_codes: so many after so many.';

create function public.reward_codes(
  p_id uuid, p_search text default '', p_page integer default 1, p_status text default null, p_sort text default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- 400 pages at most: older codes are found by the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_skip constant integer := (v_page - 1) * v_page_size;
  v_status constant text := nullif(p_status, '');
  v_ids uuid[];
  v_org_id uuid;
  v_held text[];
  v_reward public.rewards;
  v_is_named boolean;
  v_patterns text[];
  v_prefix text;
  v_has_next boolean;
  v_items json;
begin
  if v_status not in ('available', 'used', 'expired', 'held', 'cancelled') then
    raise exception 'status_unknown' using errcode = '22023';
  end if;
  select m.org_id, m.held into v_org_id, v_held
  from private.my_reading_rights('{codes.read,customers.read}', 'codes.read') m;
  select * into v_reward from public.rewards r where r.id = p_id and r.org_id = v_org_id and v_held <> '{}';
  if not found then
    return null;
  end if;
  v_is_named := 'customers.read' = any (v_held);
  -- Members who may not know whose a code is do not find it by a name either: they look by its first letters.
  if v_is_named then
    v_patterns := private.code_patterns(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- One more than is shown tells whether there is a next page.
  if p_sort <> '' then
    v_ids := private.sorted_codes(v_org_id, p_id, v_status, v_patterns, v_prefix, p_sort, v_skip, v_page_size + 1);
  else
    v_ids := private.code_page(v_org_id, p_id, v_status, v_patterns, v_prefix, v_skip, v_page_size + 1);
  end if;
  v_has_next := cardinality(v_ids) > v_page_size and v_page < 400;
  v_ids := v_ids[1:v_page_size];
  -- One by one, by their key: a kept plan of « any (…) » might read all codes.
  select coalesce(json_agg(json_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end,
    'customer', case when v_is_named then private.name_or_email(shown.end_user_name, shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'timezone', (select s.timezone from public.stores s where s.org_id = v_org_id and s.id = shown.store_id),
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', t.trace) order by f.place), '[]'::json)
  into v_items
  from unnest(v_ids) with ordinality f (id, place)
  cross join lateral (
    select r.* from public.redemptions r where r.org_id = v_org_id and r.id = f.id offset 0
  ) shown
  -- Uses and returns of a code, oldest first.
  cross join lateral (
    select coalesce(json_agg(json_build_object('action', e.action, 'at', e.created_at,
      'by', private.name_of(u.raw_user_meta_data, u.email)) order by e.created_at, e.id), '[]'::json) as trace
    from public.redemption_events e left join auth.users u on u.id = e.user_id
    where e.org_id = v_org_id and e.redemption_id = shown.id
  ) t;

  return json_build_object(
    'reward', json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_org_id, p_id),
    'can_export', private.includes_export(v_org_id),
    'page', v_page, 'has_next', v_has_next, 'items', v_items);
end;
$$;
comment on function public.reward_codes(uuid, text, integer, text, text) is
  'A page of a reward''s codes, newest first or sorted (created_at, expires_at; private.sort_key). A text is found in the '
  'code, or in its customer''s e-mail or name, one or two signs where a word begins. Of one state (available, used, expired, held, cancelled; any when null; '
  'error 22023 for another), with the counters above the list (specification, section 2.17); the shape is rewardCodes of '
  '_shared/domain. Without the permission customers.read nobody is named, and a text is found where a code begins with '
  'it. Null when there is no such reward for the signed-in user, who needs the permission codes.read.';
grant execute on function public.reward_codes(uuid, text, integer, text, text) to authenticated;

create function public.restore_code(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_before public.redemptions;
  v_timezone text;
begin
  if v_user_id is not null and not private.hold_account(v_user_id) then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found and private.restore_points_code(p_id) then
    return;
  end if;
  if v_before.id is null or exists (
    select 1 from public.organization_members m
    where m.user_id = v_user_id
      and private.bound_store(m.role, m.store_id) <> v_before.used_store_id
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif not private.may_restore(v_before.used_at) then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', v_user_id, v_before.used_store_id);
  if v_before.spin_id is null then
    return;
  end if;
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1, p_is_free => private.is_free_win(v_before));
end;
$$;
comment on function public.restore_code(uuid) is
  'Gives back a code that was used by mistake, within 10 minutes, and leaves a trace of who did it (design, section 4). '
  'Errors: TV041 when it is not used, TV042 when it is too late, 42501 without the permission codes.redeem there, or at '
  'another store than one''s own; those of private.my_user_id.';
grant execute on function public.restore_code(uuid) to authenticated;

create function private.count_customer_code() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.customers c
  set redemption_count = c.redemption_count + (new.status = 'used')::integer - (old.status = 'used')::integer
  where c.org_id = new.org_id and c.id = new.customer_id;
  return null;
end;
$$;
comment on function private.count_customer_code() is 'Counts a code that is used, or given back, for its customer.';
create trigger count_customer_code after update of status on public.redemptions
  for each row when (new.customer_id is not null and (old.status = 'used') is distinct from (new.status = 'used'))
  execute function private.count_customer_code();

create function private.customer_wins(p_org_id uuid, p_customer_id uuid) returns integer
language sql stable
return (
  select count(*) from public.spins s
  where s.org_id = p_org_id and s.customer_id = p_customer_id and s.reward_id is not null
)::integer;
comment on function private.customer_wins(uuid, uuid) is
  'Spins that a customer won: counted on demand, since a customer has few spins.';
grant execute on function private.customer_wins(uuid, uuid) to service_role;

create function private.prize_of(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid) returns public.redemptions
language sql stable set search_path = ''
as $$
  select d.* from public.campaigns c
  join public.spins s on s.org_id = c.org_id and s.id = p_spin_id
  join public.redemptions d on d.org_id = s.org_id and d.spin_id = s.id
  where c.id = p_campaign_id and s.campaign_id = c.id and s.nonce = p_nonce;
$$;
comment on function private.prize_of(uuid, uuid, uuid) is
  'The code that a spin won, for whoever knows the spin''s nonce; null otherwise.';

create function private.code_state(p_code public.redemptions) returns text
language sql stable
return case when private.is_over(p_code.status, p_code.expires_at) then 'expired' else p_code.status end;
comment on function private.code_state(public.redemptions) is
  'available, used or expired, at this instant: the job that closes codes comes a little later.';
grant execute on function private.code_state(public.redemptions) to service_role;

create function public.prize_status(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_code constant public.redemptions := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
begin
  if v_code.id is null then
    return null;
  end if;
  return jsonb_build_object('status', private.code_state(v_code), 'verdict', v_code.verdict, 'used_at', v_code.used_at,
    'expires_at', v_code.expires_at,
    'place', (select jsonb_build_object('kind', p.kind, 'name', p.name) from private.taken_at(v_code) p),
    'locale', (select c.locale from public.customers c where c.org_id = v_code.org_id and c.id = v_code.customer_id),
    'prize', (
      select s.result::jsonb || jsonb_build_object('expires_at', v_code.expires_at)
      from public.spins s
      where s.org_id = v_code.org_id and s.id = v_code.spin_id));
end;
$$;
comment on function public.prize_status(uuid, uuid, uuid) is
  'Whether a prize still waits, where it is taken, the language of its customer''s pages, and the prize as its spin was answered. '
  'For whoever knows the nonce of that spin; null otherwise. The server function makes prizeAnswer of _shared/domain of it.';
grant execute on function public.prize_status(uuid, uuid, uuid) to service_role;

create function private.mailed_name(p_code public.redemptions, p_locale text) returns text
language sql stable set search_path = ''
as $$
  select n.name
  from (
    select private.in_language(p_code.reward_name, (
      -- A reward that was renamed since is translated otherwise.
      select r.translations from public.rewards r
      where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.name = p_code.reward_name), p_locale)
  ) n (name)
  where n.name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}';
$$;
comment on function private.mailed_name(public.redemptions, text) is
  'Name of a code''s prize in a language, for a mail to its winner. Null where the merchant gave it a name that looks like a web '
  'address: our mails do not carry such links.';

create function private.write_prize_mail(p_template text, p_to text, p_code public.redemptions) returns uuid
language sql volatile set search_path = ''
as $$
  select private.enqueue_customer_mail(t.org_id, t.customer_id, p_template, p_to, jsonb_build_object(
      -- The nonce, which opens the prize, is in the fragment: browsers send it to no server.
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce,
      'code', p_code.code,
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label')
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', private.greeting_name(t.end_user_name),
      'until', case when p_code.expires_at is not null then
        jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone) end,
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', p.name,
        'address', p.address,
        'anywhere', case when p.kind = 'stores' then p.kind end,
        'rules', '/c/' || g.slug || '/reglement?version=' || t.rules_version))),
    now() + interval '1 day')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  cross join lateral private.taken_at(p_code) p
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$$;
comment on function private.write_prize_mail(text, text, public.redemptions) is
  'Writes a mail that shows a prize in the winner''s language: its code, its last day, where it is taken (private.taken_at), the '
  'rules, and the merchant''s brand while the plan shows it. Answers the mail''s identifier.';

create function private.may_mail_prize(p_mails smallint, p_sent_at timestamptz) returns boolean
language sql stable
return p_mails < 3 and p_sent_at <= now() - interval '10 minutes';
comment on function private.may_mail_prize(smallint, timestamptz) is
  'Whether a prize that was mailed this often, and last then, may be mailed again: 3 times at most, 10 minutes apart.';

create function public.mail_prize(
  p_campaign_id uuid, p_spin_id uuid, p_nonce uuid, p_email text, p_address_hash text,
  out outcome text, out recipient text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_code public.redemptions;
  v_known text;
  v_retry_after integer;
begin
  v_retry_after := private.count_attempt(array['prize mail address ' || p_address_hash], '{30}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  v_code := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
  if v_code.id is null then
    outcome := 'prize_not_found';
    return;
  end if;
  if private.code_state(v_code) <> 'available' then
    outcome := 'code_' || private.code_state(v_code);
    return;
  elsif v_code.verdict is not null then
    -- A ticket would promise what no till gives now.
    outcome := 'code_held';
    return;
  end if;

  select coalesce(t.end_user_email, c.email) into v_known
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = v_code.org_id and t.id = v_code.spin_id;
  recipient := coalesce(v_known, p_email);
  if recipient is null then
    outcome := 'email_needed';
    return;
  end if;
  -- Asked again, by a thumb or by the network: it is on its way, and nobody's limit is touched.
  if exists (
    select 1 from private.prize_mails m
    where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      and not private.may_mail_prize(m.mails, m.sent_at)
  ) then
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  -- The player types the address, which could be anybody's. So an address gets few mails a day, and fewer where this
  -- page alone has named it.
  v_retry_after := private.count_attempt(
    array['prize mail to ' || encode(sha256(convert_to(private.normalize_email(recipient), 'UTF8')), 'hex')],
    array[case when v_known is null then 3 else 10 end], interval '1 day');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    recipient := null;
    return;
  end if;

  insert into private.prize_mails as m (org_id, spin_id) values (v_code.org_id, v_code.spin_id)
  on conflict (org_id, spin_id) do update set mails = m.mails + 1, sent_at = now()
    where private.may_mail_prize(m.mails, m.sent_at);
  if not found then
    -- The same, at the same instant.
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  perform private.write_prize_mail('prize', recipient, v_code);
  outcome := 'sent';
  -- Enough to recognise one's own address, too little to learn somebody's.
  recipient := left(recipient, 1) || '•••@' || split_part(recipient, '@', -1);
end;
$$;
comment on function public.mail_prize(uuid, uuid, uuid, text, text) is
  'Sends a prize to its winner by e-mail, for whoever knows the nonce of its spin: to the address that was given for '
  'the spin or stands with the customer; p_email counts only where neither is known. Outcomes: sent (recipient, '
  'masked), repeated (within 10 minutes, or 3 times already: nothing is sent), email_needed, prize_not_found, '
  'code_used, code_expired (by time, or cancelled), code_held, too_many_attempts (retry_at).';
grant execute on function public.mail_prize(uuid, uuid, uuid, text, text) to service_role;

create function private.remind_prizes(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_due record;
  v_code public.redemptions;
  v_codes public.redemptions[] := '{}';
  v_mail_id uuid;
begin
  for v_due in
    select d as code, coalesce(t.end_user_email, c.email) as address
    from public.redemptions d
    join public.spins t on t.org_id = d.org_id and t.id = d.spin_id
    join public.stores s on s.org_id = d.org_id and s.id = d.store_id
    join public.subscriptions u on u.org_id = d.org_id
    left join public.customers c on c.org_id = d.org_id and c.id = d.customer_id
    where d.status = 'available' and d.verdict is null and d.expires_at > now() and d.expires_at < now() + interval '5 days'
      -- In the three days before the last one, and in the daytime of the store.
      and (d.expires_at at time zone s.timezone)::date - private.now_in(s.timezone)::date between 1 and 3
      and extract(hour from private.now_in(s.timezone)) between 9 and 18
      -- No reminder in the first three days after the win.
      and d.created_at < now() - interval '3 days'
      -- A closed organisation sends nothing that was not asked for, though its tills go on taking what was won.
      and private.is_open(u)
      -- Nor does one that has no till left.
      and exists (select 1 from public.stores o where o.org_id = d.org_id and o.archived_at is null)
      and not exists (
        select 1 from private.prize_reminders m where m.org_id = d.org_id and m.spin_id = d.spin_id
      )
    order by d.expires_at, d.id limit p_limit
  loop
    v_mail_id := null;
    v_code := v_due.code;
    v_codes := v_codes || v_code;
    -- The player types the address, which could be anybody's: it gets few reminders a day.
    if v_due.address is not null and private.count_attempt(
      array['prize reminder to ' || encode(sha256(convert_to(private.normalize_email(v_due.address), 'UTF8')), 'hex')],
      '{3}', interval '1 day') is null
    then
      v_mail_id := private.write_prize_mail('prize_reminder', v_due.address, v_code);
    end if;
    insert into private.prize_reminders (org_id, spin_id, mail_id)
    values (v_code.org_id, v_code.spin_id, v_mail_id);
  end loop;
  -- Codes are held for this instant alone: no till waits while the mails are written. Codes that a till has used meanwhile, or is using right
  -- now, get none, and nor does a winner who was erased.
  foreach v_code in array v_codes loop
    perform 1 from public.redemptions d
    where d.org_id = v_code.org_id and d.id = v_code.id and d.status = 'available' and d.verdict is null
      and d.customer_id is not distinct from v_code.customer_id
    for no key update skip locked;
    if not found then
      delete from private.prize_reminders m where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      returning m.mail_id into v_mail_id;
      delete from private.outbox o where o.id = v_mail_id;
    end if;
  end loop;
  return cardinality(v_codes);
end;
$$;
comment on function private.remind_prizes(integer) is
  'Job: reminds winners of a prize that waits three days before its last one, by day at the store: once, at the '
  'address of the spin or the customer, three a day to one address. Nothing for a code that is used, that no store takes any '
  'more, or won less than three days ago.';
insert into private.jobs (name, run_every) values ('remind_prizes', interval '15 minutes');

create function private.drop_prize_reminder() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update private.outbox o set state = 'failed', last_error = 'code_used', data = '{}', settled_at = now()
  from private.prize_reminders m
  where m.org_id = new.org_id and m.spin_id = new.spin_id and o.id = m.mail_id and o.state = 'queued';
  return null;
end;
$$;
comment on function private.drop_prize_reminder() is
  'Deletes the queued reminder of a code that is used, held or cancelled.';
create trigger drop_prize_reminder after update of status, verdict on public.redemptions
  for each row
  when ((old.status = 'available' and new.status = 'used') or (old.verdict is null and new.verdict is not null))
  execute function private.drop_prize_reminder();

create function private.customer_redemptions(p_org_id uuid, p_customer_id uuid, p_has_codes boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('id', d.id, 'at', d.used_at, 'campaign', c.name,
    'reward', d.reward_name, 'value', w.value, 'code', case when p_has_codes then d.code end)
    order by d.used_at desc, d.id desc), '[]'::jsonb)
  from (
    select * from public.redemptions v
    where v.org_id = p_org_id and v.customer_id = p_customer_id and v.status = 'used'
    order by v.used_at desc, v.id desc limit 20
  ) d
  left join public.campaigns c on c.org_id = d.org_id and c.id = d.campaign_id
  left join public.rewards w on w.org_id = d.org_id and w.id = d.reward_id;
$$;
comment on function private.customer_redemptions(uuid, uuid, boolean) is
  'The last 20 rewards that a customer used, newest first, with their codes where asked: for ten minutes a use can be undone.';

create function private.find_codes(p_org_id uuid, p_query text, p_limit integer, p_is_named boolean)
returns table (id uuid, title text, detail text, parent_id uuid)
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_key constant text := private.code_prefix(p_query);
begin
  if length(coalesce(v_key, '')) < 3 then
    return;
  end if;
  return query
    select r.id, r.code,
      concat_ws(', ', r.reward_name,
        case when p_is_named then private.name_or_email(r.end_user_name, r.end_user_email) end),
      r.reward_id
    from public.redemptions r
    -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
    where r.org_id = p_org_id and r.code_key >= v_key and r.code_key <= v_key || repeat('Z', 32)
      and starts_with(r.code_key, v_key)
    order by r.code_key
    limit p_limit;
end;
$$;
comment on function private.find_codes(uuid, text, integer, boolean) is
  'Codes of an organisation that begin with a text, whatever its case, spaces and signs, with whose they are where asked; '
  'none for less than three letters or digits. The parent is the reward.';

-- Permissions -------------------------------------------------------------------------------------

alter table public.redemptions enable row level security;
grant select on public.redemptions to authenticated;
grant select, insert, update, delete on public.redemptions to service_role;
create policy "Members read the codes" on public.redemptions
  for select to authenticated
  using (org_id = (select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read')));

alter table public.redemption_events enable row level security;
grant select on public.redemption_events to authenticated;
grant select, insert, update, delete on public.redemption_events to service_role;
create policy "Members read the trace of codes" on public.redemption_events
  for select to authenticated
  using (org_id = (select private.my_org_ids('codes.read')));

alter table private.prize_mails enable row level security;

alter table private.prize_reminders enable row level security;
