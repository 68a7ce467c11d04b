-- Why: the owner of an organisation that waits to be erased may begin anew, but colleagues could neither do the same nor
-- leave: the question for another owner was put to whoever left, and once the owner was gone nobody could answer it.

create or replace function private.free_owner(p_user_id uuid) returns void
language sql volatile
as $$
  delete from public.organization_members m
  using public.organizations o
  where m.user_id = p_user_id and o.id = m.org_id and o.erase_at is not null;
$$;
comment on function private.free_owner(uuid) is
  'Takes somebody, the owner too, out of an organisation that waits to be erased, for another one (design, section 5): once '
  'its owner has gone, nobody of it can take the erasure back but another owner.';

create or replace function public.leave_organization() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_org_id uuid;
  v_role text;
begin
  select o into v_org_id from private.my_org_ids() o;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = v_user_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- An organisation that is ending may have no owner any more: that holds nobody else back.
  if private.role_may(v_role, 'owners.manage') then
    perform private.demand_other_owner(v_org_id, v_user_id);
  end if;
  perform private.audit(v_org_id, 'member.left', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = v_user_id;
end;
$$;

