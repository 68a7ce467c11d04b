-- Audit trail: who did what.
--
-- The question « who took this away? » needs an answer that no colleague can change, where several work for a merchant. Each
-- deed is recorded in its own transaction and kept for 13 months. Tables that are written from several places record it
-- by triggers. A spin writes nothing here.

create table public.audit_events (
  org_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default private.uuid_v7(),
  user_id uuid,
  actor_name text check (length(actor_name) <= 200),
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  subject_type text not null check (subject_type ~ '^[a-z_]+$'),
  subject_id uuid,
  detail jsonb not null default '{}' check (jsonb_typeof(detail) = 'object' and length(detail::text) <= 4000),
  created_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index audit_events_user_idx on public.audit_events (org_id, user_id, id);
-- Somebody's own deeds, in the trails of all organisations: a copy of their account has them.
create index audit_events_own_idx on public.audit_events (user_id, id) where user_id is not null;
create index audit_events_action_idx on public.audit_events (org_id, action, id);
create index audit_events_created_at_idx on public.audit_events (created_at);
-- A person without an organisation is looked for in the trails of all.
create index audit_events_member_idx on public.audit_events (subject_id, id)
  where action in ('member.joined', 'member.left', 'member.removed');
comment on table public.audit_events is
  'Audit trail of an organisation: people and their actions. Only ever added to, through private.audit; kept 13 months, like '
  'all logs.';
comment on column public.audit_events.org_id is 'Organisation.';
comment on column public.audit_events.id is 'Identifier, ordered by time.';
comment on column public.audit_events.user_id is
  'Person who acted; null when the platform did. Not a reference: whoever leaves keeps what they did.';
comment on column public.audit_events.actor_name is 'Their name at the time.';
comment on column public.audit_events.action is 'Action as subject.verb: store.archived, member.removed …';
comment on column public.audit_events.subject_type is 'Kind of thing that it was done to: store, reward, customer …';
comment on column public.audit_events.subject_id is 'Which one; it may be gone.';
comment on column public.audit_events.detail is
  'Facts that the sentence about it mentions: the name of a store or a colleague, the fields changed. No customer''s data.';
comment on column public.audit_events.created_at is 'When.';
create trigger name_roles before insert on public.audit_events
  for each row when (new.detail ?| '{role,former_role}') execute function private.name_roles();

create function private.refuse_audit_change() returns trigger
language plpgsql set search_path = ''
as $$
begin
  raise exception 'audit_is_append_only' using errcode = 'TV095';
end;
$$;
comment on function private.refuse_audit_change() is
  'Refuses every change of the audit trail, to every role. Error TV095.';
create trigger refuse_audit_change before update on public.audit_events
  for each row execute function private.refuse_audit_change();

create function private.audit_as(
  p_org_id uuid, p_user_id uuid, p_action text, p_subject_type text, p_subject_id uuid, p_detail jsonb default '{}'
) returns void
language sql volatile security definer set search_path = ''
as $$
  -- An organisation that is just being deleted takes its trail along.
  insert into public.audit_events (org_id, user_id, actor_name, action, subject_type, subject_id, detail)
  select o.id, p_user_id, left(private.user_name(p_user_id), 200), p_action, p_subject_type, p_subject_id,
    coalesce(p_detail, '{}')
  from public.organizations o where o.id = p_org_id;
$$;
comment on function private.audit_as(uuid, uuid, text, text, uuid, jsonb) is
  'Writes down what a user did (null: the platform), for functions that the server calls with p_user_id. Call it in the '
  'transaction that does it; the detail holds no customer''s data. A new action needs its sentence in '
  'web/features/team/audit/audit.copy.ts.';
grant execute on function private.audit_as(uuid, uuid, text, text, uuid, jsonb) to service_role;

create function private.audit(
  p_org_id uuid, p_action text, p_subject_type text, p_subject_id uuid, p_detail jsonb default '{}'
) returns void
language sql volatile security definer set search_path = ''
as $$
  select private.audit_as(p_org_id, private.my_user_id(), p_action, p_subject_type, p_subject_id, p_detail);
$$;
comment on function private.audit(uuid, text, text, uuid, jsonb) is
  'Writes down what the signed-in user did, or the platform when nobody is signed in: see audit_as.';
grant execute on function private.audit(uuid, text, text, uuid, jsonb) to service_role;

create function private.sweep_audit_events(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from public.audit_events e where (e.org_id, e.id) in (
    select o.org_id, o.id from public.audit_events o where o.created_at < now() - interval '13 months'
    order by o.created_at limit p_limit for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_audit_events(integer) is
  'Job: what was written down of who did what goes after 13 months (specification, section 9).';
insert into private.jobs (name, run_every) values ('sweep_audit_events', interval '1 day');

-- Stores, campaigns and rewards are written by screens and by functions alike: the table sees both.
create function private.audit_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_kind constant text := tg_argv[0];
  v_old constant jsonb := case when tg_op = 'INSERT' then '{}'::jsonb else to_jsonb(old) end;
  v_new constant jsonb := case when tg_op = 'DELETE' then '{}'::jsonb else to_jsonb(new) end;
  v_row constant jsonb := v_old || v_new;
  v_detail jsonb := jsonb_build_object('name', v_row -> 'name');
  v_fields text[];
  v_verb text;
begin
  if tg_op = 'UPDATE' then
    select array_agg(f order by f) into v_fields from unnest(tg_argv[1:]) f where v_old -> f is distinct from v_new -> f;
    if v_fields is null then
      return null;
    end if;
    v_detail := v_detail || jsonb_build_object('fields', to_jsonb(v_fields));
    if v_old ->> 'name' <> v_new ->> 'name' then
      v_detail := v_detail || jsonb_build_object('former_name', v_old -> 'name');
    end if;
  end if;
  v_verb := case
    when tg_op = 'INSERT' then 'created'
    when tg_op = 'DELETE' then 'deleted'
    when 'archived_at' = any (v_fields) then case when v_new ->> 'archived_at' is null then 'restored' else 'archived' end
    when 'active' = any (v_fields) then case when (v_new ->> 'active')::boolean then 'activated' else 'deactivated' end
    else 'updated'
  end;
  perform private.audit(coalesce(v_row ->> 'org_id', v_row ->> 'id')::uuid, v_kind || '.' || v_verb, v_kind,
    (v_row ->> 'id')::uuid, v_detail);
  return null;
end;
$$;
comment on function private.audit_change() is
  'Writes down that a row was created, changed, archived, brought back, switched on or off, or deleted. Arguments: the '
  'kind of thing, then the columns whose change counts.';
create trigger audit_organization_change after insert or update of name, slug, return_share on public.organizations
  for each row execute function private.audit_change('organization', 'name', 'slug', 'return_share');
create trigger audit_store_change
  after insert or delete or update of
    name, slug, address, google_place_id, google_review_url, review_mode, timezone, archived_at, average_basket on public.stores
  for each row execute function private.audit_change(
    'store', 'name', 'slug', 'address', 'google_place_id', 'google_review_url', 'review_mode', 'timezone', 'archived_at',
    'average_basket');
-- Not the stock: every win takes one.
create trigger audit_reward_change
  after insert or delete or update of
    name, description, type, value, campaign_id, code_template, max_per_user, metadata, active, archived_at, picture,
    translations, item_translations
    on public.rewards
  for each row execute function private.audit_change(
    'reward', 'name', 'description', 'type', 'value', 'campaign_id', 'code_template', 'max_per_user', 'metadata',
    'active', 'archived_at', 'picture', 'translations', 'item_translations');
create trigger audit_campaign_change
  after insert or delete or update of
    name, slug, description, store_id, active, starts_at, ends_at, play_interval_days, archived_at, translations
    on public.campaigns
  for each row execute function private.audit_change(
    'campaign', 'name', 'slug', 'description', 'store_id', 'active', 'starts_at', 'ends_at', 'play_interval_days',
    'archived_at', 'translations');

create function private.audit_restored_code() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit_as(new.org_id, new.user_id, 'code.restored', 'redemption', new.redemption_id,
    (select jsonb_build_object('name', r.reward_name) from public.redemptions r
     where r.org_id = new.org_id and r.id = new.redemption_id));
  return null;
end;
$$;
comment on function private.audit_restored_code() is 'Writes down that a code was given back, with the name of its reward.';
create trigger audit_restored_code after insert on public.redemption_events
  for each row when (new.action = 'restored') execute function private.audit_restored_code();

create function private.audit_people(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- From one person to the one before by the index, however much each has done.
  with recursive people as (
    (select e.user_id, e.actor_name from public.audit_events e
     where e.org_id = p_org_id and e.user_id is not null order by e.user_id desc, e.id desc limit 1)
    union all
    select earlier.user_id, earlier.actor_name from people p cross join lateral (
      select e.user_id, e.actor_name from public.audit_events e
      where e.org_id = p_org_id and e.user_id < p.user_id order by e.user_id desc, e.id desc limit 1
    ) earlier
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', p.user_id, 'name', p.actor_name) order by p.actor_name, p.user_id), '[]')
  from people p;
$$;
comment on function private.audit_people(uuid) is 'People in the audit trail, with their last name.';

create function private.audit_actions(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  with recursive actions as (
    (select e.action from public.audit_events e where e.org_id = p_org_id order by e.action limit 1)
    union all
    select (select e.action from public.audit_events e
            where e.org_id = p_org_id and e.action > a.action order by e.action limit 1)
    from actions a where a.action is not null
  )
  select coalesce(jsonb_agg(a.action order by a.action) filter (where a.action is not null), '[]') from actions a;
$$;
comment on function private.audit_actions(uuid) is 'Which kinds of actions are written down.';

create function private.audit_wheel() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- A campaign that is made with its wheel, or deleted, is one entry; segments that come, change and
  -- go together are one change.
  if exists (select 1 from public.campaigns c where c.id = new.id) and not exists (
    select 1 from public.audit_events e
    where e.org_id = new.org_id and e.subject_id = new.id and e.created_at = now()
      and (e.action = 'campaign.created' or e.detail -> 'fields' = '["wheel"]'::jsonb)
  ) then
    perform private.audit(new.org_id, 'campaign.updated', 'campaign', new.id,
      jsonb_build_object('name', new.name, 'fields', jsonb_build_array('wheel')));
  end if;
  return null;
end;
$$;
comment on function private.audit_wheel() is
  'Writes down, once a transaction, that the wheel of a campaign was redrawn: a change of its segments sets the version.';
create constraint trigger audit_wheel after update of version on public.campaigns
  deferrable initially deferred for each row execute function private.audit_wheel();

create function private.audit_plan() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_action constant text := case
    when new.status is distinct from old.status and new.status = 'canceled' then 'plan.closed'
    when new.status is distinct from old.status and new.status = 'suspended' then 'plan.suspended'
    when (new.plan, new.billing) is distinct from (old.plan, old.billing) then 'plan.changed'
    when new.status is distinct from old.status and new.status = 'past_due' then 'plan.unpaid'
    when new.status is distinct from old.status then 'plan.resumed'
    when new.cancel_at_period_end or new.cancel_at is not null then 'plan.ending'
    else 'plan.continued'
  end;
begin
  perform private.audit_as(new.org_id, private.acting_user(), v_action, 'subscription', null,
    jsonb_strip_nulls(jsonb_build_object('plan', new.plan, 'former_plan', old.plan, 'billing', new.billing,
      'former_billing', old.billing)));
  return null;
end;
$$;
comment on function private.audit_plan() is
  'Writes down that a plan was changed, is not paid, is suspended, has ended, runs again, will end, or '
  'will not; by whoever began the transaction (begin_billing), else by the platform.';
create trigger audit_plan after update of plan, billing, status, cancel_at_period_end, cancel_at on public.subscriptions
  for each row when ((old.plan, old.billing, old.status, old.cancel_at_period_end or old.cancel_at is not null)
    is distinct from (new.plan, new.billing, new.status, new.cancel_at_period_end or new.cancel_at is not null))
  execute function private.audit_plan();

create function public.audit_trail(
  p_org_id uuid, p_person_id uuid default null, p_action text default null, p_before uuid default null,
  p_after uuid default null
) returns json
-- Each filter has its index: a plan made for another filter would read the whole trail.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  v_is_back constant boolean := p_after is not null;
  v_ids uuid[];
  v_is_more boolean;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('audit.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- One more than is shown tells whether the list goes on in that direction.
  if v_is_back then
    v_ids := array(
      select a.id from public.audit_events a
      where a.org_id = p_org_id and a.id > p_after
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id limit v_page_size + 1);
  else
    v_ids := array(
      select a.id from public.audit_events a
      where a.org_id = p_org_id and (p_before is null or a.id < p_before)
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id desc limit v_page_size + 1);
  end if;
  v_is_more := cardinality(v_ids) > v_page_size;
  return json_build_object(
    'people', private.audit_people(p_org_id), 'actions', private.audit_actions(p_org_id),
    'has_next', v_is_back or v_is_more,
    'has_previous', case when v_is_back then v_is_more else p_before is not null end,
    'items', (
      select coalesce(json_agg(json_build_object(
        'id', a.id, 'at', a.created_at, 'by', a.actor_name, 'is_platform', a.user_id is null, 'action', a.action,
        'subject_type', a.subject_type, 'subject_id', a.subject_id, 'detail', a.detail) order by a.id desc), '[]'::json)
      from public.audit_events a where a.org_id = p_org_id and a.id = any (v_ids[1:v_page_size])));
end;
$$;
comment on function public.audit_trail(uuid, uuid, text, uuid, uuid) is
  'A page of what was done in an organisation, newest first: of one person, of one action, older than one entry or newer '
  'than one; with the people and actions to choose from. The shape is auditTrail of _shared/domain. Error 42501 without '
  'the permission audit.read there.';
grant execute on function public.audit_trail(uuid, uuid, text, uuid, uuid) to authenticated;

create function private.audit_review_host() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform private.audit(new.org_id, 'store.link_confirmed', 'store', new.id,
    jsonb_build_object('name', new.name, 'host', new.review_host_confirmed));
  return null;
end;
$$;
comment on function private.audit_review_host() is 'Writes down who confirmed the host of a link to public reviews.';
create trigger audit_added_review_host after insert on public.stores
  for each row when (new.review_host_confirmed is not null) execute function private.audit_review_host();
create trigger audit_changed_review_host after update of google_review_url, review_host_confirmed on public.stores
  for each row
  when (new.review_host_confirmed is not null and new.review_host_confirmed is distinct from old.review_host_confirmed)
  execute function private.audit_review_host();

-- Permissions -------------------------------------------------------------------------------------

alter table public.audit_events enable row level security;
-- The server's own role adds through the functions below, like everybody.
revoke all on public.audit_events from service_role;
grant select on public.audit_events to authenticated;
grant select on public.audit_events to service_role;
create policy "Owners and admins read the audit trail" on public.audit_events
  for select to authenticated using (org_id = (select private.my_org_ids('audit.read')));
