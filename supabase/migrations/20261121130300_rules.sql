-- Why: whoever plays is owed the rules that held at that moment, also months later (docs/decisions/032). What the rules
-- say is made of the campaign itself, in one place, kept word for word a version, and never changed afterwards.

create table public.campaign_rules (
  org_id uuid not null,
  campaign_id uuid not null,
  version integer not null check (version >= 1),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  content_hash bytea not null check (length(content_hash) = 32),
  published_at timestamptz not null default now(),
  primary key (org_id, campaign_id, version),
  unique (campaign_id, content_hash),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade
);
comment on table public.campaign_rules is 'Each version of the rules of a campaign''s draw; a version never changes.';
comment on column public.campaign_rules.org_id is 'Organisation.';
comment on column public.campaign_rules.campaign_id is 'Campaign.';
comment on column public.campaign_rules.version is 'Number, from 1; spins.rules_version names it.';
comment on column public.campaign_rules.content is 'What the rules say (private.rules_content); the shape is rulesContent of _shared/domain.';
comment on column public.campaign_rules.content_hash is 'SHA-256 of the content: rules that come back to what they were are that version again.';
comment on column public.campaign_rules.published_at is 'When it first held.';

alter table public.campaign_rules enable row level security;
grant select on public.campaign_rules to authenticated, service_role;
create policy "Members read the rules" on public.campaign_rules
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));

create function private.refuse_rules_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  raise exception 'rules_are_immutable' using errcode = 'TV130';
end;
$$;
comment on function private.refuse_rules_change() is 'A published version of the rules stays as it is. Error TV130.';
create trigger refuse_rules_change before update on public.campaign_rules
  for each row execute function private.refuse_rules_change();

-- What they say ----------------------------------------------------------------------------------

create function private.rules_moment(p_at timestamptz) returns text
language plpgsql immutable
as $$
begin
  return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
end;
$$;
comment on function private.rules_moment(timestamptz) is
  'A moment as ISO 8601 in UTC, whatever the session''s time zone: the same rules are the same bytes.';

create function private.rules_content(p_campaign public.campaigns) returns jsonb
language plpgsql stable
as $$
declare
  v_wheel record := private.wheel(p_campaign.org_id, p_campaign.id, null);
  v_slices jsonb;
  v_prizes jsonb := '[]'::jsonb;
  v_winning numeric;
  v_losing numeric;
  v_total numeric;
  v_losing_labels jsonb;
begin
  if not v_wheel.is_example then
    -- What cannot be won (stopped, put away, weight 0) leaves its odds to the losing slices, else to the other prizes;
    -- an empty stock is no part of the rules: they say what happens then.
    select coalesce(sum(w.weight) filter (where r.id is not null and w.weight > 0), 0),
      coalesce(sum(w.weight) filter (where w.reward_id is null), 0),
      sum(w.weight),
      coalesce(jsonb_agg(distinct w.label) filter (where w.reward_id is null and w.weight > 0), '[]'::jsonb)
    into v_winning, v_losing, v_total, v_losing_labels
    from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) as w (reward_id, label, weight)
    left join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = w.reward_id and r.active and r.archived_at is null;
    if v_losing = 0 then
      v_total := v_winning;
    end if;

    select coalesce(jsonb_agg(jsonb_build_object(
      'name', r.name, 'type', r.type, 'value', r.value,
      'discount', r.metadata -> 'discountPercent', 'item', r.metadata -> 'item', 'points', r.metadata -> 'points',
      'validity_days', case when r.type <> 'points' then coalesce((r.metadata ->> 'validityDays')::integer, 30) end,
      'max_per_user', r.max_per_user,
      -- All that were put into play: those that are left, and those that were won.
      'number', case when r.stock >= 0 then r.stock + coalesce((
        select sum(t.wins) from private.reward_totals_now(r.org_id) t where t.reward_id = r.id), 0) end,
      'odds', trim_scale(round(100 * p.weight / v_total, 2)),
      'labels', p.labels) order by p.place), '[]'::jsonb)
    into v_prizes
    from (
      select w.reward_id, sum(w.weight) as weight, min(w.n) as place, jsonb_agg(distinct w.label) as labels
      from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) with ordinality as w (reward_id, label, weight, n)
      where w.reward_id is not null and w.weight > 0
      group by w.reward_id
    ) p
    join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = p.reward_id and r.active and r.archived_at is null;
  end if;

  return (
    select jsonb_build_object(
      -- Which wording the page gives them: a new one is a new version.
      'wording', 1,
      'organizer', o.name,
      'store', jsonb_build_object('name', s.name, 'address', s.address),
      'timezone', s.timezone,
      'starts_at', private.rules_moment(p_campaign.starts_at),
      'ends_at', private.rules_moment(p_campaign.ends_at),
      'play_interval_days', p_campaign.play_interval_days,
      'prizes', v_prizes,
      'losing', case when v_losing > 0 then jsonb_build_object(
        'odds', trim_scale(round(100 * (v_total - v_winning) / v_total, 2)), 'labels', v_losing_labels) end)
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = p_campaign.store_id
    where o.id = p_campaign.org_id
  );
end;
$$;
comment on function private.rules_content(public.campaigns) is
  'What the rules of a campaign say now: organiser, store, dates, interval between two turns, prizes with their number '
  '(null: unlimited), value, validity and odds in percent, and the odds of losing (null: nobody loses).';

-- When they change -------------------------------------------------------------------------------

alter table public.campaigns add column rules_stale boolean not null default true;
comment on column public.campaigns.rules_stale is
  'Whether something that the rules speak of has changed in this transaction: at its end they are published.';
comment on column public.campaigns.rules_version is
  'Version of the rules in force (campaign_rules); each spin keeps the version that it was played under.';

create function private.publish_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_content jsonb;
  v_hash bytea;
  v_version integer;
begin
  -- Who changes the same campaign at the same time waits here, and then reads what the other has left.
  select * into v_campaign from public.campaigns c where c.id = new.id and c.rules_stale for no key update;
  if not found then
    return null;
  end if;
  v_content := private.rules_content(v_campaign);
  v_hash := sha256(convert_to(v_content::text, 'UTF8'));
  select r.version into v_version from public.campaign_rules r
  where r.campaign_id = new.id and r.content_hash = v_hash;
  if not found then
    insert into public.campaign_rules (org_id, campaign_id, version, content, content_hash)
    select v_campaign.org_id, new.id, coalesce(max(r.version) + 1, v_campaign.rules_version), v_content, v_hash
    from public.campaign_rules r where r.org_id = v_campaign.org_id and r.campaign_id = new.id
    returning version into v_version;
  end if;
  update public.campaigns c set rules_version = v_version, rules_stale = false where c.id = new.id;
  return null;
end;
$$;
comment on function private.publish_rules() is
  'At the end of a transaction that changed what the rules speak of: keeps what they say now as a version, unless they '
  'said so before, and puts that version in force. Once a campaign and a transaction.';
create constraint trigger publish_rules after insert or update on public.campaigns
  deferrable initially deferred
  for each row when (new.rules_stale) execute function private.publish_rules();

-- What marks them replaces what counted the version up.
drop trigger bump_rules_version on public.campaigns;
drop function private.bump_rules_version();
create function private.mark_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.rules_stale := true;
  return new;
end;
$$;
comment on function private.mark_rules() is 'Dates, interval and store of a campaign stand in its rules.';
create trigger mark_rules before update of starts_at, ends_at, play_interval_days, store_id on public.campaigns
  for each row
  when ((old.starts_at, old.ends_at, old.play_interval_days, old.store_id)
    is distinct from (new.starts_at, new.ends_at, new.play_interval_days, new.store_id))
  execute function private.mark_rules();

create or replace function private.bump_campaign_rules_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true, version = c.version + 1
  where c.id in (select distinct changed.campaign_id from changed);
  return null;
end;
$$;
comment on function private.bump_campaign_rules_version() is
  'A change of the slices may change the rules of the game, and is a new version of the campaign.';

drop trigger bump_rules_version_on_insert on public.rewards;
drop trigger bump_rules_version_on_update on public.rewards;
drop function private.bump_rules_version_of_reward();
create function private.mark_rules_of_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true
  where c.id in (new.campaign_id, old.campaign_id) and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_reward() is 'What can be won, and how many of it, stands in the rules.';
create trigger mark_rules_on_insert_or_delete after insert or delete on public.rewards
  for each row execute function private.mark_rules_of_reward();
create trigger mark_rules_on_update
  after update of name, type, value, max_per_user, metadata, active, archived_at, campaign_id on public.rewards
  for each row
  when ((old.name, old.type, old.value, old.max_per_user, old.metadata, old.active, old.archived_at, old.campaign_id)
    is distinct from
    (new.name, new.type, new.value, new.max_per_user, new.metadata, new.active, new.archived_at, new.campaign_id))
  execute function private.mark_rules_of_reward();
-- Not when a win takes one: as many are in play as before. Whoever signs in may take one out as well.
create trigger mark_rules_on_stock after update of stock on public.rewards
  for each row
  when (old.stock <> new.stock and (new.stock <> old.stock - 1 or current_user = 'authenticated'))
  execute function private.mark_rules_of_reward();

create function private.mark_rules_of_store() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true
  where c.org_id = new.org_id and c.store_id = new.id and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_store() is 'Name, address and time zone of a store stand in the rules of its campaigns.';
create trigger mark_rules after update of name, address, timezone on public.stores
  for each row when ((old.name, old.address, old.timezone) is distinct from (new.name, new.address, new.timezone))
  execute function private.mark_rules_of_store();

create function private.mark_rules_of_organization() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true where c.org_id = new.id and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_organization() is 'The organiser''s name stands in the rules of all campaigns.';
create trigger mark_rules after update of name on public.organizations
  for each row when (old.name is distinct from new.name) execute function private.mark_rules_of_organization();

-- The campaigns that are there already: the number that they have is that of the rules in force. --------------------
update public.campaigns set rules_stale = true;

-- Reading ----------------------------------------------------------------------------------------

create function public.campaign_rules_page(p_slug text, p_version integer default null) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
begin
  select c.* into v_campaign from public.campaigns c
  where c.id = coalesce(
    (select n.id from public.campaigns n where n.slug = p_slug),
    (select r.campaign_id from public.campaign_slug_redirects r where r.slug = p_slug));
  if not found then
    return null;
  end if;
  -- Nobody reads a draft; but what was played once can be read for good, also when the game is over.
  if not exists (
    select 1 from public.subscriptions u where u.org_id = v_campaign.org_id and private.is_running(v_campaign, u)
  ) and not exists (
    select 1 from public.spins s where s.org_id = v_campaign.org_id and s.campaign_id = v_campaign.id
  ) then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'id', v_campaign.id, 'slug', v_campaign.slug, 'campaign', v_campaign.name,
      'version', r.version, 'published_at', private.rules_moment(r.published_at),
      'in_force', v_campaign.rules_version,
      'versions', (
        select jsonb_agg(jsonb_build_object('version', v.version, 'published_at', private.rules_moment(v.published_at))
          order by v.version desc)
        from (
          select l.version, l.published_at from public.campaign_rules l
          where l.org_id = v_campaign.org_id and l.campaign_id = v_campaign.id
          order by l.version desc limit 50
        ) v
      ),
      'content', r.content)
    from public.campaign_rules r
    where r.org_id = v_campaign.org_id and r.campaign_id = v_campaign.id
      and r.version = coalesce(p_version, v_campaign.rules_version)
  );
end;
$$;
comment on function public.campaign_rules_page(text, integer) is
  'The rules of a campaign''s draw by present or former slug: the version in force, or the one asked for, with a list of '
  'the 50 newest; null when there is none, or when the campaign neither runs nor was ever played. The shape is rulesPage '
  'of _shared/domain.';
grant execute on function public.campaign_rules_page(text, integer) to service_role;
