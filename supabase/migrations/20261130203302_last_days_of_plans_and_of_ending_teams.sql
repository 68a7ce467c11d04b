-- Why: a cancelled plan stayed open until the job had run, and leaving an ending organisation raced with keeping it.

set check_function_bodies = off;

DROP FUNCTION "private"."release_member"(uuid);

CREATE OR REPLACE FUNCTION private.is_plan_open(p_subscription public.subscriptions)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return case
    when p_subscription.status = 'active' and p_subscription.plan = 'free_trial' then
      p_subscription.trial_end > now()
    when p_subscription.status = 'active' then
      p_subscription.current_period_end is null
      or p_subscription.current_period_end
        > now() - case when p_subscription.cancel_at_period_end then interval '0' else private.payment_notice() end
    when p_subscription.status = 'past_due' then
      -- The period that is not paid has begun all the same.
      coalesce(private.due_until(p_subscription.past_due_since, p_subscription.current_period_end) > now(), true)
    else false
  end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.release_member(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_role text;
begin
  -- Its row instead of the team, as whoever takes the erasure back: what was taken back meanwhile loses nobody.
  select m.org_id, m.role into v_org_id, v_role
  from public.organization_members m
  join public.organizations o on o.id = m.org_id
  where m.user_id = p_user_id and o.erase_at is not null
  for share of o;
  if not found then
    return;
  end if;
  perform private.audit_as(v_org_id, p_user_id, 'member.left', 'member', p_user_id,
    jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
  perform private.withdraw_powerless_invitations(v_org_id, p_user_id);
end;
$function$;

COMMENT ON FUNCTION "private"."is_plan_open"(public.subscriptions) IS 'Whether a subscription keeps the public pages open: its trial runs, or its paid period, or, unless that was cancelled, the 8 days'' notice of a payment default after it (specification, section 9).';

COMMENT ON FUNCTION "private"."release_member"(uuid) IS 'Takes somebody, the owner too, out of an organisation that waits to be erased, for another one (design, section 5), with their invitations: once its owner has gone, nobody of it can take the erasure back but another owner.';

REVOKE ALL ON FUNCTION "private"."release_member"(uuid) FROM PUBLIC;
