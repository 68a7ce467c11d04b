-- Why: the reviews of a former member kept their name as if somebody took care of them.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.release_reviews()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if tg_op = 'DELETE' or not private.role_may(new.role, 'reviews.write') then
    update public.pre_spin_reviews r set assigned_to = null
    where r.org_id = old.org_id and r.assigned_to = old.user_id;
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION public.assign_review(p_id uuid, p_colleague_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_review public.pre_spin_reviews;
begin
  -- Members before reviews, as release_reviews locks them: a removal at the same time leaves nothing to who is gone.
  perform from public.organization_members m
  where m.user_id = p_colleague_id and m.org_id in (select private.my_org_ids('reviews.write')) for share;
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
  perform private.add_review_action(v_review, 'assigned', 'assigned', p_assignee_name => private.user_name(p_colleague_id));
end;
$function$;

CREATE TRIGGER release_reviews AFTER DELETE OR UPDATE OF role ON public.organization_members FOR EACH ROW EXECUTE FUNCTION private.release_reviews();

COMMENT ON FUNCTION "private"."release_reviews"() IS 'Frees the reviews of a member who leaves, or whose new role takes care of none, for somebody else. Their history stays.';

REVOKE ALL ON FUNCTION "private"."release_reviews"() FROM PUBLIC;

update public.pre_spin_reviews r set assigned_to = null
where r.assigned_to is not null and not exists (
  select 1 from public.organization_members m
  where m.org_id = r.org_id and m.user_id = r.assigned_to and private.role_may(m.role, 'reviews.write')
);
