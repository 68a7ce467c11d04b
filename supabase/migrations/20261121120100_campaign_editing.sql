-- Why: to whoever edits it, a campaign and its wheel are one thing: it is saved, copied and removed whole or not at all,
-- and two people who edit it at once are told, instead of the second overwriting the first unseen. A campaign that
-- customers know is put away rather than deleted, and neither that one nor one of a closed store comes back to life
-- behind the printed code by a careless switch.

alter table public.campaigns
  add column version integer not null default 1 check (version >= 1),
  add column archived_at timestamptz;
comment on column public.campaigns.version is
  'Rises with every change of the campaign or of its wheel: whoever saves an older version is told, and overwrites nothing.';
comment on column public.campaigns.archived_at is 'When it was put away; null while in use. Put away, it is never active.';

create function private.bump_campaign_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  new.version := old.version + 1;
  return new;
end;
$$;
comment on function private.bump_campaign_version() is 'Numbers the versions of a campaign.';
create trigger bump_campaign_version
  before update of name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at
  on public.campaigns
  for each row
  when ((old.name, old.slug, old.description, old.store_id, old.active, old.starts_at, old.ends_at,
      old.play_interval_days, old.archived_at)
    is distinct from (new.name, new.slug, new.description, new.store_id, new.active, new.starts_at, new.ends_at,
      new.play_interval_days, new.archived_at))
  execute function private.bump_campaign_version();

create or replace function private.bump_campaign_rules_version() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.campaigns c set rules_version = c.rules_version + 1, version = c.version + 1
  where c.id in (select distinct changed.campaign_id from changed);
  return null;
end;
$$;
comment on function private.bump_campaign_rules_version() is
  'A change of the slices changes the rules of the game, and is a new version of the campaign.';

-- What may run -----------------------------------------------------------------------------------

update public.campaigns c set active = false
from public.stores s
where s.org_id = c.org_id and s.id = c.store_id and s.archived_at is not null and c.active;

create function private.check_campaign_may_run() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_store_archived_at timestamptz;
begin
  if new.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  -- The lock makes this and the archiving of the store see each other.
  select s.archived_at into v_store_archived_at
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id
  for share;
  if v_store_archived_at is not null then
    raise exception 'store_archived' using errcode = 'TV060';
  end if;
  return new;
end;
$$;
comment on function private.check_campaign_may_run() is
  'Refuses an active campaign that is put away (error TV061) or whose store is (error TV060).';
create trigger check_campaign_may_run_on_insert before insert on public.campaigns
  for each row when (new.active) execute function private.check_campaign_may_run();
create trigger check_campaign_may_run_on_update before update of active, store_id, archived_at on public.campaigns
  for each row
  when (new.active and (not old.active or new.store_id <> old.store_id or new.archived_at is not null))
  execute function private.check_campaign_may_run();
alter table public.campaigns add constraint campaigns_archived_check check (archived_at is null or not active);

-- Editing ----------------------------------------------------------------------------------------

create function public.campaign_editor(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  if not found then
    return null;
  end if;
  v_wheel := private.wheel(v_campaign.org_id, p_id, null);
  v_is_drawn := exists (select 1 from public.wheel_segments s where s.campaign_id = p_id);
  return jsonb_build_object(
    'campaign', jsonb_build_object('id', v_campaign.id, 'version', v_campaign.version, 'name', v_campaign.name,
      'slug', v_campaign.slug, 'description', v_campaign.description, 'store_id', v_campaign.store_id,
      'active', v_campaign.active, 'starts_at', v_campaign.starts_at, 'ends_at', v_campaign.ends_at,
      'play_interval_days', v_campaign.play_interval_days, 'archived_at', v_campaign.archived_at),
    'wheel', case when v_is_drawn then 'drawn' when v_wheel.is_example then 'example' else 'suggested' end,
    'segments', (
      select jsonb_agg(jsonb_build_object('id', case when v_is_drawn then w.id end,
        'reward_id', case when not v_wheel.is_example then w.reward_id end,
        'label', w.label, 'color', w.color, 'weight', w.weight) order by w.n)
      from unnest(v_wheel.segment_ids, v_wheel.reward_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights)
        with ordinality as w (id, reward_id, label, color, weight, n)
    ),
    'rewards', coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'active', r.active, 'stock', r.stock,
        'is_archived', r.archived_at is not null) order by r.created_at, r.id)
      from public.rewards r
      where r.campaign_id = p_id and (r.archived_at is null or exists (
        select 1 from public.wheel_segments s
        where s.org_id = r.org_id and s.campaign_id = p_id and s.reward_id = r.id))
    ), '[]'::jsonb),
    'stores', coalesce((
      select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'address', s.address, 'timezone', s.timezone,
        'is_archived', s.archived_at is not null) order by s.name, s.id)
      from public.stores s
      where s.org_id = v_campaign.org_id and (s.archived_at is null or s.id = v_campaign.store_id)
    ), '[]'::jsonb));
end;
$$;
comment on function public.campaign_editor(uuid) is
  'All that the editing of a campaign needs, in one request: the campaign with its version, its wheel (drawn, else '
  'suggested from its rewards, else the example, private.wheel), rewards and stores to choose from; the shape is '
  'campaignEditor of _shared/domain. Null when there is no such campaign that the signed-in user may change.';

create function private.read_segments(p_segments jsonb)
returns table (n bigint, id uuid, reward_id uuid, label text, color text, weight integer)
language sql stable
as $$
  select s.n, s.id, s.reward_id, btrim(s.label), s.color, s.weight
  from rows from (
    jsonb_to_recordset(p_segments) as (id uuid, reward_id uuid, label text, color text, weight integer)
  ) with ordinality as s (id, reward_id, label, color, weight, n);
$$;
comment on function private.read_segments(jsonb) is
  'Slices as an editor sends them, numbered from 1: a list of {id (null: new), reward_id (null: loses), label, color, weight}.';

create function private.redraw_wheel(p_org_id uuid, p_campaign_id uuid, p_segments jsonb) returns void
language plpgsql volatile
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
      where r.org_id = p_org_id and r.campaign_id = p_campaign_id and r.id = s.reward_id)
  ) then
    raise exception 'reward_of_another_campaign' using errcode = 'TV065';
  end if;

  -- A slice that stays keeps its identifier: turns that are under way, and those of the past, point at it.
  delete from public.wheel_segments w
  where w.campaign_id = p_campaign_id
    and not exists (select 1 from private.read_segments(p_segments) s where s.id = w.id);
  update public.wheel_segments w
  set reward_id = s.reward_id, label = s.label, color = s.color, weight = s.weight, position = s.n - 1
  from private.read_segments(p_segments) s
  where w.campaign_id = p_campaign_id and w.id = s.id
    and (w.reward_id, w.label, w.color, w.weight, w.position)
      is distinct from (s.reward_id, s.label, s.color, s.weight::smallint, (s.n - 1)::smallint);
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select p_org_id, p_campaign_id, s.reward_id, s.label, s.color, s.weight, s.n - 1
  from private.read_segments(p_segments) s
  where not exists (select 1 from public.wheel_segments w where w.campaign_id = p_campaign_id and w.id = s.id)
  order by s.n;
end;
$$;
comment on function private.redraw_wheel(uuid, uuid, jsonb) is
  'Makes a campaign''s wheel what an editor sends, in order (private.read_segments). Errors: TV063 the weights do not sum '
  'to 100 (detail: their sum), TV064 not a list of at most 100 different slices, TV065 a reward of another campaign, '
  '23514 or 23502 a slice is not well formed.';

create function public.save_campaign(
  p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean,
  p_play_interval_days integer, p_description text default null, p_starts_at timestamptz default null,
  p_ends_at timestamptz default null, p_segments jsonb default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- Whoever saves at the same instant waits here, and then finds another version.
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_campaign.version is distinct from p_version then
    raise exception 'campaign_conflict' using errcode = 'TV062', detail = v_campaign.version::text;
  end if;
  if v_campaign.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  update public.campaigns c
  set name = btrim(p_name), slug = p_slug, store_id = p_store_id, description = nullif(btrim(p_description), ''),
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days
  where c.id = p_id;
  if v_segments is not null and jsonb_typeof(v_segments) <> 'null' then
    perform private.redraw_wheel(v_campaign.org_id, p_id, v_segments);
  end if;
  return (
    select jsonb_build_object('version', c.version, 'slug', c.slug) from public.campaigns c where c.id = p_id
  );
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_slug_key' then
      raise exception 'campaign_slug_taken' using errcode = 'TV066';
    end if;
    raise;
end;
$$;
comment on function public.save_campaign(
  uuid, integer, text, text, uuid, boolean, integer, text, timestamptz, timestamptz, jsonb
) is
  'Saves a version of a campaign and, unless p_segments is null, its wheel (private.redraw_wheel): all of it or nothing. '
  'Answers the new version, and the slug, which got a suffix where another merchant has it. Errors: 42501 not a campaign '
  'that one may change, TV062 somebody saved a newer version (detail), TV061 it is put away, TV060 active in a store that '
  'is put away, TV001 beyond the plan''s active campaigns, 23505 the organisation has a campaign of that name, TV066 one '
  'with that slug, TV063 to TV065 of the wheel, 23503 not a store of the organisation, 23514 or 23502 not well formed.';

-- Copying ----------------------------------------------------------------------------------------

create function public.duplicate_campaign(p_id uuid, p_name text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_name text := btrim(left(btrim(p_name), 120));
  v_base constant text := coalesce(nullif(left(private.slugify(p_name), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
begin
  -- Two copies made at once take turns, so that each finds a name.
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and c.org_id = any (array(select private.my_org_ids('rewards.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  while exists (
    select 1 from public.campaigns c
    where c.org_id = v_source.org_id and (lower(btrim(c.name)) = lower(v_name) or c.slug = v_slug)
  )
  loop
    v_number := v_number + 1;
    v_name := btrim(left(btrim(p_name), 110)) || ' (' || v_number || ')';
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  with wanted as materialized (
    select r.*, gen_random_uuid() as copy_id, row_number() over (order by r.created_at, r.id) as n
    from public.rewards r
    where r.campaign_id = p_id and (r.archived_at is null or exists (
      select 1 from public.wheel_segments s
      where s.org_id = r.org_id and s.campaign_id = p_id and s.reward_id = r.id))
  ), copied as (
    insert into public.rewards (id, org_id, campaign_id, name, description, type, reward_type, value, code_template,
      stock, max_per_user, metadata, active, archived_at, created_at)
    select w.copy_id, w.org_id, v_copy.id, w.name, w.description, w.type, w.reward_type, w.value, w.code_template,
      -- They keep their order, which is that of a wheel nobody has drawn.
      w.stock, w.max_per_user, w.metadata, w.active, w.archived_at, now() + w.n * interval '1 microsecond'
    from wanted w
  )
  insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
  select s.org_id, v_copy.id, w.copy_id, s.label, s.color, s.weight, s.position
  from public.wheel_segments s left join wanted w on w.id = s.reward_id
  where s.campaign_id = p_id;
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
end;
$$;
comment on function public.duplicate_campaign(uuid, text) is
  'Copies a campaign with its wheel and its rewards (with the stock that is left), under a name that gets a number where '
  'it is taken, and a slug of its own: inactive, without history, without dates that are over. Answers id and name. '
  'Error 42501 when it is not a campaign that one may copy.';

-- Removing ---------------------------------------------------------------------------------------

create function private.has_campaign_history(p_org_id uuid, p_campaign_id uuid) returns boolean
language sql stable
as $$
  select exists (
      select 1 from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = p_campaign_id
    ) or exists (
      select 1 from public.rewards r
      join public.reward_totals t on t.org_id = r.org_id and t.reward_id = r.id
      where r.org_id = p_org_id and r.campaign_id = p_campaign_id and t.wins > 0
    );
$$;
comment on function private.has_campaign_history(uuid, uuid) is
  'Whether anybody ever scanned, rated or played a campaign, or won one of its rewards (in an earlier campaign): then it '
  'is archived, never deleted. Read from counters.';

create function public.remove_campaign(p_id uuid, p_is_archived boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  -- The lock waits for customers who are taking part right now, and lets none begin afterwards.
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- The references have the last word, whatever the counters say.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$$;
comment on function public.remove_campaign(uuid, boolean) is
  'Archives a campaign, which then is inactive, or deletes it with its wheel, its rewards and its former addresses when '
  'nothing hangs on it. Error TV067 when something does: then nothing is changed. Error 42501 without the permission '
  'campaigns.delete there.';

create function public.restore_campaign(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.campaigns c set archived_at = null
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function public.restore_campaign(uuid) is
  'Takes a campaign out of the archive; it stays inactive. Error 42501 when it is not a campaign that one may change.';

grant execute on function public.campaign_editor(uuid),
  public.save_campaign(uuid, integer, text, text, uuid, boolean, integer, text, timestamptz, timestamptz, jsonb),
  public.duplicate_campaign(uuid, text), public.remove_campaign(uuid, boolean), public.restore_campaign(uuid)
  to authenticated;

-- The list ---------------------------------------------------------------------------------------

drop function public.campaign_list(uuid, text, integer);
create function public.campaign_list(
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
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select count(*) into v_matches
  from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
    and (c.name ilike v_pattern or s.name ilike v_pattern);
  -- A page that is no more, because campaigns went meanwhile, is the last one.
  v_page := least(greatest(coalesce(p_page, 1), 1), greatest(ceil(v_matches::numeric / v_page_size)::integer, 1));

  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'name', shown.name, 'slug', shown.slug, 'active', shown.active,
    'starts_at', shown.starts_at, 'ends_at', shown.ends_at, 'created_at', shown.created_at,
    'archived_at', shown.archived_at, 'store_name', shown.store_name,
    'timezone', shown.timezone,
    'rewards', (select count(*) from public.rewards r where r.campaign_id = shown.id),
    'has_history', private.has_campaign_history(p_org_id, shown.id),
    'scans', f.scans, 'reviews', f.reviews, 'spins', f.spins,
    'redemptions', f.redemptions) order by shown.created_at desc, shown.id), '[]'::jsonb)
  into v_items
  from (
    select c.*, s.name as store_name, s.timezone
    from public.campaigns c left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
    where c.org_id = p_org_id and (c.archived_at is not null) = v_is_archived
      and (c.name ilike v_pattern or s.name ilike v_pattern)
    order by c.created_at desc, c.id
    limit v_page_size offset (v_page - 1) * v_page_size
  ) shown
  cross join lateral (
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.spins), 0) as spins, coalesce(sum(d.redemptions), 0) as redemptions
    from public.campaign_daily_stats d where d.org_id = p_org_id and d.campaign_id = shown.id
  ) f;

  return jsonb_build_object(
    'total', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is null),
    'active', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.active),
    'archived', (select count(*) from public.campaigns c where c.org_id = p_org_id and c.archived_at is not null),
    'figures', private.totals(p_org_id),
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$$;
comment on function public.campaign_list(uuid, text, boolean, integer) is
  'A page of an organisation''s campaigns in use, or put away, newest first, whose name or store''s name contains a text, '
  'with the figures above the list (specification, section 2.13); the shape is campaignList of _shared/domain. Error '
  '42501 without the permission campaigns.read there.';
grant execute on function public.campaign_list(uuid, text, boolean, integer) to authenticated;
