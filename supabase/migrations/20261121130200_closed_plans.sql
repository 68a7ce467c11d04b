-- Why: a plan that is over closes in two steps. Its pages close to the public at once and nothing new is taken, while
-- everything stays readable and exportable for 30 days (specification, section 9); then reading ends as well, until
-- somebody pays. Both are decided where every policy asks already, so that no screen and no function can forget it.
-- What the merchant still may do has other permissions: pay, end the organisation, erase a customer who asks for it,
-- take a colleague's access away, and honour the codes that were won.

create function private.closed_since(p_subscription public.subscriptions) returns timestamptz
language plpgsql stable
as $$
begin
  if private.is_plan_open(p_subscription) then
    return null;
  end if;
  -- The jobs write the moment down; until they have run, the dates say the same.
  return coalesce(p_subscription.closed_at, case
    when p_subscription.plan = 'free_trial' then p_subscription.trial_end
    when p_subscription.status = 'past_due' then
      coalesce(p_subscription.past_due_since, p_subscription.current_period_end) + interval '8 days'
    else p_subscription.current_period_end
  end);
end;
$$;
comment on function private.closed_since(public.subscriptions) is
  'Since when a plan is over or suspended, whether or not the jobs have run; null while it is in force, and where nobody '
  'knows.';

create function private.readable_until(p_subscription public.subscriptions) returns timestamptz
language sql stable
as $$ select private.closed_since(p_subscription) + interval '30 days'; $$;
comment on function private.readable_until(public.subscriptions) is
  'Until when the data of a plan that is over can be read and exported; null while it is in force.';

create function private.is_readable(p_org_id uuid) returns boolean
language sql stable
as $$
  select not exists (
    select 1 from public.subscriptions s where s.org_id = p_org_id and private.readable_until(s) <= now()
  );
$$;
comment on function private.is_readable(uuid) is
  'Whether an organisation''s data can be read: its plan is in force, or was less than 30 days ago.';

create function private.demand_plan(p_org_id uuid, p_permission text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_subscription public.subscriptions;
begin
  select * into v_subscription from public.subscriptions s where s.org_id = p_org_id;
  if not found then
    return true;
  elsif p_permission like '%.write'
    or p_permission in ('stores.delete', 'campaigns.delete', 'rewards.delete', 'organization.update')
  then
    if not private.is_open(v_subscription) then
      raise exception 'subscription_closed' using errcode = 'TV085';
    end if;
  elsif p_permission like '%.read' and p_permission <> 'billing.read'
    and private.readable_until(v_subscription) <= now()
  then
    raise exception 'reading_closed' using errcode = 'TV120';
  end if;
  return true;
end;
$$;
comment on function private.demand_plan(uuid, text) is
  'True where an organisation''s plan allows what a permission stands for. Errors: TV085 to write or delete once it is '
  'over, suspended, or the organisation is being ended; TV120 to read 30 days after its end.';

create or replace function private.my_org_ids(p_permission text default null) returns setof uuid
language sql stable security definer set search_path = ''
as $$
  select m.org_id
  from public.organization_members m
  where m.user_id = (select private.my_user_id())
    -- In this order: whoever may not anyway learns nothing of the plan.
    and case
      when p_permission is null then true
      when exists (
        select 1 from public.role_permissions p where p.role = m.role and p.permission = p_permission
      ) then private.demand_plan(m.org_id, p_permission)
      else false
    end;
$$;
comment on function private.my_org_ids(text) is
  'Organisations in which the signed-in user has a permission (any role when null). Policies call it as '
  'any (array(select …)), so that it runs once a statement and the index on org_id serves. Errors of my_user_id(); '
  'TV085 for a permission to write where the plan is no longer in force, TV120 for one to read 30 days later.';

-- Nobody new joins a team whose plan is over: not by invitation, not by acceptance.
create or replace function private.demand_seat(p_org_id uuid) returns void
language plpgsql volatile
as $$
declare
  v_limit constant integer := private.lock_team(p_org_id);
begin
  perform private.demand_open(p_org_id);
  if v_limit >= 0 and private.users_used(p_org_id) >= v_limit then
    raise exception 'user_limit_reached' using errcode = 'TV002', detail = v_limit::text;
  end if;
end;
$$;
comment on function private.demand_seat(uuid) is
  'Refuses one more member or invitation than the plan has users. Error TV002, with the limit as detail; TV085 when the '
  'plan is over.';

create or replace function public.campaign_editor(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_drawn boolean;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.read')))
    -- Asked of the role, not of the plan: what was set up stays readable once the plan is over.
    and exists (
      select 1 from public.organization_members m
      where m.user_id = (select private.my_user_id()) and m.org_id = c.org_id
        and private.role_may(m.role, 'campaigns.write'));
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

-- Exports ------------------------------------------------------------------------------------------

create or replace function public.begin_export(p_user_id uuid, p_session_id uuid, p_aal text, p_type text, p_org_id uuid)
returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    join public.role_permissions r on r.role = m.role
      and r.permission = case p_type when 'customers' then 'customers.read' when 'redemptions' then 'activity.read' end
    where m.user_id = p_user_id and m.org_id = p_org_id
  ) then
    return 'forbidden';
  elsif not private.is_readable(p_org_id) then
    return 'closed';
  elsif not private.can_export(p_org_id) then
    return 'plan';
  -- One at a time for an organisation, and two for everybody: a connection each, for as long as they last.
  elsif not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
  then
    return 'busy';
  end if;
  return 'started';
end;
$$;
comment on function public.begin_export(uuid, uuid, text, text, uuid) is
  'Whether a user whose token names a session and an assurance level may export customers or redemptions of an '
  'organisation now; the place is held until the transaction ends. Answers started, or why not: session_ended, '
  'second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (none that exports), busy (another '
  'export runs).';

create or replace function public.begin_organization_export(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_is_noted boolean
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    join public.role_permissions r on r.role = m.role and r.permission = 'organization.export'
    where m.user_id = p_user_id and m.org_id = p_org_id
  ) then
    return 'forbidden';
  elsif not private.is_readable(p_org_id) then
    return 'closed';
  -- One at a time for an organisation, and two for everybody, lists included: a connection each, for as long as they last.
  elsif not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
  then
    return 'busy';
  end if;
  if p_is_noted then
    perform private.audit_as(p_org_id, p_user_id, 'organization.exported', 'organization', p_org_id,
      (select jsonb_build_object('name', o.name) from public.organizations o where o.id = p_org_id));
  end if;
  return 'started';
end;
$$;
comment on function public.begin_organization_export(uuid, uuid, text, uuid, boolean) is
  'Whether a user whose token names a session and an assurance level may take along everything of an organisation now, '
  'whatever its plan; the place is held until the transaction ends, and it is written down when asked. Answers started, '
  'or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), busy (another '
  'export runs).';

-- Every screen begins with this --------------------------------------------------------------------

create or replace function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null and (m.store_id is null or s.id = m.store_id)),
          '[]'::jsonb),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'is_open', private.is_plan_open(s), 'readable_until', private.readable_until(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_campaign": false, "plan": null}'::jsonb
  );
$$;
