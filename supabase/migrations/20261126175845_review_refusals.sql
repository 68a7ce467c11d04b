-- Why: a refusal in PostgreSQL's own words showed the review's row: its customer, and the identifier by which a phone is told its code.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.note_review(p_id uuid, p_body text, p_request_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_review public.pre_spin_reviews := private.lock_review(p_id);
begin
  if not private.may_name_customers(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_review.customer_id is null then
    -- Nobody could be asked to have it erased.
    raise exception 'customer_erased' using errcode = 'TV180';
  elsif p_body is null then
    raise exception 'no_text' using errcode = '23502';
  elsif private.is_repeated(v_review, p_request_id) then
    return;
  elsif btrim(p_body) = '' or length(btrim(p_body)) > 4000 then
    -- PostgreSQL's own refusal would show the review's identifier, which tells a phone its code.
    raise exception 'text_length' using errcode = '23514';
  end if;
  perform private.add_review_action(v_review, 'note', 'noted', btrim(p_body), p_request_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.set_review_state(p_id uuid, p_version integer, p_state text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_review public.pre_spin_reviews := private.lock_review(p_id);
  v_verb constant text := case p_state when 'answered' then 'answered' when 'closed' then 'closed' else 'reopened' end;
begin
  -- PostgreSQL's own refusal would show the row, with the customer and the identifier that tells a phone its code.
  if p_state not in ('answered', 'closed', 'open', 'none') then
    raise exception 'unknown_state' using errcode = '23514';
  elsif v_review.handling_version is distinct from p_version then
    return private.review_conflict(v_review);
  end if;
  update public.pre_spin_reviews r
  set handling = nullif(p_state, 'none'), handling_version = r.handling_version + 1,
    seen_at = case when v_verb = 'reopened' then null else coalesce(r.seen_at, now()) end,
    claimed_by = null, claimed_at = null
  where r.org_id = v_review.org_id and r.id = v_review.id;
  perform private.add_review_action(v_review, v_verb, v_verb);
  return jsonb_build_object('outcome', 'saved');
end;
$function$;
