-- Why: a later page of a list that was emptied said that nothing was left, and a refused rating still gave its customer's consent.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.customer_page(p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_key text, p_is_up boolean, p_page_size integer, OUT ids uuid[], OUT is_back boolean, OUT has_previous boolean, OUT has_next boolean, OUT matches integer, OUT has_more_matches boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_is_search constant boolean := private.query_words(p_filters ->> 'search') is not null;
  v_most_counted constant integer := case when v_is_search then 100 else 1000 end;
  -- One more than is shown tells whether there is a next page.
  v_wanted constant integer := case when v_is_search then v_most_counted else p_page_size end + 1;
  v_at timestamptz;
  v_id uuid;
  v_has_more boolean;
begin
  if coalesce(p_before, p_after) is not null then
    select c.created_at, c.id into v_at, v_id from public.customers c
    where c.org_id = p_org_id and c.id = coalesce(p_before, p_after);
  end if;

  is_back := p_before is not null and v_at is not null;
  loop
    -- Read from where the page begins: up or down the same index.
    if p_key in ('name', 'activity') then
      ids := private.sorted_customers(p_org_id, p_filters, p_key, is_back <> p_is_up, case when v_at is not null then v_id end,
        case when v_at is null then v_wanted else p_page_size + 1 end);
    elsif is_back <> p_is_up then
      select array_agg(p.id order by p.created_at, p.id) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) > (v_at, v_id))
        order by c.created_at, c.id limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    else
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select c.created_at, c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters)
          and (v_at is null or (c.created_at, c.id) < (v_at, v_id))
        order by c.created_at desc, c.id desc limit case when v_at is null then v_wanted else p_page_size + 1 end
      ) p;
    end if;
    v_has_more := coalesce(array_length(ids, 1), 0) > p_page_size;
    exit when v_has_more or not is_back and (v_at is null or cardinality(ids) > 0);
    -- A page before which nothing stands is the first one, and shows all of it. So does one on which nobody stands any more.
    is_back := false;
    v_at := null;
  end loop;

  if p_filters <> '{}' then
    if v_at is null and (v_is_search or not v_has_more) then
      -- Matches that were found once are not looked for again.
      matches := coalesce(array_length(ids, 1), 0);
    else
      select count(*) into matches from (
        select 1 from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, p_filters) limit v_most_counted + 1
      ) counted;
    end if;
    has_more_matches := matches > v_most_counted;
    matches := least(matches, v_most_counted);
  end if;
  ids := ids[1:p_page_size];
  has_previous := case when is_back then v_has_more else v_at is not null end;
  has_next := is_back or v_has_more;
end;
$function$;

CREATE OR REPLACE FUNCTION private.inbox_page(p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_user_id uuid, p_is_named boolean, p_page_size integer, OUT ids uuid[], OUT has_previous boolean, OUT has_next boolean)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_is_search constant boolean := private.query_words(p_filters ->> 'search') is not null;
  v_is_back boolean := p_before is not null;
  v_at timestamptz;
  v_id uuid;
  v_has_more boolean;
begin
  if coalesce(p_before, p_after) is not null then
    select r.created_at, r.id into v_at, v_id
    from private.review_id_of(array[p_org_id], coalesce(p_before, p_after)) n
    join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id;
  end if;

  v_is_back := v_is_back and v_at is not null;
  loop
    -- One more than is shown tells whether the list goes on in that direction.
    if v_is_search then
      ids := case when p_is_named and not private.is_wordless(p_filters ->> 'search')
        then private.find_reviews(p_org_id, p_filters, p_user_id, v_at, v_id, v_is_back, p_page_size + 1) end;
    elsif v_is_back then
      select array_agg(p.id order by p.created_at, p.id) into ids from (
        select r.created_at, r.id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and r.created_at >= v_at and (r.created_at, r.id) > (v_at, v_id)
        order by r.created_at, r.id limit p_page_size + 1
      ) p;
    elsif v_at is null then
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select r.created_at, r.id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
        order by r.created_at desc, r.id desc limit p_page_size + 1
      ) p;
    else
      select array_agg(p.id order by p.created_at desc, p.id desc) into ids from (
        select r.created_at, r.id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and r.created_at <= v_at and (r.created_at, r.id) < (v_at, v_id)
        order by r.created_at desc, r.id desc limit p_page_size + 1
      ) p;
    end if;
    v_has_more := coalesce(array_length(ids, 1), 0) > p_page_size;
    exit when v_has_more or not v_is_back and (v_at is null or cardinality(ids) > 0);
    -- A page before which nothing stands is the first one, and shows all of it. So does one on which nothing stands any more.
    v_is_back := false;
    v_at := null;
  end loop;
  ids := ids[1:p_page_size];
  has_previous := case when v_is_back then v_has_more else v_at is not null end;
  has_next := v_is_back or v_has_more;
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

  -- A campaign in which nobody ever took part may be deleted at this instant.
  perform 1 from public.campaigns c where c.id = p_campaign_id for key share;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;
  select * into v_store from public.stores s where s.org_id = v_campaign.org_id and s.id = v_campaign.store_id;
  select f.customer_id into v_customer_id
  from private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, p_first_name, p_last_name,
    v_name, p_email, p_phone, p_consent_marketing, p_locale => p_locale) f;
  if (
    select count(*) from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.customer_id = v_customer_id
      and r.created_at > now() - interval '1 hour'
  ) >= 20 then
    outcome := 'too_many_attempts';
    retry_after := 3600;
    return;
  end if;

  -- Consent is given by ticking the box and stays until it is withdrawn; a blank box takes nothing back.
  update public.customers c
  set last_activity_at = now(), consent_marketing = c.consent_marketing or p_consent_marketing,
    locale = coalesce(p_locale, c.locale)
  where c.org_id = v_campaign.org_id and c.id = v_customer_id;

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
