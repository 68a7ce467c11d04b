-- Why: a key for the till reads what a code is, and no table; the price list alone stood open to it, since its policy asked
-- nobody who they are. And an invitation could be sent again from a team that nobody can join any more, because its plan is
-- over: the mail led to a refusal.

alter policy "Signed-in users read the plans" on public.plan_limits
  using (exists (select 1 from private.my_org_ids() o));
alter policy "Signed-in users read the plans" on public.plan_limits rename to "Members read the plans";

create or replace function public.resend_invitation(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id constant uuid := private.begin_team_change();
  v_invitation private.invitations;
begin
  -- Nobody could accept it.
  perform private.demand_open(v_org_id);
  v_invitation := private.open_invitation(v_org_id, p_id);
  if v_invitation.expires_at <= now() then
    perform private.demand_seat(v_org_id);
  end if;
  perform private.send_invitation(v_invitation, private.lock_team(v_org_id));
  perform private.audit(v_org_id, 'invitation.resent', 'invitation', p_id,
    jsonb_build_object('name', v_invitation.email, 'role', v_invitation.role));
end;
$$;
comment on function public.resend_invitation(uuid) is
  'Sends an invitation again, for 7 more days; the link of the mail before opens nothing any more. Errors: TV085 the plan is '
  'over, TV098 it is not open, TV002 it had expired and its seat is taken, TV103 too many mails, 42501 as invite_member.';
