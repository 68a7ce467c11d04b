-- Why: reviews and customers keep the language of the pages, lists are filtered by it, and mails know it.

set check_function_bodies = off;

ALTER TABLE "public"."customers" DROP CONSTRAINT "customers_locale_check";

DROP FUNCTION "private"."find_or_create_customer"(uuid, uuid, text, text, text, text, text, boolean, integer);

DROP FUNCTION "public"."record_review"(uuid, uuid, text, text, text, text, boolean, integer, text, text);

DROP FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text, text);

-- A column with a default is refused while functions with a parsed body take the table's rows (PostgreSQL 15.20): they are made again below.
DROP FUNCTION "private"."is_claimed"(public.pre_spin_reviews, uuid);

DROP FUNCTION "private"."is_in_inbox"(public.pre_spin_reviews, jsonb, uuid);

DROP FUNCTION "private"."review_state"(public.pre_spin_reviews);

ALTER TABLE "public"."pre_spin_reviews" ADD COLUMN "locale" text DEFAULT 'fr'::text;

CREATE FUNCTION private.is_claimed(r public.pre_spin_reviews, p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (((r).claimed_by IS DISTINCT FROM p_user_id) AND ((r).claimed_at > (now() - '00:05:00'::interval)));

CREATE FUNCTION private.review_state(r public.pre_spin_reviews)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN COALESCE((r).handling, CASE WHEN ((r).rating <= 3) THEN 'open'::text ELSE NULL::text END);

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id for update;
  perform 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id for update;
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_id for update;
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- What the team wrote to them and about them names them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when r.handling = 'open' or (r.handling is null and r.rating <= 3) then 'closed' else r.handling end, customer_name = null, customer_email = null, customer_phone = null, review_text = null,
    locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  perform private.forget_given_up(array[c.email, c.phone])
  from public.customers c where c.org_id = p_org_id and c.id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.find_or_create_customer(p_org_id uuid, p_store_id uuid, p_first_name text, p_last_name text, p_name text, p_email text, p_phone text, p_consent_marketing boolean, p_spins integer DEFAULT 0, p_locale text DEFAULT NULL::text, OUT customer_id uuid, OUT is_new boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_email text := private.normalize_email(p_email);
  v_phone text := private.normalize_phone(p_phone);
begin
  if not private.is_email(p_email) then
    raise exception 'email_invalid' using errcode = '23514', constraint = 'customers_email_is_address';
  end if;
  is_new := false;
  -- Two rounds: whoever loses the race for a new customer finds the winner's row in the second.
  for round in 1..2 loop
    if v_email is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.email_normalized = v_email
      for no key update;
    end if;
    if customer_id is null and v_phone is not null then
      select c.id into customer_id from public.customers c
      where c.org_id = p_org_id and c.phone_normalized = v_phone
      for no key update;
    end if;
    exit when customer_id is not null;

    insert into public.customers as c
      (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, last_activity_at, spin_count,
        locale)
    values (p_org_id, p_store_id, p_first_name, p_last_name, p_name, p_email, p_phone, p_consent_marketing, now(), p_spins,
      coalesce(p_locale, 'fr'))
    on conflict do nothing
    returning c.id into customer_id;
    if customer_id is not null then
      is_new := true;
      exit;
    end if;
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_in_inbox(r public.pre_spin_reviews, p_filters jsonb, p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((((p_filters ->> 'state'::text) IS NULL) OR (((p_filters ->> 'state'::text) = 'open'::text) AND (((r).handling = 'open'::text) OR (((r).handling IS NULL) AND ((r).rating <= 3)))) OR (((p_filters ->> 'state'::text) <> 'open'::text) AND ((r).handling IS NOT NULL) AND ((r).handling = (p_filters ->> 'state'::text)))) AND (((p_filters ->> 'rating'::text) IS NULL) OR ((r).rating = ((p_filters ->> 'rating'::text))::smallint)) AND (((p_filters ->> 'store_id'::text) IS NULL) OR ((r).store_id = ((p_filters ->> 'store_id'::text))::uuid)) AND (((p_filters ->> 'campaign_id'::text) IS NULL) OR ((r).campaign_id = ((p_filters ->> 'campaign_id'::text))::uuid)) AND (((p_filters ->> 'locale'::text) IS NULL) OR ((r).locale = (p_filters ->> 'locale'::text))) AND (((p_filters ->> 'with_text'::text) IS NULL) OR ((r).review_text IS NOT NULL)) AND (((p_filters ->> 'mine'::text) IS NULL) OR (((r).assigned_to IS NOT NULL) AND ((r).assigned_to = p_user_id))));

CREATE OR REPLACE FUNCTION private.is_language(p_locale text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (p_locale = ANY (ARRAY['fr'::text, 'en'::text, 'de'::text, 'es'::text, 'it'::text, 'nl'::text]));

CREATE OR REPLACE FUNCTION private.tell_winner(p_code public.redemptions, p_template text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_address text;
begin
  select coalesce(t.end_user_email, c.email) into v_address
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
  -- Whoever spins names the address, which could be anybody's: few mails a day reach it.
  if v_address is null or private.count_attempt(
    array['prize verdict to ' || encode(sha256(convert_to(private.normalize_email(v_address), 'UTF8')), 'hex')],
    '{5}', interval '1 day') is not null
  then
    return null;
  end if;
  return private.enqueue_mail(p_template, v_address, jsonb_build_object(
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label'),
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'facts', jsonb_build_object(
        -- What a merchant has named like an address of the web is left out of a mail that bears our name.
        'prize', case when p_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then p_code.reward_name end,
        'store', s.name))),
    now() + interval '1 day', now() + interval '10 minutes')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.write_gesture_mail(p_to text, p_body text, p_answers_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail('review_gesture', p_to, jsonb_build_object(
      'code', p_code.code,
      'locale', coalesce(u.locale, 'fr'),
      'until', jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone),
      'facts', jsonb_strip_nulls(jsonb_build_object('store', s.name, 'address', s.address, 'body', p_body,
        'reply_to', p_answers_to,
        -- What a merchant has named like an address of the web is left out, as in the mail of a prize.
        'prize', case when p_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then p_code.reward_name end))),
    now() + interval '2 days')
  from public.stores s
  left join public.customers u on u.org_id = p_code.org_id and u.id = p_code.customer_id
  where s.org_id = p_code.org_id and s.id = p_code.store_id;
$function$;

CREATE OR REPLACE FUNCTION private.write_prize_mail(p_template text, p_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail(p_template, p_to, jsonb_build_object(
      -- Behind the sign that no browser sends along: the nonce opens the prize.
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce,
      'code', p_code.code,
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label')
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'until', case when p_code.expires_at is not null then
        jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone) end,
      'facts', jsonb_build_object(
        -- What a merchant has named like an address of the web is left out of a mail that bears our name.
        'prize', case when p_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then p_code.reward_name end,
        'store', s.name,
        'address', s.address,
        'rules', '/c/' || g.slug || '/reglement?version=' || t.rules_version))),
    now() + interval '1 day')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$function$;

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
    v_message_id := private.enqueue_mail('review_answer', v_customer.email, jsonb_build_object('locale', v_customer.locale, 'facts', jsonb_build_object(
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

CREATE OR REPLACE FUNCTION public.customer_list(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_is_oldest constant boolean := coalesce(private.sort_key(p_sort, '{created_at}') = p_sort, false);
  v_page record;
  v_totals record;
  v_reviews bigint;
  v_rating_sum bigint;
begin
  perform 1 from private.my_reading_rights('{customers.read,activity.read}', 'customers.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{customers.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select * into v_page from private.customer_page(p_org_id, v_filters, p_after, p_before, v_is_oldest, 25);
  select * into v_totals from private.customer_totals_now(p_org_id);
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.rating_sum), 0) into v_reviews, v_rating_sum
  from private.campaign_figures_now(p_org_id) d;

  return jsonb_build_object(
    'totals', jsonb_build_object('customers', v_totals.customers, 'consents', v_totals.consents,
      'participants', v_totals.participants,
      'reviews', v_reviews, 'rating_sum', v_rating_sum),
    'matches', coalesce(v_page.matches, v_totals.customers),
    'has_more_matches', coalesce(v_page.has_more_matches, false),
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'email', c.email, 'phone', c.phone,
        'locale', c.locale, 'consent_marketing', c.consent_marketing, 'created_at', c.created_at, 'last_activity_at', c.last_activity_at,
        'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
        'redemption_count', c.redemption_count) order by shown.place * case when v_page.is_back then -1 else 1 end)
      from unnest(v_page.ids) with ordinality shown (id, place)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (select * from public.customers c where c.org_id = p_org_id and c.id = shown.id offset 0) c
    ), '[]'::jsonb));
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
  v_name text := btrim(concat_ws(' ', p_first_name, p_last_name));
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

CREATE OR REPLACE FUNCTION public.review_detail(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_customer public.customers;
  v_is_named boolean;
  v_answers_to text;
begin
  select r.* into v_review
  from private.review_id_of(array(select private.my_org_ids('reviews.read')), p_id) n
  join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id;
  if not found then
    return null;
  end if;
  v_is_named := private.may_name_customers(v_review.org_id);
  v_answers_to := private.answers_to(v_user_id, v_review.org_id);
  select * into v_customer from public.customers c
  where c.org_id = v_review.org_id and c.id = v_review.customer_id;
  return jsonb_build_object(
    'id', private.alias_of(v_review.id), 'version', v_review.handling_version, 'at', v_review.created_at,
    'rating', v_review.rating, 'text', case when v_is_named then v_review.review_text end,
    'name', case when v_is_named then coalesce(nullif(btrim(v_review.customer_name), ''), v_review.customer_email) end,
    'is_erased', v_review.customer_id is null,
    'went_public', v_review.public_click_at is not null, 'locale', v_review.locale,
    'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
    'campaign', (select jsonb_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = v_review.org_id and c.id = v_review.campaign_id),
    'state', private.review_state(v_review), 'is_seen', v_review.seen_at is not null,
    'assigned_to', v_review.assigned_to, 'assignee', private.user_name(v_review.assigned_to),
    'writer', case when private.is_claimed(v_review, v_user_id) then private.user_name(v_review.claimed_by) end,
    'colleagues', private.review_colleagues(v_review.org_id), 'my_id', v_user_id,
    'customer', case when v_is_named then private.review_customer(v_review.org_id, v_review.customer_id, v_review.id) end,
    'obstacle', private.answer_obstacle(v_customer, v_answers_to),
    'answers_to', v_answers_to,
    'templates', (select jsonb_agg(jsonb_build_object('name', t.name, 'body', t.body) order by t.position)
      from public.answer_templates t where t.org_id = v_review.org_id),
    'gesture', private.review_gesture(v_review),
    'actions', (
      select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'at', a.created_at, 'by', a.actor_name, 'kind', a.kind,
        'body', case when v_is_named then a.body end, 'assignee', a.assignee_name, 'delivery', a.delivery)
        order by a.id), '[]'::jsonb)
      from (
        select * from public.review_actions o
        where o.org_id = v_review.org_id and o.review_id = v_review.id order by o.id desc limit 100
      ) a));
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_inbox(p_org_id uuid, p_filters jsonb DEFAULT '{}'::jsonb, p_after uuid DEFAULT NULL::uuid, p_before uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_held text[];
  v_is_named boolean;
  v_page record;
begin
  select r.held into v_held from private.my_reading_rights('{reviews.read,customers.read}', 'reviews.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := 'customers.read' = any (v_held);
  select * into v_page from private.inbox_page(p_org_id, v_filters, p_after, p_before, v_user_id, v_is_named, 25);

  return jsonb_build_object(
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'campaigns', coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'is_erased', r.customer_id is null,
        'locale', r.locale, 'store', s.name, 'campaign', c.name, 'state', r.state, 'is_seen', r.seen_at is not null,
        'assignee', case when r.assigned_to is not null then private.user_name(r.assigned_to) end,
        'is_mine', coalesce(r.assigned_to = v_user_id, false),
        'writer', case when r.is_claimed then private.user_name(r.claimed_by) end)
        order by r.created_at desc, r.id desc)
      from unnest(v_page.ids) shown (id)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (
        select o.*, private.review_state(o) as state,
          o.claimed_by is not null and private.is_claimed(o, v_user_id) as is_claimed
        from public.pre_spin_reviews o where o.org_id = p_org_id and o.id = shown.id offset 0
      ) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    ), '[]'::jsonb));
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
  v_name text := p_name;
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
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

  -- The person, whose row is locked: two turns of one person take turns, and what follows counts what they did.
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
    -- Whoever is new is written down with this turn: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      p_name, p_email, p_phone, false, p_spins => 1, p_locale => p_locale);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- May this person play? One turn in so many calendar days of the store; without an interval, 30 an hour.
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
  if outcome is null and v_campaign.device_daily_limit is not null and private.count_attempt(
    array['spin day ' || v_today::text || ' ' || p_device_hash || ' ' || p_campaign_id::text],
    array[v_campaign.device_daily_limit::integer], interval '2 days') is not null
  then
    outcome := 'too_many_attempts';
    retry_at := (v_today + 1)::timestamp at time zone v_campaign.timezone;
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
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$function$;

CREATE INDEX customers_locale_idx ON public.customers USING btree (org_id, locale, created_at DESC, id DESC) INCLUDE (consent_marketing, rating_band, last_activity_day, store_id) WHERE (locale <> 'fr'::text);

CREATE INDEX pre_spin_reviews_org_locale_idx ON public.pre_spin_reviews USING btree (org_id, locale, created_at DESC) WHERE (locale <> 'fr'::text);

COMMENT ON COLUMN "public"."customers"."locale" IS 'Language of their last visit''s pages, in which mails are written to them; fr by default.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."locale" IS 'Language of the pages on which it was left, fr by default; null once the customer is erased.';

COMMENT ON FUNCTION "private"."find_or_create_customer"(uuid, uuid, text, text, text, text, text, boolean, integer, text) IS 'The customer whom an e-mail (first) or a phone names in an organisation, made when new, with p_spins spins and the language of the page. The names of a known customer stay: whoever types somebody''s address must not rename them. The row is locked until the end of the transaction, so that two calls of one person take turns. Error 23514 when the e-mail is no address.';

COMMENT ON FUNCTION "private"."is_claimed"(public.pre_spin_reviews, uuid) IS 'Whether somebody else is writing an answer to a review.';

COMMENT ON FUNCTION "private"."is_in_inbox"(public.pre_spin_reviews, jsonb, uuid) IS 'Whether a review passes the filters of the inbox (reviewFilters of _shared/domain), the search aside. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."review_state"(public.pre_spin_reviews) IS 'What becomes of a review: open (to be dealt with), answered, closed; null for one that asks for nothing. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."is_language"(text) IS 'Whether a text names a language of the phone pages: the same list as LANGUAGES of _shared/domain. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."matches_filters"(public.customers, jsonb) IS 'Whether a customer passes the filters of the list (customerFilters of _shared/domain): search, consent, rating (0 to 5), activity (days, or older: none for 90 days), store_id, locale. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."write_prize_mail"(text, text, public.redemptions) IS 'Writes a mail that shows a prize in the winner''s language: its code, its last day, the store with its address, the rules, and the merchant''s brand while the plan shows it. Answers the mail''s identifier.';

COMMENT ON FUNCTION "public"."record_review"(uuid, uuid, text, text, text, text, boolean, integer, text, text, text) IS 'Records a rating and its customer, once for a visit (specification, section 7.2). Outcomes: created, repeated (the same visit again), campaign_not_found, too_many_attempts (with the seconds to wait). p_locale is the language of the page: the review and the customer keep it; without one a known customer keeps theirs. Error 23514 when it is none of ours.';

COMMENT ON FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text, text, text) IS 'One spin for a review, or for a contact with a key of its own: exactly once a key. body is the spin result of the specification (section 3), the same bytes when repeated. Outcomes: spun, repeated, campaign_not_found, review_not_found, presence_missing (the campaign asks for a pass of prove_presence, p_presence), already_played and too_many_attempts (retry_at says when again), spins_used_up, nothing_to_draw. The customer keeps the language of the page (p_locale) where one is given. Refusals store nothing but the count of attempts.';

REVOKE ALL ON FUNCTION "private"."find_or_create_customer"(uuid, uuid, text, text, text, text, text, boolean, integer, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_language"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."is_language"(text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "private"."is_language"(text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."record_review"(uuid, uuid, text, text, text, text, boolean, integer, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."record_review"(uuid, uuid, text, text, text, text, boolean, integer, text, text, text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."spin_wheel"(uuid, uuid, uuid, text, text, text, text, text, text, text) TO "service_role";

CREATE OR REPLACE FUNCTION private.matches_filters(c public.customers, p_filters jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (((private.query_words((p_filters ->> 'search'::text)) IS NULL) OR ((c).search_words ~~ private.search_pattern((p_filters ->> 'search'::text)))) AND (((p_filters ->> 'consent'::text) IS NULL) OR ((c).consent_marketing = ((p_filters ->> 'consent'::text))::boolean)) AND (((p_filters ->> 'rating'::text) IS NULL) OR ((c).rating_band = ((p_filters ->> 'rating'::text))::smallint)) AND (((p_filters ->> 'store_id'::text) IS NULL) OR ((c).store_id = ((p_filters ->> 'store_id'::text))::uuid)) AND (((p_filters ->> 'locale'::text) IS NULL) OR ((c).locale = (p_filters ->> 'locale'::text))) AND CASE WHEN ((p_filters ->> 'activity'::text) IS NULL) THEN true WHEN ((p_filters ->> 'activity'::text) = 'older'::text) THEN (((c).last_activity_day IS NULL) OR ((c).last_activity_day < (((now() AT TIME ZONE 'UTC'::text))::date - 90))) ELSE ((c).last_activity_day > (((now() AT TIME ZONE 'UTC'::text))::date - ((p_filters ->> 'activity'::text))::integer)) END);

-- « en-GB » is English; another language than the six of the pages reads French, as before.
update public.customers c
set locale = case when private.is_language(left(c.locale, 2)) then left(c.locale, 2) else 'fr' end
where not private.is_language(c.locale);

-- Nobody's reviews have no language.
update public.pre_spin_reviews r set locale = null where r.customer_id is null;

ALTER TABLE "public"."customers" ADD CONSTRAINT "customers_locale_check" CHECK (private.is_language(locale));

ALTER TABLE "public"."pre_spin_reviews" ADD CONSTRAINT "pre_spin_reviews_locale_check" CHECK (private.is_language(locale));
