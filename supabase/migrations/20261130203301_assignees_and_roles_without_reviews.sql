-- Why: erasing an account left its name in what was assigned to it, and a role that lost its reviews kept them.

set check_function_bodies = off;

DROP FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, text, uuid);

ALTER TABLE "public"."review_actions" ADD COLUMN "assignee_id" uuid;

CREATE OR REPLACE FUNCTION private.add_review_action(p_review public.pre_spin_reviews, p_kind text, p_verb text, p_body text DEFAULT NULL::text, p_request_id uuid DEFAULT NULL::uuid, p_message_id uuid DEFAULT NULL::uuid, p_assignee_id uuid DEFAULT NULL::uuid, p_redemption_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  -- PostgreSQL's own refusal would show the review's identifier, which tells a phone its code.
  if btrim(p_body) = '' or length(p_body) > 4000 then
    raise exception 'text_length' using errcode = '23514';
  end if;
  insert into public.review_actions (org_id, review_id, user_id, actor_name, kind, body, request_id, message_id, delivery,
    assignee_id, assignee_name, redemption_id)
  values (p_review.org_id, p_review.id, v_user_id, left(private.user_name(v_user_id), 200), p_kind, p_body, p_request_id,
    p_message_id, case when p_message_id is not null then 'queued' end, p_assignee_id,
    left(private.user_name(p_assignee_id), 200), p_redemption_id);
  perform private.audit(p_review.org_id, 'review.' || p_verb, 'review', private.alias_of(p_review.id),
    jsonb_build_object('name',
      (select s.name from public.stores s where s.org_id = p_review.org_id and s.id = p_review.store_id)));
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_colleague(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_name constant text := left(private.user_name(p_user_id), 200);
  v_org_ids constant uuid[] := array(
    select a.org_id from public.review_actions a where a.user_id = p_user_id
    union select m.org_id from public.organization_members m where m.user_id = p_user_id);
begin
  update public.review_actions a set actor_name = null where a.user_id = p_user_id and a.actor_name is not null;
  -- Null in the name means that nobody is assigned: the whole row goes.
  delete from public.review_actions a where a.assignee_id = p_user_id;
  -- Rows from before the identifier was kept have the name alone.
  delete from public.review_actions a
  where a.org_id = any (v_org_ids) and a.kind = 'assigned' and a.assignee_id is null and a.assignee_name = v_name;
end;
$function$;

CREATE OR REPLACE FUNCTION private.release_account(p_user_id uuid, p_is_own boolean DEFAULT false)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_role text;
begin
  -- As in create_organization: nobody enters a team with an account that goes.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || p_user_id, 0));
  select m.org_id into v_org_id from public.organization_members m where m.user_id = p_user_id;
  -- The team before its invitations, as whoever changes it: two orders would make deadlocks.
  perform private.lock_team(v_org_id);
  -- The member before what names them: a review that is being given to them waits, or is waited for.
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = p_user_id for update;
  perform private.forget_messages_to(array[u.email, u.phone]) from auth.users u where u.id = p_user_id;
  perform private.forget_colleague(p_user_id);
  -- Invitations that wait stay: they belong to the organisation, and the address of this account may be unproven.
  delete from private.invitations i where i.accepted_by = p_user_id;
  if v_role is null then
    return;
  end if;
  if private.role_may(v_role, 'owners.manage') and private.needs_owner(v_org_id) then
    perform private.require_other_owner(v_org_id, p_user_id);
  end if;
  -- A person who deletes their own account asks to be forgotten: a name would stay there for 13 months.
  if p_is_own then
    perform private.audit_as(v_org_id, null, 'member.erased', 'member', null, jsonb_build_object('role', v_role));
  else
    perform private.audit_as(v_org_id, null, 'member.removed', 'member', p_user_id,
      jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  end if;
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
  perform private.withdraw_powerless_invitations(v_org_id, null);
end;
$function$;

CREATE OR REPLACE FUNCTION public.assign_review(p_id uuid, p_colleague_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- The right before any row: a lookup that finds no member would leave it unasked, and a key would learn who is one.
  v_org_ids constant uuid[] := array(select private.my_org_ids('reviews.write'));
  v_review public.pre_spin_reviews;
begin
  -- Members before reviews, as release_reviews locks them: a removal at the same time leaves nothing to who is gone.
  perform from public.organization_members m
  where m.user_id = p_colleague_id and m.org_id = any (v_org_ids) for share;
  v_review := private.lock_review(p_id);
  if p_colleague_id is not null and not exists (
    select 1 from public.organization_members m
    where m.org_id = v_review.org_id and m.user_id = p_colleague_id and private.role_may(m.role, 'reviews.write')
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_review.assigned_to is not distinct from p_colleague_id then
    return;
  end if;
  update public.pre_spin_reviews r set assigned_to = p_colleague_id
  where r.org_id = v_review.org_id and r.id = v_review.id;
  perform private.add_review_action(v_review, 'assigned', 'assigned', p_assignee_id => p_colleague_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_role(p_name text, p_description text, p_permissions text[], p_role text DEFAULT NULL::text)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.begin_role_change(p_role);
  v_role constant text := coalesce(p_role, gen_random_uuid()::text);
  v_name constant text := private.clean_line(p_name);
  v_permissions constant text[] := private.expand_permissions(p_permissions);
begin
  if not (private.has_feature(v_org_id, 'custom_roles') and private.require_open_plan(v_org_id)) then
    raise exception 'roles_not_in_plan' using errcode = 'TV114';
  -- Permissions of administrators can be given; the rest is the owner's alone.
  elsif not v_permissions @> p_permissions or cardinality(v_permissions) = 0 or exists (
    select 1 from unnest(v_permissions) w where not private.role_may('admin', w)
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_role is null and (select count(*) from public.roles r where r.org_id = v_org_id) >= 20 then
    raise exception 'too_many_roles' using errcode = 'TV115';
  end if;
  insert into public.roles as r (role, org_id, name, description)
  values (v_role, v_org_id, v_name, private.clean_line(coalesce(p_description, '')))
  on conflict (role) do update set name = excluded.name, description = excluded.description;
  delete from public.role_permissions p where p.role = v_role and p.permission <> all (v_permissions);
  insert into public.role_permissions (role, org_id, permission)
  select v_role, v_org_id, w from unnest(v_permissions) w
  on conflict do nothing;
  -- Members whose role takes care of no review any more hold none: release_reviews frees theirs.
  if 'reviews.write' <> all (v_permissions) then
    update public.organization_members m set role = m.role where m.org_id = v_org_id and m.role = v_role;
  end if;
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', v_name));
  perform private.withdraw_powerless_invitations(v_org_id);
  return v_role;
end;
$function$;

CREATE INDEX review_actions_assignee_idx ON public.review_actions USING btree (assignee_id) WHERE (assignee_id IS NOT NULL);

COMMENT ON COLUMN "public"."review_actions"."assignee_id" IS 'Assignee, by whom their account''s erasure finds the row; null for nobody, and in rows from before it was kept.';

COMMENT ON FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, uuid, uuid) IS 'Writes down what the signed-in member did with a review, in its history and in the audit trail, which names the store alone.';

REVOKE ALL ON FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, uuid, uuid) FROM PUBLIC;
