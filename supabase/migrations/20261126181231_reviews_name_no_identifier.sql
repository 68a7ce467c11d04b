-- Why: refusals and live changes named reviews by the identifier by which a phone spins, and gets its code; a refusal had the customer too.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.add_review_action(p_review public.pre_spin_reviews, p_kind text, p_verb text, p_body text DEFAULT NULL::text, p_request_id uuid DEFAULT NULL::uuid, p_message_id uuid DEFAULT NULL::uuid, p_assignee_name text DEFAULT NULL::text, p_redemption_id uuid DEFAULT NULL::uuid)
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
    assignee_name, redemption_id)
  values (p_review.org_id, p_review.id, v_user_id, left(private.user_name(v_user_id), 200), p_kind, p_body, p_request_id,
    p_message_id, case when p_message_id is not null then 'queued' end, left(p_assignee_name, 200), p_redemption_id);
  perform private.audit(p_review.org_id, 'review.' || p_verb, 'review', private.alias_of(p_review.id),
    jsonb_build_object('name',
      (select s.name from public.stores s where s.org_id = p_review.org_id and s.id = p_review.store_id)));
end;
$function$;

CREATE OR REPLACE FUNCTION private.broadcast_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  perform realtime.send(
    jsonb_build_object('kind', tg_argv[1],
      -- A phone that names a review by its own identifier spins for it, and gets its code.
      'id', case when tg_argv[1] = 'review' then private.alias_of(new.id) else new.id end,
      'campaign_id', new.campaign_id),
    'change', 'organization:' || new.org_id || ':' || tg_argv[0], true);
  return null;
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

COMMENT ON FUNCTION "private"."broadcast_change"() IS 'Tells the channel of the trigger''s first argument that something of the second kind was written: scan, review (by its alias), spin, win (a new code) or code (one that was used or restored, or that the team gave).';
