-- Live changes: what open screens of an organisation hear at the moment it happens.
--
-- A message names what changed, by identifiers alone; its receivers fetch the rest with their own rights. Channels and
-- their delivery are the platform's (realtime.messages); the policy below decides who may receive what.

create function private.may_hear(p_topic text) returns boolean
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_parts constant text[] := regexp_match(
    p_topic, '^organization:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}):(activity|codes|plan)$');
  v_org_id uuid;
begin
  if v_parts is null then
    return false;
  end if;
  v_org_id := v_parts[1]::uuid;
  if v_parts[2] = 'activity' then
    return v_org_id in (select private.my_org_ids('activity.read'));
  elsif v_parts[2] = 'plan' then
    return v_org_id in (select private.my_org_ids());
  elsif v_org_id in (select private.my_org_ids('codes.redeem')) then
    -- Asked first: prizes are still handed out where nothing can be read any more.
    return true;
  end if;
  return v_org_id in (select private.my_org_ids('codes.read'));
end;
$$;
comment on function private.may_hear(text) is
  'Whether the signed-in user may listen to a channel: organization:{id}:activity with activity.read, organization:{id}:codes '
  'with codes.read or codes.redeem, organization:{id}:plan as a member, whatever became of the plan. Errors of my_org_ids().';
grant execute on function private.may_hear(text) to authenticated;

create policy "Members hear what changes in their organisation" on realtime.messages for select to authenticated
  using (extension = 'broadcast' and private.may_hear((select realtime.topic())));

create function private.broadcast_change() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(
    jsonb_build_object('kind', tg_argv[1],
      -- A phone that names a review by its own identifier spins for it, and gets its code.
      'id', case when tg_argv[1] = 'review' then private.alias_of(new.id) else new.id end,
      'campaign_id', new.campaign_id),
    'change', 'organization:' || new.org_id || ':' || tg_argv[0], true);
  return null;
end;
$$;
comment on function private.broadcast_change() is
  'Tells the channel of the trigger''s first argument that something of the second kind was written: scan, review (by its alias), spin, win (a new code) or code (one that was used or restored, or '
  'that the team gave).';

create trigger broadcast_change after insert on public.scan_events
  for each row execute function private.broadcast_change('activity', 'scan');
create trigger broadcast_change after insert on public.pre_spin_reviews
  for each row execute function private.broadcast_change('activity', 'review');
create trigger broadcast_change after insert on public.spins
  for each row execute function private.broadcast_change('activity', 'spin');
create trigger broadcast_new_code after insert on public.redemptions
  for each row when (new.spin_id is not null) execute function private.broadcast_change('codes', 'win');
create trigger broadcast_given_code after insert on public.redemptions
  for each row when (new.spin_id is null) execute function private.broadcast_change('codes', 'code');
-- A code that is used or given back; those that end by time change together, at night, and those that the team decides on
-- have one message (private.decide_codes).
create trigger broadcast_code_change after update of status on public.redemptions
  for each row when (new.status is distinct from old.status and 'used' in (new.status, old.status))
  execute function private.broadcast_change('codes', 'code');

create function private.broadcast_organization() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  perform realtime.send(jsonb_build_object('kind', 'organization', 'id', new.org_id),
    'change', 'organization:' || new.org_id || ':' || k.kind, true)
  from unnest(array['activity', 'codes', 'plan']) k (kind);
  return null;
end;
$$;
comment on function private.broadcast_organization() is
  'Tells the channels of an organisation that it waits to be erased, is suspended, or has another state of its plan, or no longer. '
  'Every open screen says so, and the page of a closed organisation opens again.';
create trigger broadcast_organization
  after update of is_ending, suspended_at, plan, status, trial_end, current_period_end, cancel_at_period_end, cancel_at,
    past_due_since, closed_at
  on public.subscriptions
  for each row when ((new.is_ending, new.suspended_at, new.plan, new.status, new.trial_end, new.current_period_end,
      new.cancel_at_period_end, new.cancel_at, new.past_due_since, new.closed_at)
    is distinct from (old.is_ending, old.suspended_at, old.plan, old.status, old.trial_end, old.current_period_end,
      old.cancel_at_period_end, old.cancel_at, old.past_due_since, old.closed_at))
  execute function private.broadcast_organization();
