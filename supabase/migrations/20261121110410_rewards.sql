-- Why: a merchant looks at a reward to know whether it is worth its place on the wheel: how often it is won, how often
-- its codes come back. Counting that from the events would read all of them, so each reward has counters of its
-- own, kept by whatever writes a win or changes a code. Deleting, giving back a code and finding one are here too: each
-- can race with a customer at the wheel or a till.

-- Finding a code by any part of it. On a Supabase project both live in a schema of their own.
create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;
create extension if not exists btree_gin with schema extensions;

-- Counters ---------------------------------------------------------------------------------------
-- Whatever happens is appended to one narrow table, which nobody ever waits for; a job folds that into the figures
-- (decision 020). Readers add both up, by the functions below: they always see everything that was committed. Totals and
-- days apart, since the list adds up a reward's whole life, and the picture the last 90 days: each reads few rows.

create table private.recent_figures (
  id bigint not null generated always as identity,
  org_id uuid not null,
  reward_id uuid,
  day date,
  wins integer not null default 0,
  codes integer not null default 0,
  redemptions integer not null default 0,
  expirations integer not null default 0,
  customers integer not null default 0,
  consents integer not null default 0,
  participants integer not null default 0,
  primary key (org_id, id)
);
alter table private.recent_figures enable row level security;
comment on table private.recent_figures is
  'What happened to rewards and customers since the figures were last folded: a row an event, or minus one. No foreign '
  'key: what is gone when it is folded is left out.';
comment on column private.recent_figures.id is 'Number of the row.';
comment on column private.recent_figures.org_id is 'Organisation.';
comment on column private.recent_figures.reward_id is 'Reward; null when the row is about customers.';
comment on column private.recent_figures.day is 'Day in the store''s time zone of a win, or of the use of a code.';
comment on column private.recent_figures.wins is 'As in reward_totals.';
comment on column private.recent_figures.codes is 'As in reward_totals.';
comment on column private.recent_figures.redemptions is 'As in reward_totals.';
comment on column private.recent_figures.expirations is 'As in reward_totals.';
comment on column private.recent_figures.customers is 'As in customer_totals.';
comment on column private.recent_figures.consents is 'As in customer_totals.';
comment on column private.recent_figures.participants is 'As in customer_totals.';

create table public.reward_totals (
  org_id uuid not null,
  reward_id uuid not null,
  wins integer not null default 0,
  codes integer not null default 0,
  redemptions integer not null default 0,
  expirations integer not null default 0,
  primary key (org_id, reward_id),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
comment on table public.reward_totals is
  'Figures of a reward''s whole life, as last folded. private.reward_totals_now() has them of this instant.';
comment on column public.reward_totals.org_id is 'Organisation.';
comment on column public.reward_totals.reward_id is 'Reward.';
comment on column public.reward_totals.wins is 'Turns that won it.';
comment on column public.reward_totals.codes is 'Codes that were given; points have none.';
comment on column public.reward_totals.redemptions is 'Codes used, minus those given back.';
comment on column public.reward_totals.expirations is 'Codes that expired unused.';

create table public.reward_daily_stats (
  org_id uuid not null,
  reward_id uuid not null,
  day date not null,
  wins integer not null default 0,
  redemptions integer not null default 0,
  primary key (org_id, reward_id, day),
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete cascade
) with (fillfactor = 60);
comment on table public.reward_daily_stats is
  'Figures of a reward a day, as last folded. private.reward_days_now() has them of this instant.';
comment on column public.reward_daily_stats.org_id is 'Organisation.';
comment on column public.reward_daily_stats.reward_id is 'Reward.';
comment on column public.reward_daily_stats.day is 'Day in the store''s time zone.';
comment on column public.reward_daily_stats.wins is 'Turns that won it.';
comment on column public.reward_daily_stats.redemptions is 'Codes used, counted on the day of their use, minus those given back.';

alter table public.reward_totals enable row level security;
alter table public.reward_daily_stats enable row level security;
grant select on public.reward_totals, public.reward_daily_stats to authenticated;
grant select, insert, update, delete on public.reward_totals, public.reward_daily_stats to service_role;
create policy "Members read the totals of rewards" on public.reward_totals
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));
create policy "Members read the daily figures of rewards" on public.reward_daily_stats
  for select to authenticated using (org_id = any (array(select private.my_org_ids('activity.read'))));

create function private.reward_totals_now(p_org_id uuid)
returns table (reward_id uuid, wins integer, codes integer, redemptions integer, expirations integer)
language sql stable
as $$
  select t.reward_id, t.wins, t.codes, t.redemptions, t.expirations
  from public.reward_totals t where t.org_id = p_org_id
  union all
  select f.reward_id, f.wins, f.codes, f.redemptions, f.expirations
  from private.recent_figures f where f.org_id = p_org_id and f.reward_id is not null;
$$;
comment on function private.reward_totals_now(uuid) is
  'Figures of an organisation''s rewards at this instant: sum over the rows of a reward. Planned as part of the query that calls it.';

create function private.reward_days_now(p_org_id uuid)
returns table (reward_id uuid, day date, wins integer, redemptions integer)
language sql stable
as $$
  select d.reward_id, d.day, d.wins, d.redemptions from public.reward_daily_stats d where d.org_id = p_org_id
  union all
  select f.reward_id, f.day, f.wins, f.redemptions
  from private.recent_figures f where f.org_id = p_org_id and f.reward_id is not null and f.day is not null;
$$;
comment on function private.reward_days_now(uuid) is
  'Figures of an organisation''s rewards a day at this instant: sum over the rows of a reward and a day. Planned as part of '
  'the query that calls it.';

create function private.count_win() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.recent_figures (org_id, reward_id, day, wins, codes)
  select new.org_id, new.reward_id, (new.created_at at time zone s.timezone)::date, 1,
    (new.result ->> 'redemption_code' is not null)::integer
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  return null;
end;
$$;
comment on function private.count_win() is 'Counts a win, and the code that came with it, for its reward.';

create function private.count_code_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  insert into private.recent_figures (org_id, reward_id, day, redemptions, expirations)
  select new.org_id, new.reward_id, (coalesce(new.used_at, old.used_at) at time zone s.timezone)::date,
    (new.status = 'used')::integer - (old.status = 'used')::integer, (new.status = 'expired')::integer
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  return null;
end;
$$;
comment on function private.count_code_change() is
  'Counts a code that is used, given back (on the day of its use) or expired for its reward.';

create trigger count_win after insert on public.spins
  for each row when (new.reward_id is not null) execute function private.count_win();
create trigger count_code_change after update of status on public.redemptions
  for each row when (old.status is distinct from new.status) execute function private.count_code_change();

-- What happened before there were counters.
insert into public.reward_totals (org_id, reward_id, wins, codes, redemptions, expirations)
select s.org_id, s.reward_id, count(*), count(r.id), count(*) filter (where r.status = 'used'),
  count(*) filter (where r.status = 'expired')
from public.spins s
left join public.redemptions r on r.org_id = s.org_id and r.spin_id = s.id
where s.reward_id is not null
group by s.org_id, s.reward_id;
insert into public.reward_daily_stats (org_id, reward_id, day, wins, redemptions)
select e.org_id, e.reward_id, (e.moment at time zone t.timezone)::date, sum(e.wins), sum(e.redemptions)
from (
  select s.org_id, s.reward_id, s.store_id, s.created_at as moment, 1 as wins, 0 as redemptions
  from public.spins s where s.reward_id is not null
  union all
  select r.org_id, r.reward_id, r.store_id, r.used_at, 0, 1 from public.redemptions r where r.status = 'used'
) e
join public.stores t on t.org_id = e.org_id and t.id = e.store_id
group by 1, 2, 3;

-- Editing ----------------------------------------------------------------------------------------

alter table public.rewards add column version integer not null default 1 check (version >= 1);
comment on column public.rewards.version is
  'Rises with every change that a merchant makes in the form: whoever saves an older version is told, and overwrites nothing.';

create function private.bump_reward_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_reward_version() is 'Numbers the versions of a reward.';
-- Neither a win, which takes from the stock, nor the switch of the list is a change of the form.
create trigger bump_reward_version
  before update of campaign_id, name, description, type, reward_type, value, code_template, max_per_user, metadata
  on public.rewards
  for each row execute function private.bump_reward_version();

create function private.reward_ties(p_org_id uuid, p_reward_id uuid, out wins boolean, out slices integer)
language sql stable
as $$
  select
    exists (
      select 1 from private.reward_totals_now(p_org_id) t
      where t.reward_id = p_reward_id and t.wins > 0),
    (select count(*) from public.wheel_segments w
     where w.org_id = p_org_id
       and w.campaign_id = (select r.campaign_id from public.rewards r where r.org_id = p_org_id and r.id = p_reward_id)
       and w.reward_id = p_reward_id)::integer;
$$;
comment on function private.reward_ties(uuid, uuid) is
  'What hangs on a reward: whether it was ever won, and on how many slices of its wheel it stands. Read from counters.';

create function public.remove_reward(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_ties record;
begin
  -- The lock waits for customers who are winning it right now, and lets none win it afterwards.
  select r.org_id into v_org_id from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('rewards.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.rewards r set archived_at = now() where r.id = p_id and r.archived_at is null;
    return;
  end if;
  v_ties := private.reward_ties(v_org_id, p_id);
  if v_ties.wins or v_ties.slices > 0 then
    raise exception 'reward_has_history' using errcode = 'TV040';
  end if;
  delete from public.rewards r where r.id = p_id;
exception
  -- The references have the last word, whatever the counters say.
  when foreign_key_violation or restrict_violation then
    raise exception 'reward_has_history' using errcode = 'TV040';
end;
$$;
comment on function public.remove_reward(uuid, boolean) is
  'Archives a reward, or deletes it when nothing hangs on it. Error TV040 when something does (it was won meanwhile, or put '
  'on a wheel): then nothing is changed. Error 42501 without the permission rewards.delete there.';
grant execute on function public.remove_reward(uuid, boolean) to authenticated;

-- The list ---------------------------------------------------------------------------------------

create function private.reward_figures(p_org_id uuid, p_reward_id uuid default null) returns jsonb
language sql stable
as $$
  select jsonb_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
    'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
  from private.reward_totals_now(p_org_id) t
  where p_reward_id is null or t.reward_id = p_reward_id;
$$;
comment on function private.reward_figures(uuid, uuid) is 'Figures of a reward''s whole life, or of all rewards of an organisation.';

create function public.reward_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1
) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := '%' || regexp_replace(btrim(coalesce(p_search, '')), '([\\%_])', '\\\1', 'g') || '%';
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_matches integer;
  v_page integer;
  v_items jsonb;
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
    and (r.name ilike v_pattern or c.name ilike v_pattern);
  -- A page that is no more, because rewards went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'type', shown.type, 'active', shown.active, 'campaign_name', shown.campaign_name,
    'code_template', shown.code_template, 'stock', shown.stock, 'max_per_user', shown.max_per_user,
    'metadata', shown.metadata, 'archived_at', shown.archived_at, 'slices', tied.slices, 'is_won', tied.wins,
    'figures', private.reward_figures(p_org_id, shown.id)) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select r.*, c.name as campaign_name
    from public.rewards r left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
      and (r.name ilike v_pattern or c.name ilike v_pattern)
    order by r.created_at desc, r.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral private.reward_ties(p_org_id, shown.id) tied;

  return jsonb_build_object(
    'total', (select count(*) from public.rewards r where r.org_id = p_org_id and r.archived_at is null),
    'archived', (select count(*) from public.rewards r where r.org_id = p_org_id and r.archived_at is not null),
    'figures', private.reward_figures(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.reward_list(uuid, text, boolean, integer) is
  'A page of an organisation''s rewards in use, or put away, newest first, whose name or campaign''s name contains a text, '
  'with the figures above the list (specification, section 2.17); the shape is rewardList of _shared/domain. Error '
  '42501 without the permissions rewards.read and activity.read there.';
grant execute on function public.reward_list(uuid, text, boolean, integer) to authenticated;

-- Codes ------------------------------------------------------------------------------------------

create function private.code_words(p_code text, p_code_key text, p_email text, p_name text) returns text
language plpgsql immutable parallel safe
as $$
begin
  return private.slugify(concat_ws(' ', p_code, p_code_key, p_email, p_name));
end;
$$;
comment on function private.code_words(text, text, text, text) is
  'Where a code is looked for: itself with and without its signs, its customer''s e-mail and name, without case and accents.';
grant execute on function private.code_words(text, text, text, text) to service_role;
-- Kept, not computed while searching: a frequent word would have it computed for every code that has the word.
alter table public.redemptions add column words text generated always as (
  private.code_words(code, upper(regexp_replace(code, '[^A-Za-z0-9]', '', 'g')), end_user_email, end_user_name)
) stored;
comment on column public.redemptions.words is 'Where it is looked for: the code, and its customer''s e-mail and name, as code_words writes them.';
create index redemptions_words_idx on public.redemptions
  using gin (reward_id extensions.uuid_ops, words extensions.gin_trgm_ops);

create function private.code_trace(p_org_id uuid, p_redemption_id uuid) returns jsonb
language sql stable
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'action', e.action, 'at', e.created_at, 'by', private.user_name(e.user_id)) order by e.created_at, e.id), '[]'::jsonb)
  from public.redemption_events e where e.org_id = p_org_id and e.redemption_id = p_redemption_id;
$$;
comment on function private.code_trace(uuid, uuid) is 'Who used a code or gave it back, oldest first.';

create function private.code_counts(p_org_id uuid, p_reward_id uuid) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'total', f.codes, 'used', f.redemptions, 'expired', f.expirations + o.codes,
    'available', f.codes - f.redemptions - f.expirations - o.codes)
  from jsonb_to_record(private.reward_figures(p_org_id, p_reward_id))
    as f (codes bigint, redemptions bigint, expirations bigint),
    -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
    (select count(*) as codes from public.redemptions r
     where r.status = 'available' and r.expires_at <= now() and r.org_id = p_org_id and r.reward_id = p_reward_id) o;
$$;
comment on function private.code_counts(uuid, uuid) is 'Codes of a reward by state, at this instant, from its counters.';

create function public.reward_codes(p_id uuid, p_search text default '', p_page integer default 1) returns jsonb
-- A plan kept from one search to the next would not know a frequent word, best found among the newest codes, from
-- a rare one, best found by the index of words.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_words constant text := private.slugify(p_search);
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
    where r.org_id = v_reward.org_id and r.reward_id = p_id and (v_words = '' or r.words like '%' || v_words || '%')
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
comment on function public.reward_codes(uuid, text, integer) is
  'A page of a reward''s codes, newest first, in which a text is found in the code, or in its customer''s e-mail or name, '
  'with the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Null when '
  'there is no such reward for the signed-in user.';
grant execute on function public.reward_codes(uuid, text, integer) to authenticated;

create function public.restore_code(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_before public.redemptions;
  v_timezone text;
begin
  select * into v_before from public.redemptions r
  where r.org_id = any (array(select private.my_org_ids('codes.redeem'))) and r.id = p_id
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_before.status <> 'used' then
    raise exception 'code_not_used' using errcode = 'TV041';
  elsif v_before.used_at <= now() - interval '10 minutes' then
    raise exception 'undo_too_late' using errcode = 'TV042';
  end if;
  update public.redemptions r set status = 'available', used_at = null, used_by = null, used_store_id = null
  where r.org_id = v_before.org_id and r.id = p_id;
  insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
  values (v_before.org_id, p_id, 'restored', (select private.my_user_id()), v_before.used_store_id);
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_before.org_id and s.id = v_before.store_id;
  perform private.count_event(v_before.org_id, v_before.campaign_id, v_before.store_id,
    (v_before.used_at at time zone v_timezone)::date, p_redemptions => -1);
end;
$$;
comment on function public.restore_code(uuid) is
  'Gives back a code that was used by mistake, within 10 minutes, and leaves a trace of who did it (design, section 4). '
  'Errors: TV041 when it is not used, TV042 when it is too late, 42501 without the permission codes.redeem there.';
grant execute on function public.restore_code(uuid) to authenticated;

-- Statistics -------------------------------------------------------------------------------------

create function public.reward_stats(p_id uuid) returns jsonb
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
    ));
end;
$$;
comment on function public.reward_stats(uuid) is
  'Figures of a reward: of its whole life, its codes by state, and each of the last 90 days in the time zone of its '
  'campaign''s store; the shape is rewardStats of _shared/domain. Null when there is no such reward for the signed-in user.';
grant execute on function public.reward_stats(uuid) to authenticated;
