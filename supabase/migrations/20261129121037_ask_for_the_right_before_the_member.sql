-- Why: a reading key learned from the kind of refusal whether an identifier is that of a member of some organisation.

set check_function_bodies = off;

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
  perform private.add_review_action(v_review, 'assigned', 'assigned', p_assignee_name => private.user_name(p_colleague_id));
end;
$function$;
