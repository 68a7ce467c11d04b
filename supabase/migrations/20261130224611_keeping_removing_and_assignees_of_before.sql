-- Why: an owner who left kept an organisation without any, a removed store stopped one that came out of the archive, and what was given before 20261130203301 had neither an assignee's account nor the release that it made. An ended session was told which keys exist.

set check_function_bodies = off;

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
  select m.org_id into v_org_id
  from public.organization_members m
  join public.organizations o on o.id = m.org_id
  where m.user_id = p_user_id and o.erase_at is not null
  for share of o;
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id returning m.role into v_role;
  -- Nobody where a colleague has removed them meanwhile.
  if not found then
    return;
  end if;
  perform private.audit_as(v_org_id, p_user_id, 'member.left', 'member', p_user_id,
    jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  perform private.withdraw_powerless_invitations(v_org_id, p_user_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.keep_organization()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_org.erase_at is null then
    return;
  -- From here on the job may be erasing its rows.
  elsif v_org.erase_at <= now() then
    raise exception 'too_late' using errcode = 'TV109';
  end if;
  update public.organizations o set erase_at = null where o.id = v_org.id;
  update public.subscriptions s set is_ending = false where s.org_id = v_org.id;
  -- Rights as they are once both rows are held: an owner who has left meanwhile would keep it without any.
  if v_org.id not in (select private.my_org_ids('organization.delete')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org.id, 'organization.kept', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_kept', private.my_user_id());
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_store(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('stores.delete'));
  v_org_id uuid;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_id and s.org_id = any (v_org_ids);
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_is_archived is null then
    raise exception 'no_choice' using errcode = '23502';
  end if;
  if p_is_archived then
    -- It waits for no customer who is taking part: they may end what they have begun.
    update public.stores s set archived_at = now() where s.id = p_id and s.archived_at is null;
    return;
  end if;
  -- The store before the team, as one that comes out of the archive; the team before its invitations, as whoever changes it.
  perform 1 from public.stores s where s.id = p_id for no key update;
  perform private.lock_team(v_org_id);
  -- The lock waits for all who take part right now: in a store that has customers it might never come.
  if not private.has_store_history(v_org_id, p_id) then
    perform 1 from public.stores s where s.id = p_id for update;
  end if;
  if private.has_store_history(v_org_id, p_id) then
    raise exception 'store_has_history' using errcode = 'TV140';
  end if;
  -- Revoked keys open nothing, whichever till they name.
  update private.api_keys k set store_id = null
  where k.org_id = v_org_id and k.store_id = p_id and k.revoked_at is not null;
  -- Invitations that are over open nothing either. One that has expired, sent again without its store, would open every till.
  delete from private.invitations i where i.org_id = v_org_id and i.store_id = p_id;
  delete from public.stores s where s.id = p_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.revoke_api_key(p_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('api.manage'));
  v_row private.api_keys;
begin
  select * into v_row from private.api_keys k
  where k.org_id = any (v_org_ids) and k.id = p_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_row.revoked_at is not null then
    return;
  end if;
  update private.api_keys k set revoked_at = now() where k.org_id = v_row.org_id and k.id = p_id;
  perform private.audit(v_row.org_id, 'api_key.revoked', 'api_key', p_id, jsonb_build_object('name', v_row.name));
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_return_share(p_org_id uuid, p_before integer, p_share integer)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('organization.update'));
  v_share integer;
begin
  select o.return_share into v_share from public.organizations o
  where o.id = p_org_id and o.id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  -- Saved already: a request whose answer was lost comes again.
  elsif v_share = p_share then
    return;
  elsif v_share is distinct from p_before then
    raise exception 'return_share_changed' using errcode = 'TV071', detail = v_share::text;
  end if;
  update public.organizations o set return_share = p_share where o.id = p_org_id;
end;
$function$;

-- Whoever has a review now was given it last.
update public.review_actions a set assignee_id = r.assigned_to
from public.pre_spin_reviews r
where r.assigned_to is not null and a.org_id = r.org_id and a.review_id = r.id and a.kind = 'assigned'
  and a.assignee_name is not null and a.assignee_id is null
  and not exists (
    select 1 from public.review_actions b
    where b.org_id = a.org_id and b.review_id = a.review_id and b.kind = 'assigned' and b.created_at > a.created_at);

update public.pre_spin_reviews r set assigned_to = null
where r.assigned_to is not null and not exists (
  select 1 from public.organization_members m
  where m.org_id = r.org_id and m.user_id = r.assigned_to and private.role_may(m.role, 'reviews.write')
);
