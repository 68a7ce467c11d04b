-- Names that others read stand on one line and hide nothing: they are cleaned as they are written, and those that are there once.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.begin_end(p_org_id uuid, p_name text, p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o where o.id = p_org_id for update;
  if v_org.erase_at is not null then
    raise exception 'already_ending' using errcode = 'TV107';
  elsif private.clean_line(coalesce(p_name, v_org.name)) <> v_org.name then
    raise exception 'other_name' using errcode = 'TV106';
  elsif private.has_running_payments(v_org.id) then
    raise exception 'payments_running' using errcode = 'TV108';
  end if;
  update public.organizations o set erase_at = now() + interval '30 days' where o.id = v_org.id
  returning o.erase_at into v_org.erase_at;
  update public.subscriptions s set is_ending = true where s.org_id = v_org.id;
  perform private.audit_as(v_org.id, p_user_id, 'organization.ended', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_end');
  return v_org.erase_at;
end;
$function$;

CREATE OR REPLACE FUNCTION private.clean_line(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  v_text text := p_text;
begin
  if p_text is null or not private.is_unclean(p_text) then
    return p_text;
  end if;
  -- Line breaks, tabs and unusual spaces; those that French sets before its signs stay.
  v_text := regexp_replace(v_text, '[\u0009-\u000d\u0085\u1680\u2000-\u200a\u2028\u2029\u205f\u3000]', ' ', 'g');
  -- Controls, signs of no width, and those that reverse what follows.
  v_text := regexp_replace(v_text,
    '[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u180e\u200b\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e001f]', '', 'g');
  -- Flags of regions are a black flag with tags.
  v_text := regexp_replace(v_text, '(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+', '', 'g');
  if v_text !~ '[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff]' then
    v_text := regexp_replace(v_text, '[\u061c\u200e\u200f]', '', 'g');
  end if;
  -- A variant of a letter that has none.
  v_text := regexp_replace(v_text, '(?<=[ \u00a0\u202fA-Za-z\u00c0-\u058f])[\ufe00-\ufe0f\u200c\u200d]+', '', 'g');
  -- Joiners after a letter of a script that does not join.
  v_text := regexp_replace(v_text,
    '(?<![^\u0001-\u058f\u10a0-\u10ff\u1d00-\u206f\u2c60-\u2d2f\u2de0-\u2dff\u3000-\ua4cf\ua640-\ua69f\ua720-\ua7ff\uac00-\ud7ff])[\u200c\u200d]+',
    '', 'g');
  v_text := private.without_piled_marks(normalize(v_text, nfc));
  v_text := btrim(regexp_replace(v_text, '[ \u00a0\u202f]{2,}', ' ', 'g'), U&' \00a0\202f');
  return case when v_text ~ '[^ \u00a0\u061c\u115f\u1160\u180b-\u180f\u200c-\u200f\u202f\u2800\ufe00-\ufe0f\U000e0100-\U000e01ef]'
    then v_text else '' end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.clean_text(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
declare
  v_text text := p_text;
begin
  if octet_length(p_text) = length(p_text) and p_text !~ '^\s|\s$|[\u0001-\u0008\u000b-\u001f\u007f]' then
    return p_text;
  end if;
  v_text := regexp_replace(v_text, '\u000d\u000a?|[\u000b\u000c\u0085\u2028\u2029]', E'\n', 'g');
  v_text := regexp_replace(v_text, '[\u0001-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u206f\ufeff\ufff0-\ufffb]', '', 'g');
  v_text := btrim(private.without_piled_marks(v_text), E' \n\t' || U&'\00a0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200a\200b\202f\205f\2060\3000');
  return case when private.clean_line(v_text) = '' then '' else v_text end;
end;
$function$;

CREATE OR REPLACE FUNCTION private.clean_texts()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_row constant jsonb := to_jsonb(new);
  v_clean jsonb := '{}';
  v_field text;
  v_is_line boolean;
begin
  foreach v_field in array tg_argv loop
    v_is_line := v_field <> all ('{description,note}');
    -- A null of JSON would become one of SQL.
    continue when jsonb_typeof(v_row -> v_field) not in ('string', 'object');
    v_clean := v_clean || jsonb_build_object(v_field, case jsonb_typeof(v_row -> v_field)
      when 'string' then to_jsonb(case when v_is_line then private.clean_line(v_row ->> v_field)
        else private.clean_text(v_row ->> v_field) end)
      -- A text that is blank stays, to be refused by the check of its column.
      else (
        select coalesce(jsonb_object_agg(t.key, case jsonb_typeof(t.value)
          when 'string' then to_jsonb(private.clean_line(t.value #>> '{}')) else t.value end), '{}')
        from jsonb_each(v_row -> v_field) t)
    end);
  end loop;
  return jsonb_populate_record(new, v_clean);
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_unclean(p_text text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (octet_length(p_text) = length(p_text)) THEN (p_text ~ '^ | $|  |[\u0001-\u001f\u007f]'::text) ELSE ((p_text ~ '^ | $|  |[\u0300-\u036f]{5}|[\u0001-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff\u1dc0-\u1dff\u2000-\u200f\u2028-\u202f\u205f-\u206f\u20d0-\u20ff\u2800\u3000\u3164\ufe00-\ufe2f\ufeff\uffa0\ufff0-\uffff\U000e0000-\U000e0fff]'::text) OR (NOT (p_text IS NFC NORMALIZED))) END;

CREATE OR REPLACE FUNCTION private.name_of(p_meta jsonb, p_email text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN COALESCE(NULLIF(private.clean_line((CASE jsonb_typeof(p_meta) WHEN 'string'::text THEN ((p_meta #>> '{}'::text[]))::jsonb ELSE p_meta END ->> 'full_name'::text)), ''::text), split_part(p_email, '@'::text, 1));

CREATE OR REPLACE FUNCTION private.without_piled_marks(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN regexp_replace(p_text, '([\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+'::text, '\1'::text, 'g'::text);

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
  v_body constant text := private.clean_text(p_body);
begin
  perform private.lock_reviewer(p_id);
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
    v_message_id := private.write_gesture_mail(v_customer.email, v_body, v_answers_to, v_gift.code);
  else
    v_message_id := private.enqueue_customer_mail(v_customer.org_id, v_customer.id, 'review_answer', v_customer.email, jsonb_build_object(
      'locale', v_customer.locale,
      'brand', private.brand(v_review.org_id),
      'white_label', private.has_feature(v_review.org_id, 'white_label'),
      'facts', jsonb_build_object(
        'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
        'body', v_body, 'reply_to', v_answers_to)), now() + interval '2 days');
  end if;
  perform private.add_review_action(v_review, 'answer', 'answered', v_body, p_request_id, v_message_id);
  update public.pre_spin_reviews r
  set handling = 'answered', handling_version = r.handling_version + 1, seen_at = coalesce(r.seen_at, now()),
    claimed_by = null, claimed_at = null
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_api_key(p_name text, p_scope text, p_store_id uuid DEFAULT NULL::uuid, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_key constant text := private.new_api_key();
  v_org_id uuid;
  v_row private.api_keys;
begin
  select o into v_org_id from private.my_org_ids('api.manage') o;
  -- One after the other, so that the keys are counted.
  perform private.lock_team(v_org_id);
  if v_org_id is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.require_delegation(v_org_id, p_scope);
  if not private.includes_api(v_org_id) then
    raise exception 'api_not_in_plan' using errcode = 'TV111';
  elsif p_expires_at <= now() then
    raise exception 'already_expired' using errcode = '23514';
  elsif p_store_id is not null and not exists (
    select 1 from public.stores s where s.org_id = v_org_id and s.id = p_store_id and s.archived_at is null
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.api_keys k where k.org_id = v_org_id and k.revoked_at is null) >= 20 then
    raise exception 'too_many_api_keys' using errcode = 'TV112';
  end if;
  insert into private.api_keys (org_id, name, scope, store_id, prefix, key_hash, created_by, expires_at)
  values (v_org_id, private.clean_line(p_name), p_scope, p_store_id, left(v_key, 13), sha256(convert_to(v_key, 'UTF8')),
    private.my_user_id(), p_expires_at)
  returning * into v_row;
  perform private.audit(v_org_id, 'api_key.created', 'api_key', v_row.id, jsonb_build_object('name', v_row.name));
  return jsonb_build_object('id', v_row.id, 'name', v_row.name, 'key', v_key);
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_organization(p_name text, p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_trial_end timestamptz;
  v_org public.organizations;
begin
  -- An account that has proven neither an address nor a number is nobody yet.
  if not exists (
    select 1 from auth.users u
    where u.id = v_user_id and (u.email_confirmed_at is not null or u.phone_confirmed_at is not null)
  ) then
    raise exception 'not_confirmed' using errcode = '42501';
  end if;
  -- Two clicks take turns, so that the second learns what the first has done.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  v_trial_end := private.previous_trial_end(v_user_id);
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  insert into public.organizations (name, slug) values (p_name, p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  update public.subscriptions s set trial_end = v_trial_end where s.org_id = v_org.id and v_trial_end < s.trial_end;
  insert into private.account_trials (user_id, trial_end)
  select v_user_id, s.trial_end from public.subscriptions s where s.org_id = v_org.id
  on conflict (user_id) do nothing;
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$function$;

CREATE OR REPLACE FUNCTION public.create_store(p_name text, p_slug text, p_address text, p_google_review_url text, p_review_mode text, p_review_host_confirmed text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id constant uuid := private.my_organization();
  v_store public.stores;
begin
  if v_org_id is null then
    raise exception 'no_organization' using errcode = 'TV023';
  end if;
  if v_org_id not in (select private.my_org_ids('stores.write')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into public.stores (org_id, name, slug, address, google_review_url, review_mode, review_host_confirmed)
  values (v_org_id, p_name, p_slug, p_address, nullif(btrim(p_google_review_url), ''),
    coalesce(p_review_mode, 'compliant'), p_review_host_confirmed)
  returning * into v_store;
  return jsonb_build_object('id', v_store.id, 'name', v_store.name, 'slug', v_store.slug);
end;
$function$;

CREATE OR REPLACE FUNCTION public.duplicate_campaign(p_id uuid, p_name text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_source public.campaigns;
  v_copy public.campaigns;
  v_is_over boolean;
  v_asked constant text := private.clean_line(p_name);
  v_name text := btrim(left(v_asked, 120));
  v_base constant text := coalesce(nullif(left(private.slugify(v_asked), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
begin
  -- Two copies made at once take turns, so that each finds a name.
  select * into v_source from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and c.org_id = any (array(select private.my_org_ids('rewards.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if coalesce(v_name, '') = '' then
    raise exception 'campaign_name_required' using errcode = '22023';
  end if;
  while exists (
    select 1 from public.campaigns c
    where c.org_id = v_source.org_id and (lower(btrim(c.name)) = lower(v_name) or c.slug = v_slug)
  )
  loop
    v_number := v_number + 1;
    v_name := btrim(left(v_asked, 110)) || ' (' || v_number || ')';
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;

  v_is_over := v_source.ends_at is not null and v_source.ends_at <= now();
  insert into public.campaigns
    (org_id, store_id, name, slug, description, active, starts_at, ends_at, play_interval_days)
  values (v_source.org_id, v_source.store_id, v_name, v_slug, v_source.description, false,
    case when not v_is_over then v_source.starts_at end, case when not v_is_over then v_source.ends_at end,
    v_source.play_interval_days)
  returning * into v_copy;

  perform private.copy_prizes(v_source.org_id, p_id, v_copy.id, null);
  return jsonb_build_object('id', v_copy.id, 'name', v_copy.name);
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
  perform private.add_review_action(v_review, 'note', 'noted', private.clean_text(p_body), p_request_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.record_feedback(p_review_id uuid, p_feedback text, OUT outcome text, OUT google_review_url text)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_store_id uuid;
  v_feedback constant text := private.clean_text(p_feedback);
  v_text text;
begin
  -- Customers who were forgotten have no review any more: what they write would come back to stay.
  update public.pre_spin_reviews r set review_text = v_feedback, feedback_at = now()
  where r.id = p_review_id and r.customer_id is not null and r.review_text is null
  returning r.org_id, r.store_id into v_org_id, v_store_id;
  if found then
    outcome := 'added';
  else
    select r.org_id, r.store_id, r.review_text into v_org_id, v_store_id, v_text
    from public.pre_spin_reviews r where r.id = p_review_id and r.customer_id is not null;
    outcome := case
      when not found then 'review_not_found'
      when v_text = v_feedback then 'repeated'
      else 'feedback_exists'
    end;
  end if;
  select s.google_review_url into google_review_url
  from public.stores s where s.org_id = v_org_id and s.id = v_store_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.record_review(p_campaign_id uuid, p_visit_id uuid, p_first_name text, p_last_name text, p_email text, p_phone text, p_consent_marketing boolean, p_rating integer, p_source text, p_address_hash text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT review_id uuid, OUT next text, OUT google_review_url text, OUT retry_after integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_store public.stores;
  v_review public.pre_spin_reviews;
  v_customer_id uuid;
  v_name constant text := private.clean_line(concat_ws(' ', p_first_name, p_last_name));
begin
  -- One journey at a time: a double click waits here and finds the review of the first.
  perform pg_advisory_xact_lock(hashtextextended(p_campaign_id::text || p_visit_id::text, 1));
  select * into v_campaign from public.campaigns c where c.id = p_campaign_id;
  select * into v_review from public.pre_spin_reviews r
  where r.org_id = v_campaign.org_id and r.campaign_id = p_campaign_id and r.visit_id = p_visit_id;
  if found then
    select * into v_store from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id;
    outcome := 'repeated';
    review_id := v_review.id;
    next := private.review_next(v_review.rating, v_store.review_mode, v_store.google_review_url);
    google_review_url := v_store.google_review_url;
    return;
  end if;

  if not exists (
    select 1 from public.subscriptions s where s.org_id = v_campaign.org_id and private.is_running(v_campaign, s)
  ) then
    outcome := 'campaign_not_found';
    return;
  end if;

  retry_after := private.count_attempt(
    array['review address ' || p_address_hash || ' ' || p_campaign_id::text], '{600}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;

  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  select f.customer_id into v_customer_id
  from private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, p_first_name, p_last_name,
    v_name, p_email, p_phone, p_consent_marketing, p_locale => p_locale) f;
  -- Consent is given by ticking the box and stays until it is withdrawn; a blank box takes nothing back.
  update public.customers c
  set last_activity_at = now(), consent_marketing = c.consent_marketing or p_consent_marketing,
    locale = coalesce(p_locale, c.locale)
  where c.org_id = v_campaign.org_id and c.id = v_customer_id;

  if (
    select count(*) from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.customer_id = v_customer_id
      and r.created_at > now() - interval '1 hour'
  ) >= 20 then
    outcome := 'too_many_attempts';
    retry_after := 3600;
    return;
  end if;

  insert into public.pre_spin_reviews (
    org_id, campaign_id, store_id, customer_id, visit_id, customer_name, customer_email, customer_phone,
    rating, consent_marketing, source, locale
  ) values (
    v_campaign.org_id, v_campaign.id, v_campaign.store_id, v_customer_id, p_visit_id, v_name, p_email, p_phone,
    p_rating, p_consent_marketing, p_source, coalesce(p_locale, 'fr')
  ) returning id into review_id;
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_store.timezone)::date,
    p_reviews => 1, p_rating_sum => p_rating, p_five_star_reviews => (p_rating = 5)::integer);

  outcome := 'created';
  next := private.review_next(p_rating, v_store.review_mode, v_store.google_review_url);
  google_review_url := v_store.google_review_url;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_answer_templates(p_org_id uuid, p_templates jsonb DEFAULT NULL::jsonb)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_templates constant jsonb := case jsonb_typeof(p_templates) when 'string' then (p_templates #>> '{}')::jsonb else p_templates end;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('reviews.write'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('answer templates ' || p_org_id, 0));
  delete from public.answer_templates t where t.org_id = p_org_id;
  insert into public.answer_templates (org_id, position, name, body)
  select p_org_id, t.position, private.clean_line(t.template ->> 'name'), private.clean_text(t.template ->> 'body')
  from jsonb_array_elements(v_templates) with ordinality as t (template, position);
  perform private.audit(p_org_id, 'templates.updated', 'organization', p_org_id);
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_campaign(p_id uuid, p_version integer, p_name text, p_slug text, p_store_id uuid, p_active boolean, p_play_interval_days integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_segments jsonb DEFAULT NULL::jsonb, p_translations jsonb DEFAULT NULL::jsonb)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_segments constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_translations constant jsonb :=
    case jsonb_typeof(p_translations) when 'string' then (p_translations #>> '{}')::jsonb else p_translations end;
  v_campaign public.campaigns;
  v_constraint text;
begin
  -- A save at the same instant waits here, and then finds another version.
  perform private.lock_sharing_campaigns(c.org_id, p_id, array(
    select s.reward_id from private.read_segments(case when jsonb_typeof(v_segments) = 'array' then v_segments end) s
    where s.reward_id is not null))
  from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  select * into v_campaign from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')))
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_campaign.version is distinct from p_version then
    raise exception 'campaign_conflict' using errcode = 'TV062', detail = v_campaign.version::text;
  end if;
  if v_campaign.archived_at is not null then
    raise exception 'campaign_archived' using errcode = 'TV061';
  end if;
  update public.campaigns c
  set name = p_name, slug = p_slug, store_id = p_store_id, description = nullif(private.clean_text(p_description), ''),
    active = p_active, starts_at = p_starts_at, ends_at = p_ends_at, play_interval_days = p_play_interval_days,
    translations = coalesce(nullif(v_translations, 'null'), c.translations)
  where c.id = p_id;
  if v_segments is not null and jsonb_typeof(v_segments) <> 'null' then
    perform private.redraw_wheel(v_campaign.org_id, p_id, v_segments);
  end if;
  return (
    select jsonb_build_object('version', c.version, 'slug', c.slug) from public.campaigns c where c.id = p_id
  );
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_slug_key' then
      raise exception 'campaign_slug_taken' using errcode = 'TV066';
    end if;
    raise;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_customer(p_id uuid, p_version integer, p_first_name text, p_last_name text, p_email text, p_phone text, p_consent_marketing boolean, p_note text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_customer public.customers;
  v_other record;
  v_version integer;
begin
  -- Two rounds: somebody may take the address between the question and the answer.
  for round in 1..2 loop
    select * into v_customer from public.customers c
    where c.org_id = any (array(select private.my_org_ids('customers.write'))) and c.id = p_id
    for no key update;
    if not found then
      raise exception 'forbidden' using errcode = '42501';
    elsif v_customer.version is distinct from p_version then
      return jsonb_build_object('outcome', 'conflict');
    end if;
    select c.id, c.name, c.email_normalized = private.normalize_email(p_email) as is_email into v_other
    from public.customers c
    where c.org_id = v_customer.org_id and c.id <> p_id
      and (c.email_normalized = private.normalize_email(p_email) or c.phone_normalized = private.normalize_phone(p_phone))
    order by 3 desc nulls last limit 1;
    if found then
      return jsonb_build_object(
        'outcome', case when v_other.is_email then 'email_taken' else 'phone_taken' end,
        'other', jsonb_build_object('id', v_other.id, 'name', v_other.name));
    end if;
    begin
      update public.customers c set
        first_name = nullif(private.clean_line(p_first_name), ''), last_name = nullif(private.clean_line(p_last_name), ''),
        name = private.clean_line(concat_ws(' ', p_first_name, p_last_name)),
        email = nullif(btrim(p_email), ''), phone = nullif(btrim(p_phone), ''),
        consent_marketing = p_consent_marketing, note = nullif(private.clean_text(p_note), '')
      where c.org_id = v_customer.org_id and c.id = p_id
      returning c.version into v_version;
      return jsonb_build_object('outcome', 'saved', 'version', v_version);
    exception when unique_violation then
      if round = 2 then
        raise;
      end if;
    end;
  end loop;
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
  perform private.audit(v_org_id, case when p_role is null then 'role.created' else 'role.updated' end, 'role',
    v_role::uuid, jsonb_build_object('name', v_name));
  return v_role;
end;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, p_presence text DEFAULT NULL::text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign record;
  v_today date;
  v_person record;
  v_customer_id uuid;
  v_is_new boolean := false;
  v_name text := private.clean_line(p_name);
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_hits integer;
  v_last_day date;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
  v_spin_id uuid;
  v_nonce uuid;
  v_code text;
  v_expires_at timestamptz;
begin
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins, k.device_daily_limit,
    k.presence, k.presence_key,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
  left join private.check_settings k on k.org_id = c.org_id and k.campaign_id = c.id
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- One call a key at a time; a repeated call gets the first answer, letter for letter, whatever has
  -- changed since.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_review_id, p_play_id)::text, 2));
  if p_review_id is not null then
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.review_id = p_review_id and s.campaign_id = p_campaign_id;
  else
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.campaign_id = p_campaign_id and s.play_id = p_play_id;
  end if;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if not v_campaign.is_running then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- High for an address, since a shop's Wi-Fi and a mobile network are shared; lower for one device.
  v_retry_after := private.count_attempt(
    array[
      'spin address ' || p_address_hash || ' ' || p_campaign_id::text,
      'spin device ' || p_device_hash || ' ' || p_campaign_id::text
    ],
    '{600,20}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  if v_campaign.presence is not null
    and not private.is_presence_pass(v_campaign.presence_key, p_presence, p_device_hash, now())
  then
    outcome := 'presence_missing';
    return;
  end if;

  -- The customer, whose row is locked: of two spins of one person the second waits, and then counts the first.
  if p_review_id is not null then
    select r.customer_id, r.customer_name, r.customer_email into v_customer_id, v_name, v_email
    from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.id = p_review_id and r.campaign_id = p_campaign_id;
    if v_customer_id is null then
      outcome := 'review_not_found';
      return;
    end if;
    perform 1 from public.customers c
    where c.org_id = v_campaign.org_id and c.id = v_customer_id for no key update;
  else
    -- A new customer is stored with this spin counted: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      v_name, p_email, p_phone, false, p_spins => 1, p_locale => p_locale);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- Play interval: one spin in that many calendar days of the store; without an interval, 30 an hour.
  if not v_is_new then
    if v_campaign.play_interval_days > 0 then
      select max(s.created_at at time zone v_campaign.timezone)::date into v_last_day
      from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id;
      if v_last_day + v_campaign.play_interval_days > v_today then
        outcome := 'already_played';
        retry_at := (v_last_day + v_campaign.play_interval_days)::timestamp at time zone v_campaign.timezone;
        return;
      end if;
    elsif (
      select count(*) from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id
        and s.created_at > now() - interval '1 hour'
    ) >= 30 then
      outcome := 'too_many_attempts';
      retry_at := now() + interval '1 hour';
      return;
    end if;
  end if;

  -- Does the plan leave a spin? Only a limited plan makes its customers take turns, at most its limit times a month.
  if v_campaign.monthly_spins >= 0 then
    perform 1 from public.subscriptions u where u.org_id = v_campaign.org_id for no key update;
    v_used := private.monthly_spins_used(v_campaign.org_id, v_today);
    if v_used >= v_campaign.monthly_spins then
      outcome := 'spins_used_up';
    end if;
  end if;

  -- Does the merchant's limit leave one to this device today? What the plan has refused does not count.
  if outcome is null and v_campaign.device_daily_limit is not null then
    -- In one row, so that spins at the same instant take turns, and for the store's own day.
    insert into private.rate_limits as l (key, window_start, shard, hits, expires_at)
    values ('spin day ' || p_device_hash || ' ' || p_campaign_id::text, v_today::timestamp at time zone v_campaign.timezone, 0, 1,
      (v_today + 2)::timestamp at time zone v_campaign.timezone)
    on conflict (key, window_start, shard) do update set hits = l.hits + 1
    returning l.hits into v_hits;
    if v_hits > v_campaign.device_daily_limit then
      outcome := 'too_many_attempts';
      retry_at := (v_today + 1)::timestamp at time zone v_campaign.timezone;
    end if;
  end if;

  -- The draw. A stock that somebody else emptied in the meantime only means drawing again without it.
  while outcome is null loop
    v_wheel := private.wheel(v_campaign.org_id, p_campaign_id, case when not v_is_new then v_customer_id end);
    v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable);
    if v_index is null or v_wheel.is_example then
      outcome := 'nothing_to_draw';
      exit;
    end if;
    exit when v_wheel.reward_ids[v_index] is null;

    select * into v_reward from public.rewards r
    where r.org_id = v_campaign.org_id and r.id = v_wheel.reward_ids[v_index];
    exit when v_reward.stock = -1;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is not null then
    -- Refused: nothing is stored, not even who asked.
    if v_is_new then
      delete from public.customers c where c.org_id = v_campaign.org_id and c.id = v_customer_id;
    end if;
    return;
  end if;

  v_spin_id := private.uuid_v7();
  v_nonce := gen_random_uuid();
  if v_reward.type in ('coupon', 'gift') then
    v_expires_at := private.day_end(
      v_today + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_campaign.timezone);
    loop
      insert into public.redemptions as d (
        org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        end_user_email, end_user_name, expires_at
      ) values (
        v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_reward.id, v_spin_id, v_customer_id,
        private.random_code(v_reward.code_template), v_reward.name, v_email, v_name, v_expires_at
      )
      on conflict (org_id, code_key) do nothing
      returning d.code into v_code;
      exit when v_code is not null;
    end loop;
  end if;
  body := json_build_object(
    'spin_id', v_spin_id,
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_reward.id is not null then
      json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type) end,
    'redemption_code', v_code,
    'expires_at', v_expires_at,
    'nonce', v_nonce
  )::text;

  insert into public.spins (
    id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
    end_user_email, end_user_name, result_type, nonce, rules_version, result
  ) values (
    v_spin_id, v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_customer_id, p_review_id,
    case when p_review_id is null then p_play_id end, v_wheel.segment_ids[v_index], v_reward.id,
    v_email, v_name, case when v_reward.id is null then 'lose' else 'reward' end,
    v_nonce, v_campaign.rules_version, body::json
  );
  -- Judged within a minute, by a job: nobody in a queue waits for it.
  insert into private.spin_origins (org_id, spin_id, campaign_id, customer_id, device_key, network_key)
  values (v_campaign.org_id, v_spin_id, p_campaign_id, v_customer_id, p_device_hash, p_address_hash);
  if v_reward.type = 'points' then
    insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points, expires_at)
    values (v_campaign.org_id, v_customer_id, v_spin_id, v_reward.id, (v_reward.metadata ->> 'points')::integer,
      private.day_end(v_today + (v_reward.metadata ->> 'validityDays')::integer, v_campaign.timezone));
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1,
      locale = coalesce(p_locale, c.locale)
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null,
    p_points_wins => coalesce(v_reward.type = 'points', false)::integer);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$function$;

CREATE OR REPLACE FUNCTION public.start_campaign(p_id uuid, p_store_id uuid, p_name text, p_slug text, p_active boolean, p_segments jsonb, p_source_id uuid DEFAULT NULL::uuid, p_stock integer DEFAULT NULL::integer, p_description text DEFAULT NULL::text, p_starts_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_ends_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_is_shared boolean DEFAULT false)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- A hosted project hands over a list, Supabase Lite a text that holds it.
  v_sent constant jsonb :=
    case jsonb_typeof(p_segments) when 'string' then (p_segments #>> '{}')::jsonb else p_segments end;
  v_base constant text := coalesce(nullif(left(private.slugify(private.clean_line(coalesce(p_slug, p_name))), 70), ''), 'campagne');
  v_slug text := trim(trailing '-' from v_base);
  v_number integer := 1;
  v_interval smallint := 1;
  v_org_id uuid;
  v_segments jsonb;
  v_constraint text;
begin
  select s.org_id into v_org_id from public.stores s
  where s.id = p_store_id and s.org_id = any (array(select private.my_org_ids('campaigns.write')))
    and s.org_id = any (array(select private.my_org_ids('rewards.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- A second try of the same start waits here for the first, and finds what it made.
  perform pg_advisory_xact_lock(hashtextextended('start campaign ' || v_org_id, 0));
  if exists (select 1 from public.campaigns c where c.id = p_id and c.org_id = v_org_id) then
    return jsonb_build_object('id', p_id);
  end if;

  if p_source_id is not null then
    select c.play_interval_days into v_interval from public.campaigns c
    where c.id = p_source_id and c.org_id = v_org_id;
    if not found then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    if p_is_shared then
      -- Before the plan is locked: whoever saves a campaign locks it first, then the plan.
      perform private.lock_sharing_campaigns(v_org_id, p_source_id, array(
        select r.id from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_source_id));
    end if;
  elsif jsonb_typeof(v_sent) is distinct from 'array' then
    raise exception 'wheel_malformed' using errcode = 'TV064';
  end if;
  select jsonb_agg(s.one || jsonb_build_object('id', null,
    'reward_id', case when jsonb_typeof(s.one -> 'prize') = 'object' then gen_random_uuid() end) order by s.n)
  into v_segments
  from jsonb_array_elements(case when p_source_id is null then v_sent end) with ordinality as s (one, n);
  if p_source_id is null and not exists (
    select 1 from private.read_segments(v_segments) s where s.reward_id is not null and s.weight > 0
  ) then
    raise exception 'wheel_without_prize' using errcode = 'TV068';
  end if;

  while exists (select 1 from public.campaigns c where c.org_id = v_org_id and c.slug = v_slug) loop
    v_number := v_number + 1;
    v_slug := trim(trailing '-' from v_base) || '-' || v_number;
  end loop;
  insert into public.campaigns
    (id, org_id, store_id, name, slug, active, description, starts_at, ends_at, play_interval_days)
  values (p_id, v_org_id, p_store_id, p_name, v_slug, p_active, nullif(private.clean_text(p_description), ''), p_starts_at,
    p_ends_at, v_interval);
  if p_source_id is not null then
    if p_is_shared then
      perform private.share_prizes(v_org_id, p_source_id, p_id);
    else
      perform private.copy_prizes(v_org_id, p_source_id, p_id, p_stock);
    end if;
    return jsonb_build_object('id', p_id);
  end if;
  insert into public.rewards (id, org_id, campaign_id, name, type, value, created_at, picture, translations)
  select (s.one ->> 'reward_id')::uuid, v_org_id, p_id, btrim(s.one ->> 'label'), s.one #>> '{prize,type}',
    (s.one #>> '{prize,cost_cents}')::integer / 100::numeric,
    -- They keep the order that they have on the wheel.
    now() + s.n * interval '1 microsecond', s.one #>> '{prize,picture}', coalesce(s.one #> '{prize,translations}', '{}')
  from jsonb_array_elements(v_segments) with ordinality as s (one, n)
  where s.one ->> 'reward_id' is not null;
  perform private.redraw_wheel(v_org_id, p_id, v_segments);
  return jsonb_build_object('id', p_id);
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'campaigns_pkey' then
      raise exception 'forbidden' using errcode = '42501';
    end if;
    raise;
end;
$function$;

CREATE TRIGGER adjust_texts BEFORE INSERT OR UPDATE OF name, description, translations ON public.campaigns FOR EACH ROW WHEN ((private.is_unclean(new.name) OR private.is_unclean(new.description) OR (new.translations <> '{}'::jsonb))) EXECUTE FUNCTION private.clean_texts('name', 'description', 'translations');

CREATE TRIGGER adjust_texts BEFORE INSERT OR UPDATE OF first_name, last_name, name, note ON public.customers FOR EACH ROW WHEN ((private.is_unclean(new.first_name) OR private.is_unclean(new.last_name) OR private.is_unclean(new.name) OR private.is_unclean(new.note))) EXECUTE FUNCTION private.clean_texts('first_name', 'last_name', 'name', 'note');

CREATE TRIGGER adjust_texts BEFORE INSERT OR UPDATE OF name ON public.organizations FOR EACH ROW WHEN (private.is_unclean(new.name)) EXECUTE FUNCTION private.clean_texts('name');

CREATE TRIGGER adjust_texts BEFORE INSERT OR UPDATE OF name, translations ON public.points_rewards FOR EACH ROW WHEN ((private.is_unclean(new.name) OR (new.translations <> '{}'::jsonb))) EXECUTE FUNCTION private.clean_texts('name', 'translations');

CREATE TRIGGER adjust_texts BEFORE INSERT OR UPDATE OF name, description, code_template, metadata, translations, item_translations ON public.rewards FOR EACH ROW WHEN ((private.is_unclean(new.name) OR private.is_unclean(new.description) OR private.is_unclean(new.code_template) OR (new.metadata ? 'item'::text) OR (new.translations <> '{}'::jsonb) OR (new.item_translations <> '{}'::jsonb))) EXECUTE FUNCTION private.clean_texts('name', 'description', 'code_template', 'metadata', 'translations', 'item_translations');

CREATE TRIGGER adjust_texts BEFORE INSERT OR UPDATE OF name, address ON public.stores FOR EACH ROW WHEN ((private.is_unclean(new.name) OR private.is_unclean(new.address))) EXECUTE FUNCTION private.clean_texts('name', 'address');

CREATE TRIGGER adjust_texts BEFORE INSERT OR UPDATE OF label, translations ON public.wheel_segments FOR EACH ROW WHEN ((private.is_unclean(new.label) OR (new.translations <> '{}'::jsonb))) EXECUTE FUNCTION private.clean_texts('label', 'translations');

COMMENT ON FUNCTION "private"."clean_line"(text) IS 'A text of one line as others may read it: line breaks are spaces, spaces single and none at its ends; without controls, signs of no width and those that reverse what follows; empty where nothing is to be seen. cleanLine of _shared/domain.';

COMMENT ON FUNCTION "private"."clean_text"(text) IS 'A text of many lines as others may read it: its lines stay; without controls, signs that reverse what follows, and blanks at its ends; empty where nothing is to be seen. Null for null.';

COMMENT ON FUNCTION "private"."clean_texts"() IS 'Cleans the texts of a row that its arguments name and those within its objects (clean_line; clean_text for a description or a note). Its triggers are named adjust_texts: they come before whatever else reads the row.';

COMMENT ON FUNCTION "private"."is_unclean"(text) IS 'Whether clean_line might change a text: true for some that it keeps. Planned as part of the condition that calls it.';

COMMENT ON FUNCTION "private"."without_piled_marks"(text) IS 'A text with four accents on a letter at most (UTS 39, 5.4): more of them cover the lines above and below.';

REVOKE ALL ON FUNCTION "private"."clean_line"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clean_text"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."clean_texts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_unclean"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_unclean"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."is_unclean"(text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."without_piled_marks"(text) FROM PUBLIC;

-- What is there: rows that change alone. A name in which nothing was to be seen becomes what the row is known by otherwise.
do $$
declare
  v_row record;
  v_name text;
  v_number integer;
begin
  create function pg_temp.cleaned(p_texts jsonb, p_most integer) returns jsonb
  language sql as $cleaned$
    select coalesce(jsonb_object_agg(t.key, left(c.line, p_most)) filter (where c.line <> ''), '{}')
    from jsonb_each_text(p_texts) t cross join lateral (select private.clean_line(t.value)) c (line);
  $cleaned$;

  update public.organizations o set name = coalesce(nullif(left(private.clean_line(o.name), 120), ''), o.slug)
  where private.is_unclean(o.name) and private.clean_line(o.name) <> o.name;
  update public.stores s set
    name = coalesce(nullif(left(private.clean_line(s.name), 120), ''), s.slug),
    address = coalesce(nullif(left(private.clean_line(s.address), 300), ''), s.slug)
  where (private.is_unclean(s.name) or private.is_unclean(s.address))
    and (private.clean_line(s.name), private.clean_line(s.address)) <> (s.name, s.address);
  -- Two campaigns whose names differed by what nobody sees.
  for v_row in
    select c.org_id, c.id, coalesce(nullif(left(private.clean_line(c.name), 120), ''), c.slug) as name
    from public.campaigns c
    where private.is_unclean(c.name) and private.clean_line(c.name) <> c.name order by c.id
  loop
    v_name := v_row.name;
    v_number := 1;
    while exists (
      select 1 from public.campaigns c
      where c.org_id = v_row.org_id and c.id <> v_row.id and lower(btrim(c.name)) = lower(v_name)
    ) loop
      v_number := v_number + 1;
      v_name := btrim(left(v_row.name, 110)) || ' (' || v_number || ')';
    end loop;
    update public.campaigns c set name = v_name where c.id = v_row.id;
  end loop;
  update public.campaigns c set
    description = nullif(left(private.clean_text(c.description), 2000), ''), translations = pg_temp.cleaned(c.translations, 120)
  where coalesce(private.clean_text(c.description), '') <> coalesce(c.description, '')
    or c.translations <> '{}' and pg_temp.cleaned(c.translations, 120) <> c.translations;
  update public.rewards r set
    name = coalesce(nullif(left(private.clean_line(r.name), 120), ''), nullif(private.clean_line(r.metadata ->> 'item'), ''), '?'),
    description = nullif(left(private.clean_text(r.description), 2000), ''),
    code_template = nullif(left(private.clean_line(r.code_template), 40), ''),
    metadata = case when private.clean_line(r.metadata ->> 'item') = '' then nullif(r.metadata - 'item', '{}')
      when r.metadata ? 'item' then jsonb_set(r.metadata, '{item}', to_jsonb(left(private.clean_line(r.metadata ->> 'item'), 200)))
      else r.metadata end,
    translations = pg_temp.cleaned(r.translations, 120), item_translations = pg_temp.cleaned(r.item_translations, 200)
  where private.clean_line(r.name) <> r.name
    or coalesce(private.clean_text(r.description), '') <> coalesce(r.description, '')
    or private.clean_line(r.code_template) <> r.code_template
    or private.clean_line(r.metadata ->> 'item') <> r.metadata ->> 'item'
    or r.translations <> '{}' and pg_temp.cleaned(r.translations, 120) <> r.translations
    or r.item_translations <> '{}' and pg_temp.cleaned(r.item_translations, 200) <> r.item_translations;
  update public.wheel_segments s set
    label = coalesce(nullif(left(private.clean_line(s.label), 60), ''),
      (select left(r.name, 60) from public.rewards r where r.org_id = s.org_id and r.id = s.reward_id),
      (select p.label from private.default_segments p where p.purpose = 'losing' limit 1), '?'),
    translations = pg_temp.cleaned(s.translations, 60)
  where private.clean_line(s.label) <> s.label
    or s.translations <> '{}' and pg_temp.cleaned(s.translations, 60) <> s.translations;
  update public.points_rewards p set
    name = coalesce(nullif(left(private.clean_line(p.name), 120), ''), '?'), translations = pg_temp.cleaned(p.translations, 120)
  where private.clean_line(p.name) <> p.name
    or p.translations <> '{}' and pg_temp.cleaned(p.translations, 120) <> p.translations;
  -- Hundreds of thousands: the cheap question first.
  update public.customers c set
    first_name = nullif(left(private.clean_line(c.first_name), 120), ''),
    last_name = nullif(left(private.clean_line(c.last_name), 120), ''),
    name = coalesce(nullif(left(private.clean_line(c.name), 250), ''), c.email, c.phone),
    note = nullif(left(private.clean_text(c.note), 20000), '')
  where (private.is_unclean(c.first_name) or private.is_unclean(c.last_name) or private.is_unclean(c.name) or private.is_unclean(c.note))
    and ((private.clean_line(c.first_name), private.clean_line(c.last_name), private.clean_line(c.name), private.clean_text(c.note))
      is distinct from (c.first_name, c.last_name, c.name, c.note));
  update public.roles r set name = left(private.clean_line(r.name), 40), description = left(private.clean_line(r.description), 200)
  where (private.clean_line(r.name), private.clean_line(r.description)) <> (r.name, r.description)
    and private.clean_line(r.name) <> '' and not exists (
      select 1 from public.roles o
      where o.org_id = r.org_id and o.role <> r.role
        and lower(private.clean_line(o.name)) = lower(left(private.clean_line(r.name), 40)));
  update private.api_keys k set name = left(private.clean_line(k.name), 80)
  where private.clean_line(k.name) not in (k.name, '');
  update public.answer_templates t set
    name = coalesce(nullif(left(private.clean_line(t.name), 60), ''), t.position::text),
    body = coalesce(nullif(left(private.clean_text(t.body), 2000), ''), '?')
  where (private.clean_line(t.name), private.clean_text(t.body)) <> (t.name, t.body);
  drop function pg_temp.cleaned(jsonb, integer);
end;
$$;
