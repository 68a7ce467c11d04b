-- Why: mails to and from a merchant bear their logo and colour, and days reach the renderer as moments that it words.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.alert_low_rating()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store text;
  v_reader record;
begin
  -- Nearly always nobody asked: one look into an index.
  if not exists (
    select 1 from public.notification_preferences n where n.org_id = new.org_id and n.low_ratings
  ) then
    return null;
  end if;
  -- A prankster must not be able to fill a merchant's mailbox.
  if private.count_attempt(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_token,
      private.proven_phone(u.id) as phone,
      -- Whoever may not see customers is led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id,
      private.role_may(m.role, 'customers.read') and private.role_may(m.role, 'reviews.read') as reads_inbox
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_mail('low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'brand', private.brand(new.org_id),
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'review', case when v_reader.reads_inbox then private.alias_of(new.id) end,
          'customer', case when not v_reader.reads_inbox then v_reader.customer_id end,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_token))),
        now() + interval '1 day', now() + interval '2 minutes');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone,
        jsonb_build_object('store', v_store, 'rating', new.rating), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_organization_end(p_org_id uuid, p_template text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_person record;
begin
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization, o.erase_at
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'organization.update'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_template, v_person.email, jsonb_build_object('name', v_person.name,
      'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', case when v_person.erase_at is null then '{}' else jsonb_build_object('day',
        jsonb_build_object('at', v_person.erase_at, 'timezone', private.timezone_of(p_org_id))) end),
      now() + interval '2 days');
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_plan_event(p_org_id uuid, p_kind text, p_about timestamp with time zone, p_day timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_person record;
begin
  -- Two who want to tell the same at once take turns on this row; the later finds it told.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return false;
  end if;
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', jsonb_build_object('day', jsonb_build_object('at', p_day, 'timezone', private.timezone_of(p_org_id)))),
      now() + interval '2 days');
  end loop;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.send_summaries(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_timezone text;
  v_until date;
  v_from date;
  v_figures record;
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.summary, n.next_summary_at, n.unsubscribe_token,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_summary_at <= now()
    order by n.next_summary_at limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The period ends with the day before the summary was due, however late this run comes.
    v_until := (v_due.next_summary_at at time zone v_timezone)::date;
    v_from := v_until - case v_due.summary when 'daily' then 1 else 7 end;
    update public.notification_preferences n
    set next_summary_at = private.next_summary(n.summary, v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;

    continue when v_due.address is null or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    into v_figures
    from private.day_figures_now(v_due.org_id, v_from, v_until) d;
    -- A day on which nothing happened is not worth a mail; a week is.
    continue when v_due.summary = 'daily'
      and v_figures.scans + v_figures.reviews + v_figures.spins + v_figures.redemptions = 0;

    perform private.enqueue_mail(v_due.summary || '_summary', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'scans', v_figures.scans::text, 'reviews', v_figures.reviews::text, 'spins', v_figures.spins::text,
        'wins', v_figures.wins::text, 'redemptions', v_figures.redemptions::text,
        'average', case when v_figures.reviews > 0 then
          replace(round(v_figures.rating_sum::numeric / v_figures.reviews, 1)::text, '.', ',') end,
        'token', v_due.unsubscribe_token)),
      'days', jsonb_build_object(
        'from', jsonb_build_object('at', v_from::timestamp at time zone v_timezone, 'timezone', v_timezone),
        'to', jsonb_build_object('at', (v_until - 1)::timestamp at time zone v_timezone, 'timezone', v_timezone))),
      now() + interval '1 day');
  end loop;
  return v_count;
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
      'brand', private.brand(p_code.org_id),
      'white_label', private.has_feature(p_code.org_id, 'white_label'),
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
    v_message_id := private.enqueue_mail('review_answer', v_customer.email, jsonb_build_object(
      'locale', v_customer.locale,
      'brand', private.brand(v_review.org_id),
      'white_label', private.has_feature(v_review.org_id, 'white_label'),
      'facts', jsonb_build_object(
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
