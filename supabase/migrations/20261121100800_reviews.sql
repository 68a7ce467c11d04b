-- Why: a review is recorded when the star is touched, by a phone that may lose its network at any moment.
-- The key that the page makes for the visit decides: whoever comes again finds the first review.

create function private.find_or_create_customer(
  p_org_id uuid, p_store_id uuid, p_first_name text, p_last_name text, p_name text,
  p_email text, p_phone text, p_consent_marketing boolean,
  out customer_id uuid, out is_new boolean
)
language plpgsql volatile
as $$
declare
  v_email text := private.normalize_email(p_email);
  v_phone text := private.normalize_phone(p_phone);
begin
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
      (org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, last_activity_at)
    values (p_org_id, p_store_id, p_first_name, p_last_name, p_name, p_email, p_phone, p_consent_marketing, now())
    on conflict do nothing
    returning c.id into customer_id;
    if customer_id is not null then
      is_new := true;
      exit;
    end if;
  end loop;
end;
$$;
comment on function private.find_or_create_customer(uuid, uuid, text, text, text, text, text, boolean) is
  'The customer whom an e-mail (first) or a phone names in an organisation, made when new. The names of a known '
  'customer stay: whoever types somebody''s address must not rename them. The row is locked until the end of the transaction, so that '
  'two calls of one person take turns.';

create function private.review_next(p_rating integer, p_review_mode text, p_google_review_url text) returns text
language sql immutable parallel safe
return case
  when p_rating <= 3 then 'feedback'
  when p_rating = 4 and p_google_review_url is not null and p_review_mode = 'gating' then 'google'
  else 'ready'
end;
comment on function private.review_next(integer, text, text) is
  'The step after a rating (specification, section 4.2): the same table as afterRating of _shared/domain.';

create function public.record_review(
  p_campaign_id uuid, p_visit_id uuid, p_first_name text, p_last_name text, p_email text, p_phone text,
  p_consent_marketing boolean, p_rating integer, p_source text, p_address_hash text,
  out outcome text, out review_id uuid, out next text, out google_review_url text, out retry_after integer
)
language plpgsql volatile security definer set search_path = ''
as $$
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

  retry_after := private.take(
    array['review address ' || p_address_hash || ' ' || p_campaign_id::text], '{600}', interval '1 hour');
  if retry_after is not null then
    outcome := 'too_many_attempts';
    return;
  end if;

  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  select f.customer_id into v_customer_id
  from private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, p_first_name, p_last_name,
    v_name, p_email, p_phone, p_consent_marketing) f;
  -- Consent is given by ticking the box and stays until it is withdrawn; a blank box takes nothing back.
  update public.customers c
  set last_activity_at = now(), consent_marketing = c.consent_marketing or p_consent_marketing
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
    rating, consent_marketing, source
  ) values (
    v_campaign.org_id, v_campaign.id, v_campaign.store_id, v_customer_id, p_visit_id, v_name, p_email, p_phone,
    p_rating, p_consent_marketing, p_source
  ) returning id into review_id;
  perform private.count_event(v_campaign.org_id, v_campaign.id, v_campaign.store_id,
    private.now_in(v_store.timezone)::date,
    p_reviews => 1, p_rating_sum => p_rating, p_five_star_reviews => (p_rating = 5)::integer);

  outcome := 'created';
  next := private.review_next(p_rating, v_store.review_mode, v_store.google_review_url);
  google_review_url := v_store.google_review_url;
end;
$$;
comment on function public.record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text) is
  'Records a rating and its customer, once for a visit (specification, section 7.2). Outcomes: created, repeated '
  '(the same visit again), campaign_not_found, too_many_attempts (with the seconds to wait).';
grant execute on function public.record_review(uuid, uuid, text, text, text, text, boolean, integer, text, text)
  to service_role;

create function public.record_feedback(p_review_id uuid, p_feedback text, out outcome text, out google_review_url text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_store_id uuid;
  v_text text;
begin
  update public.pre_spin_reviews r set review_text = p_feedback, feedback_at = now()
  where r.id = p_review_id and r.review_text is null
  returning r.org_id, r.store_id into v_org_id, v_store_id;
  if found then
    outcome := 'added';
  else
    select r.org_id, r.store_id, r.review_text into v_org_id, v_store_id, v_text
    from public.pre_spin_reviews r where r.id = p_review_id;
    outcome := case
      when not found then 'review_not_found'
      when v_text = p_feedback then 'repeated'
      else 'feedback_exists'
    end;
  end if;
  select s.google_review_url into google_review_url
  from public.stores s where s.org_id = v_org_id and s.id = v_store_id;
end;
$$;
comment on function public.record_feedback(uuid, text) is
  'Adds private feedback to a review, once. Outcomes: added, repeated (the same text again), feedback_exists '
  '(another text stands already), review_not_found.';
grant execute on function public.record_feedback(uuid, text) to service_role;

create function public.record_public_click(p_review_id uuid, p_campaign_id uuid) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_review public.pre_spin_reviews;
  v_timezone text;
begin
  update public.pre_spin_reviews r set public_click_at = now()
  where r.id = p_review_id and r.campaign_id = p_campaign_id and r.public_click_at is null
  returning * into v_review;
  if not found then
    return case when exists (
      select 1 from public.pre_spin_reviews r where r.id = p_review_id and r.campaign_id = p_campaign_id
    ) then 'repeated' else 'review_not_found' end;
  end if;
  select s.timezone into v_timezone from public.stores s
  where s.org_id = v_review.org_id and s.id = v_review.store_id;
  perform private.count_event(v_review.org_id, v_review.campaign_id, v_review.store_id,
    private.now_in(v_timezone)::date, p_public_clicks => 1);
  return 'counted';
end;
$$;
comment on function public.record_public_click(uuid, uuid) is
  'Counts that a visit opened the public reviews page, once. Answers counted, repeated or review_not_found.';
grant execute on function public.record_public_click(uuid, uuid) to service_role;
