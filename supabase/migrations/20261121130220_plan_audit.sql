-- Why: « who took us off Pro? » and « who switched the alerts off? » belong into the trail as much as a renamed store.
-- A plan is changed by functions that the server calls for somebody, by the provider's messages and by jobs: the row sees
-- all three, and whoever began the transaction is named. The trail is also paged back the way it was paged forth.

create or replace function public.begin_billing(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid default null,
  out outcome text, out org_id uuid, out org_name text, out email text, out plan text, out status text,
  out customer_id text, out subscription_id text
)
language plpgsql volatile security definer set search_path = ''
as $$
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select m.org_id into begin_billing.org_id
  from public.organization_members m
  join public.role_permissions r on r.role = m.role and r.permission = 'billing.manage'
  where m.user_id = p_user_id and (p_org_id is null or m.org_id = p_org_id);
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  perform private.lock_billing(begin_billing.org_id);
  select 'granted', o.name, u.email, s.plan, s.status, s.stripe_customer_id, s.stripe_subscription_id
  into outcome, org_name, begin_billing.email, begin_billing.plan, begin_billing.status, customer_id, subscription_id
  from public.organizations o
  join public.subscriptions s on s.org_id = o.id
  left join auth.users u on u.id = p_user_id
  where o.id = begin_billing.org_id;
  if not found then
    outcome := 'forbidden';
    return;
  end if;
  -- What this transaction changes of the plan is this person's doing.
  perform set_config('tournavis.acting_user', p_user_id::text, true);
end;
$$;

create function private.acting_user() returns uuid
language sql stable
as $$ select nullif(current_setting('tournavis.acting_user', true), '')::uuid; $$;
comment on function private.acting_user() is
  'For whom the server began this transaction at the payment provider (begin_billing); null for anything else.';

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
    when new.cancel_at_period_end then 'plan.ending'
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
  'Writes down that a plan was changed, is not paid, is suspended, has ended, runs again, will end with its period, or '
  'will not; by whoever began the transaction (begin_billing), else by the platform.';
create trigger audit_plan after update of plan, billing, status, cancel_at_period_end on public.subscriptions
  for each row when ((old.plan, old.billing, old.status, old.cancel_at_period_end)
    is distinct from (new.plan, new.billing, new.status, new.cancel_at_period_end))
  execute function private.audit_plan();

create function private.audit_notifications() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  -- Only ever one's own: by the settings, or by the link of a mail.
  perform private.audit_as(new.org_id, new.user_id, 'notifications.updated', 'member', new.user_id);
  return null;
end;
$$;
comment on function private.audit_notifications() is 'Writes down that a member changed what they want to be told.';
create trigger audit_notifications after update of email, sms, low_ratings, summary on public.notification_preferences
  for each row when ((old.email, old.sms, old.low_ratings, old.summary)
    is distinct from (new.email, new.sms, new.low_ratings, new.summary))
  execute function private.audit_notifications();

-- Back and forth -----------------------------------------------------------------------------------

drop function public.audit_trail(uuid, uuid, text, uuid);
create function public.audit_trail(
  p_org_id uuid, p_person_id uuid default null, p_action text default null, p_before uuid default null,
  p_after uuid default null
) returns jsonb
-- Each filter has its index: a plan made for another filter would read the whole trail.
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_page_size constant integer := 25;
  v_is_back constant boolean := p_after is not null;
  v_items jsonb;
  v_is_more boolean;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('audit.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- One more than is shown tells whether the list goes on in that direction.
  if v_is_back then
    select coalesce(jsonb_agg(to_jsonb(e) order by e.id), '[]'::jsonb) into v_items
    from (
      select a.* from public.audit_events a
      where a.org_id = p_org_id and a.id > p_after
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id limit v_page_size + 1
    ) e;
  else
    select coalesce(jsonb_agg(to_jsonb(e) order by e.id desc), '[]'::jsonb) into v_items
    from (
      select a.* from public.audit_events a
      where a.org_id = p_org_id and (p_before is null or a.id < p_before)
        and (p_person_id is null or a.user_id = p_person_id)
        and (p_action is null or a.action = p_action)
      order by a.id desc limit v_page_size + 1
    ) e;
  end if;
  v_is_more := jsonb_array_length(v_items) > v_page_size;
  return jsonb_build_object(
    'people', private.audit_people(p_org_id), 'actions', private.audit_actions(p_org_id),
    'has_next', v_is_back or v_is_more,
    'has_previous', case when v_is_back then v_is_more else p_before is not null end,
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', i.item -> 'id', 'at', i.item -> 'created_at', 'by', i.item -> 'actor_name',
        'is_platform', i.item -> 'user_id' = 'null'::jsonb, 'action', i.item -> 'action',
        'subject_type', i.item -> 'subject_type', 'subject_id', i.item -> 'subject_id', 'detail', i.item -> 'detail')
        order by i.item ->> 'id' desc), '[]'::jsonb)
      from jsonb_array_elements(v_items) with ordinality as i (item, place)
      where i.place <= v_page_size));
end;
$$;
comment on function public.audit_trail(uuid, uuid, text, uuid, uuid) is
  'A page of what was done in an organisation, newest first: of one person, of one action, older than one entry or newer '
  'than one; with the people and actions to choose from. The shape is auditTrail of _shared/domain. Error 42501 without '
  'the permission audit.read there.';
grant execute on function public.audit_trail(uuid, uuid, text, uuid, uuid) to authenticated;
