-- Why: rules that stood twice (a code that is over, a repeated request, a whole selection, plain letters, a secret) have one home each.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.code_state(p_code public.redemptions)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN CASE WHEN (((p_code).status = 'available'::text) AND ((p_code).expires_at <= now())) THEN 'expired'::text ELSE (p_code).status END;

CREATE OR REPLACE FUNCTION private.is_repeated(p_review public.pre_spin_reviews, p_request_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from public.review_actions a
    where a.org_id = p_review.org_id and a.review_id = p_review.id and a.request_id = p_request_id);
$function$;

CREATE OR REPLACE FUNCTION private.new_api_key()
 RETURNS text
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  -- Written without what an address or a shell would change.
  select 'tv_live_' || translate(encode(private.new_secret(), 'base64'), '+/=', '-_');
$function$;

CREATE OR REPLACE FUNCTION private.plain_letters(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN translate(p_text, 'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿ’«»–—…'::text, 'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuyy------'::text);

CREATE OR REPLACE FUNCTION private.prior_outcome(p_review public.pre_spin_reviews, p_version integer, p_request_id uuid, p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select case
    when private.is_repeated(p_review, p_request_id) then jsonb_build_object('outcome', 'saved')
    when p_review.handling_version is distinct from p_version then private.review_conflict(p_review)
    when private.is_claimed(p_review, p_user_id)
      then jsonb_build_object('outcome', 'claimed', 'by', private.user_name(p_review.claimed_by))
  end;
$function$;

CREATE OR REPLACE FUNCTION private.require_whole_selection(p_ids uuid[], p_found integer)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  if p_found <> (select count(distinct s.id) from unnest(p_ids) as s (id)) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.words(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(p_text) = length(p_text)) THEN TRIM(BOTH '-'::text FROM regexp_replace(lower((p_text COLLATE "C")), '[^a-z0-9]+'::text, '-'::text, 'g'::text)) WHEN (octet_length(private.plain_letters(p_text)) = length(p_text)) THEN TRIM(BOTH '-'::text FROM regexp_replace(lower((private.plain_letters(p_text) COLLATE "C")), '[^a-z0-9]+'::text, '-'::text, 'g'::text)) WHEN private.has_other_script(p_text) THEN private.other_script_words(p_text) ELSE private.slugify(p_text) END;

CREATE OR REPLACE FUNCTION public.answer_review(p_id uuid, p_version integer, p_body text, p_request_id uuid, p_reward_id uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_prior jsonb;
  v_customer public.customers;
  v_answers_to text;
  v_obstacle text;
  v_gift record;
  v_message_id uuid;
begin
  if p_reward_id is not null then
    perform private.lock_reviewer(p_id);
  end if;
  v_review := private.lock_review(p_id);
  if not private.may_name_customers(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_body is null then
    raise exception 'no_text' using errcode = '23502';
  end if;
  v_prior := private.prior_outcome(v_review, p_version, p_request_id, v_user_id);
  if v_prior is not null then
    return v_prior;
  end if;
  select * into v_customer from public.customers c
  where c.org_id = v_review.org_id and c.id = v_review.customer_id;
  v_answers_to := private.answers_to(v_user_id, v_review.org_id);
  v_obstacle := private.answer_obstacle(v_customer, v_answers_to);
  if v_obstacle is not null then
    return jsonb_build_object('outcome', v_obstacle);
  elsif private.count_attempt(array['review answer ' || v_review.org_id], '{200}', interval '1 hour') is not null then
    return jsonb_build_object('outcome', 'too_many');
  end if;
  if p_reward_id is not null then
    select * into v_gift from private.give_goodwill(v_review, p_reward_id, null);
    if v_gift.outcome <> 'given' then
      return jsonb_build_object('outcome', v_gift.outcome);
    end if;
    v_message_id := private.write_gesture_mail(v_customer.email, btrim(p_body), v_answers_to, v_gift.code);
  else
    v_message_id := private.enqueue_mail('review_answer', v_customer.email, jsonb_build_object('facts', jsonb_build_object(
      'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
      'body', btrim(p_body), 'reply_to', v_answers_to)), now() + interval '2 days');
  end if;
  perform private.add_review_action(v_review, 'answer', 'answered', btrim(p_body), p_request_id, v_message_id);
  update public.pre_spin_reviews r
  set handling = 'answered', handling_version = r.handling_version + 1, seen_at = coalesce(r.seen_at, now()),
    claimed_by = null, claimed_at = null
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

CREATE OR REPLACE FUNCTION public.archive_campaigns(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('campaigns.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  -- In one order, whoever asks; the lock waits for customers who are taking part right now.
  perform 1 from public.campaigns c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  update public.campaigns c set active = false, archived_at = now()
  where c.org_id = p_org_id and c.id = any (p_ids) and c.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.archive_rewards(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('rewards.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  -- In one order, whoever asks; the lock waits for customers who are winning one right now.
  perform 1 from public.rewards r
  where r.org_id = p_org_id and r.id = any (p_ids)
  order by r.id for update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  update public.rewards r set archived_at = now()
  where r.org_id = p_org_id and r.id = any (p_ids) and r.archived_at is null;
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.give_goodwill_code(p_id uuid, p_version integer, p_reward_id uuid, p_request_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_prior jsonb;
  v_outcome text;
begin
  perform private.lock_reviewer(p_id);
  v_review := private.lock_review(p_id);
  if not private.may_give_goodwill(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_prior := private.prior_outcome(v_review, p_version, p_request_id, v_user_id);
  if v_prior is not null then
    return v_prior;
  end if;
  select g.outcome into v_outcome from private.give_goodwill(v_review, p_reward_id, p_request_id) g;
  if v_outcome <> 'given' then
    return jsonb_build_object('outcome', v_outcome);
  end if;
  -- What becomes of the review is still to be said: nobody who is at it is in conflict.
  update public.pre_spin_reviews r set seen_at = coalesce(r.seen_at, now())
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

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
  end if;
  perform private.add_review_action(v_review, 'note', 'noted', btrim(p_body), p_request_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_consents(p_org_id uuid, p_ids uuid[])
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('customers.write'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.check_selection(p_ids);
  perform 1 from public.customers c
  where c.org_id = p_org_id and c.id = any (p_ids)
  order by c.id for no key update;
  get diagnostics v_count = row_count;
  perform private.require_whole_selection(p_ids, v_count);
  update public.customers c set consent_marketing = false
  where c.org_id = p_org_id and c.id = any (p_ids) and c.consent_marketing;
  get diagnostics v_count = row_count;
  if v_count > 0 then
    perform private.audit(p_org_id, 'customer.consents_withdrawn', 'customer', null, jsonb_build_object('count', v_count));
  end if;
  return v_count;
end;
$function$;

COMMENT ON FUNCTION "private"."is_repeated"(public.pre_spin_reviews, uuid) IS 'Whether a request on a review has been carried out before: its answer was lost on the way.';

COMMENT ON FUNCTION "private"."plain_letters"(text) IS 'A text with the accented letters of French and its neighbours as those of ASCII, and its typographic signs as hyphens.';

COMMENT ON FUNCTION "private"."prior_outcome"(public.pre_spin_reviews, integer, uuid, uuid) IS 'Answer to what a member does for a customer where nothing is left to do: saved (the request is repeated), conflict (somebody dealt with the review meanwhile) or claimed (a colleague is at it); null where it is theirs to do. The review is locked.';

COMMENT ON FUNCTION "private"."require_whole_selection"(uuid[], integer) IS 'Refuses a selection of a list of which fewer rows were found than it names: what is done to many is done to all or none. Error 42501.';

REVOKE ALL ON FUNCTION "private"."code_state"(public.redemptions) FROM "service_role";

GRANT EXECUTE ON FUNCTION "private"."code_state"(public.redemptions) TO "service_role";

REVOKE ALL ON FUNCTION "private"."is_repeated"(public.pre_spin_reviews, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."plain_letters"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."plain_letters"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."plain_letters"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."prior_outcome"(public.pre_spin_reviews, integer, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."require_whole_selection"(uuid[], integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
 RETURNS TABLE(code text, status text, reward text, campaign text, customer text, email text, created_at text, expires_at text, used_at text, used_store text, origin text)
 LANGUAGE sql
 STABLE
BEGIN ATOMIC
 SELECT r.code,
     COALESCE(r.verdict, private.code_state(r.*)) AS "coalesce",
     r.reward_name,
     c.name,
         CASE
             WHEN export_redemptions.p_is_named THEN r.end_user_name
             ELSE NULL::text
         END AS "case",
         CASE
             WHEN export_redemptions.p_is_named THEN r.end_user_email
             ELSE NULL::text
         END AS "case",
     private.export_moment(r.created_at, z.timezone) AS export_moment,
     private.export_moment(r.expires_at, z.timezone) AS export_moment,
     private.export_moment(r.used_at, z.timezone) AS export_moment,
     s.name,
         CASE
             WHEN (r.spin_id IS NULL) THEN 'goodwill'::text
             ELSE 'wheel'::text
         END AS "case"
    FROM (((public.redemptions r
      CROSS JOIN ( SELECT private.timezone_of(export_redemptions.p_org_id) AS timezone) z)
      LEFT JOIN public.campaigns c ON (((c.org_id = r.org_id) AND (c.id = r.campaign_id))))
      LEFT JOIN public.stores s ON (((s.org_id = r.org_id) AND (s.id = r.used_store_id))))
   WHERE ((r.org_id = export_redemptions.p_org_id) AND (((export_redemptions.p_filters ->> 'reward_id'::text) IS NULL) OR (r.reward_id = ((export_redemptions.p_filters ->> 'reward_id'::text))::uuid)) AND (((export_redemptions.p_filters -> 'ids'::text) IS NULL) OR (r.id = ANY (ARRAY( SELECT (jsonb_array_elements_text((export_redemptions.p_filters -> 'ids'::text)))::uuid AS jsonb_array_elements_text)))) AND (((export_redemptions.p_filters ->> 'status'::text) IS NULL) OR ((export_redemptions.p_filters ->> 'status'::text) = COALESCE(r.verdict, private.code_state(r.*)))) AND ((private.code_pattern((export_redemptions.p_filters ->> 'search'::text)) IS NULL) OR
         CASE
             WHEN export_redemptions.p_is_named THEN (r.words ~~ private.code_pattern((export_redemptions.p_filters ->> 'search'::text)))
             ELSE starts_with(r.code_key, private.code_prefix((export_redemptions.p_filters ->> 'search'::text)))
         END))
   ORDER BY r.created_at DESC, r.id DESC;
END;
