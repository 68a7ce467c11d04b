-- Rewards, the wheel, and the rules of the game that follow from both.
--
-- Prizes and their odds must be valid whichever client edits them: weights that sum to 100, a segment that wins only a reward
-- of its own organisation, a stock that never goes below zero. The rules are made of the campaign itself, kept word for word a
-- version, and never changed afterwards.

-- PL/pgSQL, because PostgreSQL inlines an SQL function into a constraint and plans it anew for each statement that
-- writes a row. Every prize taken from a stock would pay for that.
create function private.is_reward_metadata(p_metadata jsonb) returns boolean
language plpgsql immutable parallel safe set search_path = ''
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
comment on function private.is_reward_metadata(jsonb) is
  'Whether a reward''s details are well formed (specification, section 5): discount 1-100, whole points and '
  'validity days from 1, a short item text, nothing else, and null rather than empty.';
grant execute on function private.is_reward_metadata(jsonb) to authenticated, service_role;

create function private.validity_days(p_type text, p_metadata jsonb) returns integer
language sql immutable parallel safe
return coalesce((p_metadata ->> 'validityDays')::integer, case when p_type is distinct from 'points' then 30 end);
comment on function private.validity_days(text, jsonb) is
  'How many days after the day at the store what a reward gives is valid, of its type and metadata: 30 where the merchant chose no '
  'number (USUAL_VALIDITY_DAYS of _shared/domain); null of points without end. Planned as part of the query that calls it.';

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
  version integer not null default 1 check (version >= 1),
  picture text,
  translations jsonb not null default '{}',
  item_translations jsonb not null default '{}',
  unique (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete restrict,
  constraint rewards_metadata_check check (private.is_reward_metadata(metadata)),
  constraint rewards_points_check
    check (type <> 'points' or (metadata ->> 'points') is not null),
  constraint rewards_picture_check check (picture in ('coffee', 'pastry', 'dessert', 'drink', 'meal', 'discount', 'gift',
    'care', 'hair', 'key', 'sport', 'star')),
  constraint rewards_translations_check check (private.is_translations(translations, 120)),
  constraint rewards_item_translations_check check (private.is_translations(item_translations, 200))
) with (fillfactor = 70);
create index rewards_org_id_created_at_idx on public.rewards (org_id, created_at desc);
create index rewards_campaign_id_idx on public.rewards (campaign_id);
create index rewards_org_id_campaign_id_idx on public.rewards (org_id, campaign_id, id);
comment on table public.rewards is 'Rewards that can be won in a campaign (specification, section 3).';
comment on column public.rewards.id is 'Identifier.';
comment on column public.rewards.org_id is 'Organisation.';
comment on column public.rewards.campaign_id is
  'Campaign where it is at home; wheels of the organisation''s other campaigns may have it too, with the same stock.';
comment on column public.rewards.name is 'Name as customers read it, 1 to 120 characters.';
comment on column public.rewards.description is 'Internal or explanatory text.';
comment on column public.rewards.type is 'coupon, gift or points.';
comment on column public.rewards.reward_type is 'Always equal to type (specification, section 3); filled when missing.';
comment on column public.rewards.value is 'Cost for the merchant, in euros, two decimals at most; null when not entered.';
comment on column public.rewards.code_template is 'Shape of its codes: {random} is replaced, or appended when missing; null is WIN and the random part. May not start with TEST.';
comment on column public.rewards.stock is 'How many are left to win; -1 is unlimited.';
comment on column public.rewards.max_per_user is 'How often one person may win it, from 1.';
comment on column public.rewards.metadata is 'Optional discountPercent (1-100), item (text), points (from 1), validityDays (from 1; of points: none is without end); null when empty.';
comment on column public.rewards.active is 'Whether it can be won.';
comment on column public.rewards.archived_at is
  'When it was archived; null while in use.';
comment on column public.rewards.created_at is 'When it was created.';
comment on column public.rewards.version is
  'Rises with every change that a merchant makes in the form: saving an older version is refused, and overwrites nothing.';
comment on column public.rewards.picture is
  'Drawing beside its name on the wheel, the ticket and the poster; null is none. The drawings are those of _shared/domain.';
comment on column public.rewards.translations is
  'Its name in other languages of the phone pages, as {"en": "Free coffee"}; customers read the name itself in those that are missing.';
comment on column public.rewards.item_translations is
  'Translations of metadata.item, where that is not the name: an item called like the reward is said as the reward is.';

create table public.wheel_segments (
  id uuid primary key default gen_random_uuid(),
  org_id uuid not null,
  campaign_id uuid not null,
  reward_id uuid,
  label text not null check (btrim(label) <> '' and length(label) <= 60),
  color text not null check (color ~ '^#[0-9A-Fa-f]{6}$'),
  weight smallint not null check (weight between 0 and 100),
  position smallint not null default 0 check (position >= 0),
  translations jsonb not null default '{}',
  unique (org_id, id),
  constraint wheel_segments_translations_check check (private.is_translations(translations, 60)),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade,
  foreign key (org_id, reward_id) references public.rewards (org_id, id) on delete restrict
);
create index wheel_segments_campaign_idx on public.wheel_segments (campaign_id, position);
create index wheel_segments_reward_idx on public.wheel_segments (org_id, campaign_id, reward_id);
create index wheel_segments_shared_idx on public.wheel_segments (org_id, reward_id);
comment on table public.wheel_segments is 'A segment of a campaign''s wheel (specification, section 3).';
comment on column public.wheel_segments.id is 'Identifier.';
comment on column public.wheel_segments.org_id is 'Organisation.';
comment on column public.wheel_segments.campaign_id is 'Campaign.';
comment on column public.wheel_segments.reward_id is 'Reward of the same organisation, of this campaign or shared with it; null is a losing segment.';
comment on column public.wheel_segments.label is 'Text on the wheel, 1 to 60 characters.';
comment on column public.wheel_segments.color is 'Colour, as #RRGGBB.';
comment on column public.wheel_segments.weight is 'Odds in percent, whole, 0 to 100; the weights of a campaign sum to 100.';
comment on column public.wheel_segments.position is 'Order on the wheel, clockwise.';
comment on column public.wheel_segments.translations is
  'Its text in other languages, where that is not the name of its reward: a text that is has the reward''s translations.';

create table private.default_segments (
  id uuid primary key,
  purpose text not null check (purpose in ('example', 'losing')),
  label text not null,
  color text not null,
  weight smallint not null,
  position smallint not null,
  translations jsonb not null default '{}' check (private.is_translations(translations, 60))
);
comment on table private.default_segments is
  'Segments of a wheel that nobody has drawn yet (specification, section 9): an example for the test mode, '
  'and the losing segment that completes the rewards of a campaign without segments.';
comment on column private.default_segments.id is 'Identifier.';
comment on column private.default_segments.purpose is 'example: shown and drawn in test mode only; losing: takes what equal shares leave.';
comment on column private.default_segments.label is 'Text on the wheel.';
comment on column private.default_segments.color is 'Colour, as #RRGGBB.';
comment on column private.default_segments.weight is 'Odds in percent; of no meaning for losing.';
comment on column private.default_segments.position is 'Order on the wheel.';
comment on column private.default_segments.translations is 'Its text in the other languages of the phone pages.';

insert into private.default_segments (id, purpose, label, color, weight, position, translations) values
  ('00000000-0000-4000-8000-000000000001', 'example', 'Café offert', '#8B5CF6', 25, 0,
    '{"en": "Free coffee", "de": "Gratis-Kaffee", "es": "Café gratis", "it": "Caffè in omaggio", "nl": "Gratis koffie"}'),
  ('00000000-0000-4000-8000-000000000002', 'example', 'Réduction 10%', '#10B981', 25, 1,
    '{"en": "10% off", "de": "10 % Rabatt", "es": "10 % de descuento", "it": "Sconto del 10%", "nl": "10% korting"}'),
  ('00000000-0000-4000-8000-000000000003', 'example', 'Dessert offert', '#F59E0B', 15, 2,
    '{"en": "Free dessert", "de": "Gratis-Dessert", "es": "Postre gratis", "it": "Dolce in omaggio", "nl": "Gratis dessert"}'),
  ('00000000-0000-4000-8000-000000000004', 'example', 'Pas de chance', '#6B7280', 35, 3,
    '{"en": "No luck", "de": "Kein Glück", "es": "Sin suerte", "it": "Niente da fare", "nl": "Helaas"}'),
  ('00000000-0000-4000-8000-000000000005', 'losing', 'Pas de chance', '#6B7280', 0, 0,
    '{"en": "No luck", "de": "Kein Glück", "es": "Sin suerte", "it": "Niente da fare", "nl": "Helaas"}');

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
comment on column public.campaign_rules.content is
  'Content of the rules (private.rules_content); the shape is rulesContent of _shared/domain.';
comment on column public.campaign_rules.content_hash is 'SHA-256 of the content: rules that come back to what they were are that version again.';
comment on column public.campaign_rules.published_at is 'When it first held.';

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
  'At the end of the transaction a campaign''s weights sum to 100, or it has no segment. Error 23514, '
  'constraint wheel_segments_total_check, with the sum as detail (specification, section 5).';
create constraint trigger check_wheel_total
  after insert or update or delete on public.wheel_segments
  deferrable initially deferred
  for each row execute function private.check_wheel_total();

create function private.mark_campaign_rules(p_ids uuid[]) returns void
language plpgsql volatile set search_path = ''
as $$
begin
  -- One alone may be held already by a foreign key, whose end whoever deletes it waits for.
  perform private.begin_campaigns_change(c.org_id)
  from public.campaigns c where c.id = any (p_ids) and not c.rules_stale group by c.org_id having count(*) > 1;
  perform 1 from public.campaigns c where c.id = any (p_ids) and not c.rules_stale order by c.id for no key update;
  update public.campaigns c set rules_stale = true where c.id = any (p_ids) and not c.rules_stale;
end;
$$;
comment on function private.mark_campaign_rules(uuid[]) is
  'Says that the rules of some campaigns may have changed in this transaction.';

create function private.sharing_campaigns(p_org_id uuid, p_reward_ids uuid[]) returns setof uuid
language sql stable set search_path = ''
as $$
  select r.campaign_id from public.rewards r where r.org_id = p_org_id and r.id = any (p_reward_ids)
  union
  select s.campaign_id from public.wheel_segments s where s.org_id = p_org_id and s.reward_id = any (p_reward_ids);
$$;
comment on function private.sharing_campaigns(uuid, uuid[]) is
  'The campaigns that have one of some rewards: those where they are at home, and those on whose wheels they stand.';

create function private.is_shared(p_reward public.rewards) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.wheel_segments s
    where s.org_id = p_reward.org_id and s.reward_id = p_reward.id and s.campaign_id <> p_reward.campaign_id);
$$;
comment on function private.is_shared(public.rewards) is 'Whether a reward is on the wheel of another campaign than its own.';

create function private.lock_sharing_campaigns(p_org_id uuid, p_campaign_id uuid, p_reward_ids uuid[]) returns void
language sql volatile set search_path = ''
as $$
  -- Rewards before campaigns, as whoever changes or removes one: two orders would make deadlocks.
  select 1 from public.rewards r where r.org_id = p_org_id and r.id = any (p_reward_ids) order by r.id for key share;
  select private.begin_campaigns_change(p_org_id);
  select 1 from public.campaigns c
  where c.org_id = p_org_id and (c.id = p_campaign_id or c.id in (
    select t.id from private.sharing_campaigns(p_org_id, p_reward_ids || array(
      select s.reward_id from public.wheel_segments s
      where s.org_id = p_org_id and s.campaign_id = p_campaign_id and s.reward_id is not null)) t (id)))
  order by c.id for no key update;
$$;
comment on function private.lock_sharing_campaigns(uuid, uuid, uuid[]) is
  'Locks a campaign (or none) and all that share a reward with its wheel, or would with these rewards on it, in one order: its wheel or '
  'these rewards are about to change. Until the transaction ends the rewards stay.';

create function private.bump_campaign_rules_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_stale = true, version = c.version + 1
  where c.id in (select distinct changed.campaign_id from changed);
  return null;
end;
$$;
comment on function private.bump_campaign_rules_version() is
  'A change of the segments may change the rules of the game, and is a new version of the campaign.';
create trigger adjust_texts before insert or update of label, translations on public.wheel_segments
  for each row when (private.is_unclean(new.label) or new.translations <> '{}')
  execute function private.clean_texts('label', 'translations');
create trigger bump_rules_version_on_insert after insert on public.wheel_segments
  referencing new table as changed
  for each statement execute function private.bump_campaign_rules_version();
create trigger bump_rules_version_on_update after update on public.wheel_segments
  referencing new table as changed
  for each statement execute function private.bump_campaign_rules_version();
create trigger bump_rules_version_on_delete after delete on public.wheel_segments
  referencing old table as changed
  for each statement execute function private.bump_campaign_rules_version();

create function private.mark_rules_of_sharing() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := coalesce(new.org_id, old.org_id);
  v_shared constant uuid[] := array(
    select r.id from public.rewards r
    where r.org_id = v_org_id and r.id in (new.reward_id, old.reward_id)
      and r.campaign_id <> coalesce(new.campaign_id, old.campaign_id));
begin
  if v_shared <> '{}' then
    perform private.mark_campaign_rules(array(select t.id from private.sharing_campaigns(v_org_id, v_shared) t (id)));
  end if;
  return null;
end;
$$;
comment on function private.mark_rules_of_sharing() is
  'Rules say of a reward that campaigns share it: those of the others change with a segment that wins it elsewhere.';
create trigger mark_rules_of_sharing after insert or delete or update of reward_id on public.wheel_segments
  for each row execute function private.mark_rules_of_sharing();

create function private.wheel(
  p_org_id uuid, p_campaign_id uuid, p_customer_id uuid,
  out segment_ids uuid[], out reward_ids uuid[], out labels text[], out colors text[], out weights integer[],
  out is_drawable boolean[], out is_shown boolean[], out is_example boolean
)
language plpgsql stable set search_path = ''
as $$
begin
  is_example := false;
  select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
    array_agg(w.weight::integer), array_agg(w.drawable), array_agg(w.weight > 0 and w.offered)
  into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
  from (
    select s.id, s.reward_id, s.label, s.color, s.weight,
      s.reward_id is null or (
        r.active and r.archived_at is null and r.stock <> 0
        and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id))
      ) as drawable,
      s.reward_id is null or (r.active and r.archived_at is null) as offered
    from public.wheel_segments s
    left join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
    where s.campaign_id = p_campaign_id
    order by s.position, s.id
  ) w;

  if segment_ids is null then
    -- No segments: the rewards in equal shares, and a losing segment that takes the remainder (section 9).
    select array_agg(w.id), array_agg(w.id), array_agg(w.name), array_agg(w.color), array_agg(w.weight),
      array_agg(w.drawable), array_agg(w.active)
    into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
    from (
      select r.id, r.name, r.active,
        ('{#8B5CF6,#10B981,#F59E0B,#EF4444,#06B6D4,#EC4899}'::text[])[
          1 + (row_number() over (order by r.created_at, r.id) - 1) % 6] as color,
        (100 / count(*) over ())::integer as weight,
        r.active and r.stock <> 0
          and (p_customer_id is null or r.max_per_user > private.wins_of(p_org_id, p_customer_id, r.id)) as drawable
      from public.rewards r
      where r.campaign_id = p_campaign_id and r.archived_at is null
      order by r.created_at, r.id
    ) w;
    select segment_ids || p_campaign_id, reward_ids || null::uuid, labels || d.label, colors || d.color,
      weights || 100 - cardinality(weights) * weights[1], is_drawable || true,
      is_shown || (100 - cardinality(weights) * weights[1] > 0)
    into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
    from private.default_segments d where d.purpose = 'losing' and segment_ids is not null;
  end if;

  if segment_ids is null then
    -- Nothing is offered at all: an example to look at and to test, never a real draw.
    is_example := true;
    select array_agg(w.id), array_agg(w.reward_id), array_agg(w.label), array_agg(w.color),
      array_agg(w.weight::integer), array_agg(false), array_agg(w.weight > 0)
    into segment_ids, reward_ids, labels, colors, weights, is_drawable, is_shown
    from (
      select d.id, case when d.label <> l.label then d.id end as reward_id, d.label, d.color, d.weight
      from private.default_segments d, private.default_segments l
      where d.purpose = 'example' and l.purpose = 'losing'
      order by d.position
    ) w;
  end if;

  if not true = any (is_shown) then
    is_shown := array(select w.weight > 0 from unnest(weights) with ordinality as w (weight, n) order by w.n);
  end if;
end;
$$;
comment on function private.wheel(uuid, uuid, uuid) is
  'The segments of a campaign''s wheel in order, as arrays: those that the merchant drew, else its rewards in equal shares, '
  'else the example. is_drawable tells whether a segment can be drawn for a customer (null: for anybody): a reward '
  'must be active, in stock and not yet won max_per_user times; losing segments always can; the example never. is_shown tells '
  'whether customers and posters see it: its weight is above zero and its reward neither stopped nor archived, as in the '
  'rules; where no segment is left of that, all of a weight above zero.';

create function private.campaign_words(p_org_id uuid, p_campaign_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('text', w.text, 'translations', w.translations) order by w.text), '[]'::jsonb)
  from (
    -- One translation for each text: that of the newest reward of that name comes first.
    select distinct on (t.text) t.text, t.translations
    from (
      select r.name as text, r.translations, 1 as rank, r.created_at
      from public.rewards r
      where r.org_id = p_org_id and r.translations <> '{}' and (r.campaign_id = p_campaign_id or r.id in (
        select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))
      union all
      select s.label, s.translations, 2, null
      from public.wheel_segments s
      where s.org_id = p_org_id and s.campaign_id = p_campaign_id and s.translations <> '{}'
        -- A segment named like its reward takes the reward's translations: its own were left from another text.
        and not exists (
          select 1 from public.rewards r where r.org_id = s.org_id and r.id = s.reward_id and r.name = s.label)
      union all
      select d.label, d.translations, 3, null
      from private.default_segments d
      where d.purpose = 'losing'
        or not exists (select 1 from public.wheel_segments s where s.campaign_id = p_campaign_id)
      union all
      select c.name, c.translations, 4, null
      from public.campaigns c where c.id = p_campaign_id and c.org_id = p_org_id and c.translations <> '{}'
      union all
      select r.metadata ->> 'item', r.item_translations, 5, r.created_at
      from public.rewards r
      where r.org_id = p_org_id and r.item_translations <> '{}' and r.metadata ? 'item' and (r.campaign_id = p_campaign_id or r.id in (
        select s.reward_id from public.wheel_segments s where s.campaign_id = p_campaign_id))
    ) t
    order by t.text, t.rank, t.created_at desc
  ) w;
$$;
comment on function private.campaign_words(uuid, uuid) is
  'Translations of a campaign''s texts, which customers read in their language: names of its rewards, archived as well, the '
  'items that they give, texts of its wheel, and its own name. A list of {text, translations}; the shape is merchantWords of _shared/domain.';

create function private.keep_reward_home() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if exists (
    select 1 from public.wheel_segments s
    where s.org_id = old.org_id and s.campaign_id = old.campaign_id and s.reward_id = old.id
  ) then
    raise exception 'reward_on_wheel' using errcode = '23503', constraint = 'wheel_segments_org_id_reward_id_fkey';
  end if;
  return new;
end;
$$;
comment on function private.keep_reward_home() is
  'Refuses to move a reward from a campaign on whose wheel it stands. Error 23503.';
create trigger keep_reward_home before update of campaign_id on public.rewards
  for each row when (old.campaign_id is distinct from new.campaign_id) execute function private.keep_reward_home();

create function private.bump_reward_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_reward_version() is 'Numbers the versions of a reward.';
create trigger adjust_texts before insert or update of name, description, code_template, metadata, translations, item_translations on public.rewards
  for each row when (private.is_unclean(new.name) or private.is_unclean(new.description)
    or private.is_unclean(new.code_template) or new.metadata ? 'item' or new.translations <> '{}' or new.item_translations <> '{}')
  execute function private.clean_texts(
    'name', 'description', 'code_template', 'metadata', 'translations', 'item_translations');
-- Neither a win, which takes from the stock, nor the switch of the list is a change of the form.
create trigger bump_reward_version
  before update of campaign_id, name, description, type, reward_type, value, code_template, max_per_user, metadata,
    picture, translations, item_translations
  on public.rewards
  for each row execute function private.bump_reward_version();

create function private.reward_dependencies(p_org_id uuid, p_reward_id uuid, out wins boolean, out segments integer)
language sql stable set search_path = ''
as $$
  select
    exists (
      select 1 from private.reward_totals_now(p_org_id) t
      where t.reward_id = p_reward_id and t.wins > 0) or private.is_given(p_org_id, p_reward_id),
    (select count(*) from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = p_reward_id)::integer;
$$;
comment on function private.reward_dependencies(uuid, uuid) is
  'Dependencies of a reward: whether it was ever won or given, and on how many segments of wheels it stands. Read from '
  'counters.';

create trigger check_archiving before update of archived_at on public.rewards
  for each row when (new.archived_at is not null and new.archived_at is distinct from old.archived_at)
  execute function private.check_archiving('rewards.delete');

create function public.remove_reward(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('rewards.delete'));
  v_org_id uuid;
  v_dependencies record;
begin
  select r.org_id into v_org_id from public.rewards r
  where r.id = p_id and r.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is winning it: a draw that has begun ends, and none begins with it afterwards.
    update public.rewards r set archived_at = now() where r.id = p_id and r.archived_at is null;
    return;
  end if;
  v_dependencies := private.reward_dependencies(v_org_id, p_id);
  -- The lock waits for all who win it right now: of a reward in demand it might never come.
  if not v_dependencies.wins and v_dependencies.segments = 0 then
    perform 1 from public.rewards r where r.id = p_id for update;
    v_dependencies := private.reward_dependencies(v_org_id, p_id);
  end if;
  if v_dependencies.wins or v_dependencies.segments > 0 then
    raise exception 'reward_has_history' using errcode = 'TV040';
  end if;
  delete from public.rewards r where r.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'reward_has_history' using errcode = 'TV040';
end;
$$;
comment on function public.remove_reward(uuid, boolean) is
  'Archives a reward, or deletes it when it was never won and is on no wheel. Error TV040 when that has changed meanwhile: then '
  'nothing is changed. Errors: 42501 without the permission rewards.delete there, 23502 without that choice.';
grant execute on function public.remove_reward(uuid, boolean) to authenticated;

create function public.archive_rewards(p_org_id uuid, p_ids uuid[]) returns integer
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('rewards.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  -- In one order, whoever asks; it waits for no customer who is winning one (remove_reward).
  perform 1 from public.rewards r
  where r.org_id = p_org_id and r.id = any (p_ids)
  order by r.id for no key update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  -- The campaigns of all of them at once: each reward by itself would lock them in its own order.
  perform private.lock_sharing_campaigns(p_org_id, null, p_ids);
  update public.rewards r set archived_at = now()
  where r.org_id = p_org_id and r.id = any (p_ids) and r.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function public.archive_rewards(uuid, uuid[]) is
  'Archives the rewards that were ticked in the list, all or none; answers how many were not archived before. Errors: 42501 '
  'when one of them is not a reward that one may remove there, 22023 for none or more than 200.';
grant execute on function public.archive_rewards(uuid, uuid[]) to authenticated;

create function private.reward_figures(p_org_id uuid, p_reward_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
    'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
  from private.reward_totals_now(p_org_id) t
  where t.reward_id = p_reward_id;
$$;
comment on function private.reward_figures(uuid, uuid) is 'Figures of a reward''s whole life.';

create function public.reward_list(
  p_org_id uuid, p_search text default '', p_is_archived boolean default false, p_page integer default 1,
  p_sort text default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,rate,max,validity,state,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures json;
  v_items json;
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(
      select c.id from public.campaigns c where c.org_id = p_org_id and private.has_words(c.name, v_pattern, v_hint));
    v_shared := array(
      select distinct s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_campaigns) and s.reward_id is not null);
  end if;
  select count(*) filter (where r.archived_at is null), count(*) filter (where r.archived_at is not null)
  into v_total, v_archived
  from public.rewards r where r.org_id = p_org_id;
  v_matches := case when v_is_archived then v_archived else v_total end;
  if v_pattern is null and v_key is null then
    -- The newest stand first in an index.
    v_page := private.last_page(p_page, v_matches, v_page_size);
    v_ids := array(
      select r.id from public.rewards r
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived
      order by r.created_at desc, r.id limit v_page_size offset (v_page - 1) * v_page_size);
  else
    with listed as materialized (
      select r.id, r.created_at, k.word, k.number
      from public.rewards r
      left join (
        select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
        from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions', 'rate') group by t.reward_id
      ) f on f.reward_id = r.id
      cross join lateral (
        select case v_key when 'name' then private.words(r.name) end as word, case v_key
          -- An unlimited stock sorts above every number.
          when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
          when 'wins' then coalesce(f.wins, 0)::double precision
          when 'redemptions' then coalesce(f.redemptions, 0)::double precision
          -- Points have no codes, and so no rate: they stand below all others.
          when 'rate' then case when r.type = 'points' then -1
            else coalesce(f.redemptions::double precision / nullif(f.wins, 0), 0) end
          when 'max' then r.max_per_user::double precision
          -- Points without a number of days have no end.
          when 'validity' then coalesce(private.validity_days(r.type, r.metadata)::double precision, 'Infinity')
          when 'state' then r.active::integer::double precision
          when 'created_at' then extract(epoch from r.created_at)::double precision
        end as number
      ) k
      where r.org_id = p_org_id and (r.archived_at is not null) = v_is_archived and (v_pattern is null
        or r.campaign_id = any (v_campaigns) or r.id = any (v_shared) or private.has_words(r.name, v_pattern, v_hint))
    )
    select n.matches, p.page, array(
        -- Only as many as are shown are put in order.
        select l.id from listed l
        order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
          case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
        limit v_page_size offset (p.page - 1) * v_page_size)
    into v_matches, v_page, v_ids
    from (select count(*) as matches from listed l) n
    cross join lateral (select private.last_page(p_page, n.matches::integer, v_page_size) as page) p;
  end if;

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t where t.reward_id = any (v_ids) group by t.reward_id
  ), given as materialized (
    select g.id from private.given_rewards(p_org_id, v_ids) g (id)
  ), drawn as materialized (
    select w.reward_id, count(*) as segments, array_agg(w.campaign_id) as campaigns
    from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = any (v_ids) group by w.reward_id
  )
  select
    (select json_build_object('wins', coalesce(sum(t.wins), 0), 'codes', coalesce(sum(t.codes), 0),
      'redemptions', coalesce(sum(t.redemptions), 0), 'expirations', coalesce(sum(t.expirations), 0))
     from private.reward_totals_now(p_org_id) t),
    coalesce(json_agg(json_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', coalesce(d.segments, 0),
      -- Few rewards have segments in a campaign that is not their own: only those ask for names.
      'shared_with', coalesce(case when r.campaign_id <> any (d.campaigns) then (
        select json_agg(json_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id = any (d.campaigns)) end, '[]'::json),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null and d.reward_id is null and c.archived_at is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', json_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::json)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  left join drawn d on d.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return json_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.reward_list(uuid, text, boolean, integer, text) is
  'A page of an organisation''s rewards in use, or archived, whose name or campaign''s name contains a text. Newest first '
  'or sorted (name, stock, wins, redemptions, rate, max, validity, state, created_at; private.sort_key), with the figures '
  'above the list (specification, section 2.17); the shape is rewardList of _shared/domain. Error 42501 without the '
  'permissions rewards.read and activity.read there.';
grant execute on function public.reward_list(uuid, text, boolean, integer, text) to authenticated;

create function public.reward_stats(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  -- First, so that a plan that is over is refused the same way whether the reward exists or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('activity.read'));
  v_reward public.rewards;
  v_campaign_name text;
  v_today date;
begin
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (v_org_ids);
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
comment on function public.reward_stats(uuid) is
  'Figures of a reward: of its whole life, its codes by state, and each of the last 90 days in the time zone of its '
  'campaign''s store; the shape is rewardStats of _shared/domain. advanced, which holds them, is null where the plan does '
  'not include it. Null when there is no such reward for the signed-in user.';
grant execute on function public.reward_stats(uuid) to authenticated;

create function private.read_segments(p_segments jsonb)
returns table (n bigint, id uuid, reward_id uuid, label text, color text, weight integer, translations jsonb)
language sql stable set search_path = ''
as $$
  select s.n, s.id, s.reward_id, btrim(s.label), s.color, s.weight, s.translations
  from rows from (
    jsonb_to_recordset(p_segments) as (
      id uuid, reward_id uuid, label text, color text, weight integer, translations jsonb)
  ) with ordinality as s (id, reward_id, label, color, weight, translations, n);
$$;
comment on function private.read_segments(jsonb) is
  'Segments as an editor sends them, numbered from 1: a list of {id (null: new), reward_id (null: loses), label, color, weight, '
  'translations (missing: as they are, for the same label)}.';

create function private.redraw_wheel(p_org_id uuid, p_campaign_id uuid, p_segments jsonb) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_total bigint;
  v_is_unclear boolean;
begin
  if jsonb_typeof(p_segments) <> 'array' or jsonb_array_length(p_segments) > 100 then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select coalesce(sum(s.weight), 0), count(s.id) > count(distinct s.id) into v_total, v_is_unclear
  from private.read_segments(p_segments) s;
  if v_is_unclear then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  if v_total <> 100 then
    raise exception 'wheel_total_not_100' using errcode = 'TV063', detail = v_total::text;
  end if;
  if exists (
    select 1 from private.read_segments(p_segments) s
    where s.reward_id is not null and not exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.id = s.reward_id)
  ) then
    raise exception 'reward_of_another_organization' using errcode = 'TV065';
  end if;

  -- A segment that stays keeps its identifier: spins in progress and past spins point at it.
  delete from public.wheel_segments w
  where w.campaign_id = p_campaign_id
    and not exists (select 1 from private.read_segments(p_segments) s where s.id = w.id);
  update public.wheel_segments w
  set reward_id = s.reward_id, label = s.label, color = s.color, weight = s.weight, position = s.n - 1,
    translations = s.translations
  from (
    select o.n, o.id, o.reward_id, o.label, o.color, o.weight,
      coalesce(o.translations, case when b.label = o.label then b.translations end, '{}') as translations
    from private.read_segments(p_segments) o
    join public.wheel_segments b on b.campaign_id = p_campaign_id and b.id = o.id
  ) s
  where w.campaign_id = p_campaign_id and w.id = s.id
    and (w.reward_id, w.label, w.color, w.weight, w.position, w.translations)
      is distinct from (s.reward_id, s.label, s.color, s.weight::smallint, (s.n - 1)::smallint, s.translations);
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position, translations)
  select p_org_id, p_campaign_id, s.reward_id, s.label, s.color, s.weight, s.n - 1, coalesce(s.translations, '{}')
  from private.read_segments(p_segments) s
  where not exists (select 1 from public.wheel_segments w where w.campaign_id = p_campaign_id and w.id = s.id)
  order by s.n;
end;
$$;
comment on function private.redraw_wheel(uuid, uuid, jsonb) is
  'Makes a campaign''s wheel what an editor sends, in order (private.read_segments). Errors: TV063 the weights do not sum '
  'to 100 (detail: their sum); TV064 not a list of at most 100 different segments; TV065 a reward of another '
  'organisation; 23514 or 23502 a segment is not well formed.';

create function private.selling_campaign(p_org_id uuid, p_reward_id uuid, p_home_id uuid) returns uuid
language sql stable set search_path = ''
as $$
  select c.id from public.campaigns c
  where c.org_id = p_org_id and c.active and (c.ends_at is null or c.ends_at > now()) and (c.id = p_home_id or c.id in (
    select s.campaign_id from public.wheel_segments s where s.org_id = p_org_id and s.reward_id = p_reward_id))
  order by c.id <> p_home_id, c.id limit 1;
$$;
comment on function private.selling_campaign(uuid, uuid, uuid) is
  'A campaign that runs, or is about to, in which a reward can be won: its own, else the first that shares it.';

create function private.low_stock(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- Figures that are not folded yet are one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, f.wins from private.recent_figures f
    where f.org_id = p_org_id and f.wins <> 0 and f.reward_id is not null and f.day is not null
  ), candidates as materialized (
    -- Upper bound, so that few rewards need an exact count: no seven days had more wins than eight of the best days.
    select r.id, r.name, r.stock, r.campaign_id
    from public.rewards r
    left join public.reward_totals t on t.org_id = p_org_id and t.reward_id = r.id
    left join (select f.reward_id, sum(f.wins) as wins from recent f group by f.reward_id) n on n.reward_id = r.id
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      and (r.stock <= 5 or r.stock <= 8 * coalesce(t.best_day, 0) + coalesce(n.wins, 0))
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from candidates r
    join public.campaigns c on c.org_id = p_org_id and c.id = private.selling_campaign(p_org_id, r.id, r.campaign_id)
    join public.stores s on s.org_id = p_org_id and s.id = c.store_id
    -- Few, or gone in a week at the pace of the last one, whose days are those of the store.
    where r.stock <= 5 or r.stock <= (
        select coalesce(sum(d.wins), 0)
        from (
          select f.wins from public.reward_daily_stats f
          where f.org_id = p_org_id and f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
          union all
          select f.wins from recent f where f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
        ) d)
    order by r.stock, r.name, r.id limit 3
  ) low;
$$;
comment on function private.low_stock(uuid) is
  'Up to 3 rewards of campaigns that run or are about to, which run out: 5 left or fewer, or no more than were won in the last 7 days of the '
  'store''s time zone.';

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

create function private.rules_moment(p_at timestamptz) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"');
end;
$$;
comment on function private.rules_moment(timestamptz) is
  'A moment as ISO 8601 in UTC, whatever the session''s time zone: the same rules are the same bytes.';

create function private.rules_content(p_campaign public.campaigns) returns jsonb
language plpgsql stable set search_path = ''
as $$
declare
  v_wheel record := private.wheel(p_campaign.org_id, p_campaign.id, null);
  v_segments jsonb;
  v_prizes jsonb := '[]'::jsonb;
  v_winning numeric;
  v_losing numeric;
  v_total numeric;
  v_losing_labels jsonb;
begin
  if not v_wheel.is_example then
    -- Rewards that cannot be won (stopped, archived, weight 0) leave their odds to the losing segments, else to the other
    -- prizes; an empty stock is no part of the rules: they say what happens then.
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
      'validity_days', private.validity_days(r.type, r.metadata),
      'max_per_user', r.max_per_user,
      -- All that were put into play: those that are left, and those that were won and not cancelled.
      'number', case when r.stock >= 0 then r.stock + coalesce((
        select sum(t.wins) from private.reward_totals_now(r.org_id) t where t.reward_id = r.id), 0) - (
        select count(*) from public.redemptions d
        where d.org_id = r.org_id and d.reward_id = r.id and d.verdict = 'cancelled') end,
      'odds', trim_scale(round(100 * p.weight / v_total, 2)),
      'labels', p.labels)
      -- Rules of a reward that nobody shares stay as they are, byte by byte.
      || case when private.is_shared(r) then jsonb_build_object('shared', true) else '{}'::jsonb end order by p.place), '[]'::jsonb)
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
      -- Number of the page's wording: a new one is a new version.
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
      -- Rules that ask for nothing stay as they are, byte by byte.
      || coalesce((
        select jsonb_build_object('presence', k.presence) from private.check_settings k
        where k.org_id = p_campaign.org_id and k.campaign_id = p_campaign.id and k.presence is not null
      ), '{}'::jsonb)
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = p_campaign.store_id
    where o.id = p_campaign.org_id
  );
end;
$$;
comment on function private.rules_content(public.campaigns) is
  'Present content of a campaign''s rules: organiser, store, dates, interval between two spins. Of each prize its number '
  '(null: unlimited), value, validity and odds in percent. The odds of losing (null: nobody loses), and how presence is shown '
  'where it is asked for.';

create function private.publish_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_content jsonb;
  v_hash bytea;
  v_version integer;
begin
  -- A change of the same campaign at the same time waits here, and then reads what the other has left.
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

create function private.mark_rules() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.rules_stale := true;
  return new;
end;
$$;
comment on function private.mark_rules() is
  'Notes that the rules of a campaign change with its dates, interval and store.';
create trigger mark_rules before update of starts_at, ends_at, play_interval_days, store_id on public.campaigns
  for each row
  when ((old.starts_at, old.ends_at, old.play_interval_days, old.store_id)
    is distinct from (new.starts_at, new.ends_at, new.play_interval_days, new.store_id))
  execute function private.mark_rules();

create function private.mark_rules_of_reward() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.mark_campaign_rules(array[new.campaign_id, old.campaign_id] || array(
    select s.campaign_id from public.wheel_segments s
    where s.org_id = coalesce(new.org_id, old.org_id) and s.reward_id = coalesce(new.id, old.id)));
  return null;
end;
$$;
comment on function private.mark_rules_of_reward() is
  'Notes that the rules of every campaign with a reward change with its prize and its number.';
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
  perform private.lock_campaigns(new.org_id, new.id);
  update public.campaigns c set rules_stale = true
  where c.org_id = new.org_id and c.store_id = new.id and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_store() is
  'Notes that the rules of a store''s campaigns change with its name, address and time zone.';
create trigger mark_rules after update of name, address, timezone on public.stores
  for each row when ((old.name, old.address, old.timezone) is distinct from (new.name, new.address, new.timezone))
  execute function private.mark_rules_of_store();

create function private.mark_rules_of_organization() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.lock_campaigns(new.id);
  update public.campaigns c set rules_stale = true where c.org_id = new.id and not c.rules_stale;
  return null;
end;
$$;
comment on function private.mark_rules_of_organization() is
  'Notes that the rules of all campaigns change with the organiser''s name.';
create trigger mark_rules after update of name on public.organizations
  for each row when (old.name is distinct from new.name) execute function private.mark_rules_of_organization();

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
      'white_label', private.has_feature(v_campaign.org_id, 'white_label'),
      'brand', private.brand(v_campaign.org_id),
      'pictures', coalesce((
        select jsonb_agg(jsonb_build_object('id', w.id, 'picture', w.picture) order by w.id) from public.rewards w
        where w.org_id = v_campaign.org_id and w.picture is not null and (w.campaign_id = v_campaign.id or w.id in (
          select s.reward_id from public.wheel_segments s where s.campaign_id = v_campaign.id))
      ), '[]'::jsonb),
      'words', private.campaign_words(v_campaign.org_id, v_campaign.id),
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
  'the 50 newest. The pictures of its rewards and what is translated of its texts (private.campaign_words); null when '
  'there is none, or when the campaign neither runs nor was ever played. The shape is rulesPage of _shared/domain.';
grant execute on function public.campaign_rules_page(text, integer) to service_role;

-- Permissions -------------------------------------------------------------------------------------

alter table public.rewards enable row level security;
grant select, delete,
  insert (id, org_id, campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, active,
    picture, translations, item_translations),
  update (campaign_id, name, description, type, reward_type, value, code_template, stock, max_per_user, metadata, active, archived_at,
    picture, translations, item_translations)
  on public.rewards to authenticated;
grant select, insert, update, delete on public.rewards to service_role;
create policy "Members read the rewards" on public.rewards
  for select to authenticated using (org_id = (select private.my_org_ids('rewards.read')));
create policy "Members add rewards" on public.rewards
  for insert to authenticated with check (org_id = (select private.my_org_ids('rewards.write')));
create policy "Members change rewards" on public.rewards
  for update to authenticated
  using (org_id = (select private.my_org_ids('rewards.write')))
  with check (org_id = (select private.my_org_ids('rewards.write')));
create policy "Owners and admins delete rewards" on public.rewards
  for delete to authenticated using (org_id = (select private.my_org_ids('rewards.delete')));

alter table public.wheel_segments enable row level security;
grant select, delete,
  insert (org_id, campaign_id, reward_id, label, color, weight, position, translations),
  update (reward_id, label, color, weight, position, translations)
  on public.wheel_segments to authenticated;
grant select, insert, update, delete on public.wheel_segments to service_role;
create policy "Members read the wheel" on public.wheel_segments
  for select to authenticated using (org_id = (select private.my_org_ids('campaigns.read')));
create policy "Members add segments" on public.wheel_segments
  for insert to authenticated with check (org_id = (select private.my_org_ids('campaigns.write')));
create policy "Members change segments" on public.wheel_segments
  for update to authenticated
  using (org_id = (select private.my_org_ids('campaigns.write')))
  with check (org_id = (select private.my_org_ids('campaigns.write')));
-- Redrawing a wheel deletes its segments and inserts them anew (specification, section 7.1), so it goes with writing.
create policy "Members remove segments" on public.wheel_segments
  for delete to authenticated using (org_id = (select private.my_org_ids('campaigns.write')));

alter table private.default_segments enable row level security;
grant select on private.default_segments to service_role;

alter table public.campaign_rules enable row level security;
grant select on public.campaign_rules to authenticated;
grant select on public.campaign_rules to service_role;
create policy "Members read the rules" on public.campaign_rules
  for select to authenticated using (org_id = (select private.my_org_ids('campaigns.read')));
