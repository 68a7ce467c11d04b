-- Why: what can be won, and with which odds, must hold whoever edits it: weights that sum to 100,
-- a slice that wins only a reward of its own campaign, a stock that never goes below zero.

create table public.rewards (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null,
  campaign_id uuid not null,
  name text not null check (btrim(name) <> '' and length(name) <= 120),
  description text check (length(description) <= 2000),
  type text not null check (type in ('coupon', 'gift', 'points')),
  reward_type text not null check (reward_type = type),
  value numeric check (value >= 0 and value < 1000000 and scale(value) <= 2),
  code_template text check (
    btrim(code_template) <> '' and length(code_template) <= 40
    -- TEST is how the test mode marks codes that are worth nothing.
    and code_template !~* '^\s*TEST'
  ),
  stock integer not null default -1 check (stock >= -1),
  max_per_user smallint not null default 1 check (max_per_user >= 1),
  metadata jsonb,
  active boolean not null default true,
  archived_at timestamptz,
  created_at timestamptz not null default now(),
  unique (org_id, id),
  unique (org_id, campaign_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict
) with (fillfactor = 70);
create index rewards_org_id_created_at_idx on public.rewards (org_id, created_at desc);
create index rewards_campaign_id_idx on public.rewards (campaign_id);
comment on table public.rewards is 'What can be won in a campaign (specification, section 3).';
comment on column public.rewards.id is 'Identifier.';
comment on column public.rewards.org_id is 'Organisation.';
comment on column public.rewards.campaign_id is 'Campaign.';
comment on column public.rewards.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.rewards.description is 'Internal or explanatory text.';
comment on column public.rewards.type is 'coupon, gift or points.';
comment on column public.rewards.reward_type is 'Always equal to type (specification, section 3); filled when missing.';
comment on column public.rewards.value is 'What it costs the merchant, in euros, two decimals at most; null when not entered.';
comment on column public.rewards.code_template is 'Shape of its codes: {random} is replaced, or appended when missing; null is WIN and the random part. May not start with TEST.';
comment on column public.rewards.stock is 'How many are left to win; -1 is unlimited.';
comment on column public.rewards.max_per_user is 'How often one person may win it, from 1.';
comment on column public.rewards.metadata is 'Optional discountPercent (1-100), item (text), points (from 1), validityDays (from 1); null when empty.';
comment on column public.rewards.active is 'Whether it can be won.';
comment on column public.rewards.archived_at is 'When it was put away; null while in use.';
comment on column public.rewards.created_at is 'When it was created.';

create function private.is_reward_metadata(p_metadata jsonb) returns boolean
language sql immutable parallel safe
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
comment on function private.is_reward_metadata(jsonb) is
  'Whether a reward''s details are well formed (specification, section 5): discount 1-100, whole points and '
  'validity days from 1, a short item text, nothing else, and null rather than empty.';
alter table public.rewards add constraint rewards_metadata_check check (private.is_reward_metadata(metadata));
alter table public.rewards add constraint rewards_points_check
  check (type <> 'points' or (metadata ->> 'points') is not null);

create function private.complete_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'INSERT' then
    new.type := coalesce(new.type, new.reward_type);
    new.reward_type := coalesce(new.reward_type, new.type);
  elsif new.type is distinct from old.type then
    new.reward_type := new.type;
  elsif new.reward_type is distinct from old.reward_type then
    new.type := new.reward_type;
  end if;
  new.value := trim_scale(new.value);
  return new;
end;
$$;
comment on function private.complete_reward() is
  'Fills type from reward_type or the other way round: the specification writes both. Both different is refused by a check.';
-- Not on every update: a spin takes from the stock.
create trigger complete_reward before insert or update of type, reward_type, value on public.rewards
  for each row execute function private.complete_reward();

create table public.wheel_segments (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null,
  campaign_id uuid not null,
  reward_id uuid,
  label text not null check (btrim(label) <> '' and length(label) <= 60),
  color text not null check (color ~ '^#[0-9A-Fa-f]{6}$'),
  weight smallint not null check (weight between 0 and 100),
  position smallint not null default 0 check (position >= 0),
  unique (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade,
  foreign key (org_id, campaign_id, reward_id) references public.rewards (org_id, campaign_id, id) on delete restrict
);
create index wheel_segments_campaign_idx on public.wheel_segments (campaign_id, position);
create index wheel_segments_reward_idx on public.wheel_segments (org_id, campaign_id, reward_id);
comment on table public.wheel_segments is 'A slice of a campaign''s wheel (specification, section 3).';
comment on column public.wheel_segments.id is 'Identifier.';
comment on column public.wheel_segments.org_id is 'Organisation.';
comment on column public.wheel_segments.campaign_id is 'Campaign.';
comment on column public.wheel_segments.reward_id is 'Reward of the same campaign; null is a losing slice.';
comment on column public.wheel_segments.label is 'Text on the wheel, 1 to 60 characters.';
comment on column public.wheel_segments.color is 'Colour, as #RRGGBB.';
comment on column public.wheel_segments.weight is 'Odds in percent, whole, 0 to 100; the weights of a campaign sum to 100.';
comment on column public.wheel_segments.position is 'Order on the wheel, clockwise.';

create function private.check_wheel_total() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign_id uuid := coalesce(new.campaign_id, old.campaign_id);
  v_total bigint;
begin
  select sum(s.weight) into v_total from public.wheel_segments s where s.campaign_id = v_campaign_id;
  if v_total <> 100 then
    raise exception 'wheel_total_not_100' using errcode = '23514',
      constraint = 'wheel_segments_total_check', detail = v_total::text;
  end if;
  return null;
end;
$$;
comment on function private.check_wheel_total() is
  'At the end of the transaction a campaign''s weights sum to 100, or it has no slice. Error 23514, '
  'constraint wheel_segments_total_check, with the sum as detail (specification, section 5).';
create constraint trigger check_wheel_total
  after insert or update or delete on public.wheel_segments
  deferrable initially deferred
  for each row execute function private.check_wheel_total();

create function private.bump_campaign_rules_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_version = c.rules_version + 1
  where c.id in (select distinct changed.campaign_id from changed);
  return null;
end;
$$;
comment on function private.bump_campaign_rules_version() is
  'A change of the slices changes the rules of the game.';
create trigger bump_rules_version_on_insert after insert on public.wheel_segments
  referencing new table as changed
  for each statement execute function private.bump_campaign_rules_version();
create trigger bump_rules_version_on_update after update on public.wheel_segments
  referencing new table as changed
  for each statement execute function private.bump_campaign_rules_version();
create trigger bump_rules_version_on_delete after delete on public.wheel_segments
  referencing old table as changed
  for each statement execute function private.bump_campaign_rules_version();

create function private.bump_rules_version_of_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_version = c.rules_version + 1
  where c.id = coalesce(new.campaign_id, old.campaign_id);
  return null;
end;
$$;
comment on function private.bump_rules_version_of_reward() is
  'A change of what can be won (not of how many are left) changes the rules of the game.';
create trigger bump_rules_version_on_insert after insert on public.rewards
  for each row execute function private.bump_rules_version_of_reward();
create trigger bump_rules_version_on_update
  after update of name, type, value, max_per_user, metadata, active, archived_at on public.rewards
  for each row
  when ((old.name, old.type, old.value, old.max_per_user, old.metadata, old.active, old.archived_at)
    is distinct from (new.name, new.type, new.value, new.max_per_user, new.metadata, new.active, new.archived_at))
  execute function private.bump_rules_version_of_reward();

-- Security -------------------------------------------------------------------------------------

alter table public.rewards enable row level security;
alter table public.wheel_segments enable row level security;

grant select, delete on public.rewards, public.wheel_segments to authenticated;
grant insert (org_id, campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, active),
  update (campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, active, archived_at)
  on public.rewards to authenticated;
grant insert (org_id, campaign_id, reward_id, label, color, weight, position),
  update (reward_id, label, color, weight, position)
  on public.wheel_segments to authenticated;
grant select, insert, update, delete on public.rewards, public.wheel_segments to service_role;

create policy "Members read the rewards" on public.rewards
  for select to authenticated using (org_id = any (array(select private.my_org_ids('rewards.read'))));
create policy "Members add rewards" on public.rewards
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('rewards.write'))));
create policy "Members change rewards" on public.rewards
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('rewards.write'))))
  with check (org_id = any (array(select private.my_org_ids('rewards.write'))));
create policy "Owners and admins delete rewards" on public.rewards
  for delete to authenticated using (org_id = any (array(select private.my_org_ids('rewards.delete'))));

create policy "Members read the wheel" on public.wheel_segments
  for select to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.read'))));
create policy "Members add slices" on public.wheel_segments
  for insert to authenticated with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
create policy "Members change slices" on public.wheel_segments
  for update to authenticated
  using (org_id = any (array(select private.my_org_ids('campaigns.write'))))
  with check (org_id = any (array(select private.my_org_ids('campaigns.write'))));
-- Redrawing a wheel deletes its slices and inserts them anew (specification, section 7.1), so it goes with writing.
create policy "Members remove slices" on public.wheel_segments
  for delete to authenticated using (org_id = any (array(select private.my_org_ids('campaigns.write'))));

-- The check on metadata runs with the rights of whoever writes the row.
grant execute on function private.is_reward_metadata(jsonb) to authenticated, service_role;
