-- Why: merchants read, answer and close reviews in an inbox of their own, and alerts carry the customer's words.

set check_function_bodies = off;

DROP INDEX "public"."pre_spin_reviews_org_store_idx";

DROP FUNCTION "private"."enqueue_mail"(text, text, jsonb, timestamp with time zone);

DROP FUNCTION "private"."enqueue_message"(text, text, text, jsonb, timestamp with time zone);

CREATE TABLE "public"."answer_templates" ("org_id" uuid NOT NULL, "position" smallint NOT NULL, "name" text NOT NULL, "body" text NOT NULL, CONSTRAINT "answer_templates_body_check" CHECK (((btrim(body) <> ''::text) AND (length(body) <= 2000))), CONSTRAINT "answer_templates_name_check" CHECK (((btrim(name) <> ''::text) AND (length(name) <= 60))), CONSTRAINT "answer_templates_pkey" PRIMARY KEY (org_id, "position"), CONSTRAINT "answer_templates_position_check" CHECK ((("position" >= 1) AND ("position" <= 3))));

ALTER TABLE "public"."answer_templates" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "public"."review_actions" ("org_id" uuid NOT NULL, "review_id" uuid NOT NULL, "user_id" uuid, "actor_name" text, "kind" text NOT NULL, "body" text, "assignee_name" text, "request_id" uuid, "message_id" uuid, "delivery" text, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "review_actions_actor_name_check" CHECK ((length(actor_name) <= 200)), CONSTRAINT "review_actions_assignee_name_check" CHECK ((length(assignee_name) <= 200)), CONSTRAINT "review_actions_body_check" CHECK (((btrim(body) <> ''::text) AND (length(body) <= 4000))), CONSTRAINT "review_actions_delivery_check" CHECK ((delivery = ANY (ARRAY['queued'::text, 'sent'::text, 'failed'::text]))), CONSTRAINT "review_actions_kind_check" CHECK ((kind = ANY (ARRAY['note'::text, 'answer'::text, 'answered'::text, 'closed'::text, 'reopened'::text, 'assigned'::text]))), "id" uuid NOT NULL DEFAULT private.uuid_v7(), CONSTRAINT "review_actions_pkey" PRIMARY KEY (org_id, id));

ALTER TABLE "public"."review_actions" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."pre_spin_reviews" ADD COLUMN "handling" text;

ALTER TABLE "public"."pre_spin_reviews" ADD COLUMN "handling_version" integer NOT NULL DEFAULT 0;

ALTER TABLE "public"."pre_spin_reviews" ADD COLUMN "assigned_to" uuid;

ALTER TABLE "public"."pre_spin_reviews" ADD COLUMN "claimed_by" uuid;

ALTER TABLE "public"."pre_spin_reviews" ADD COLUMN "claimed_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.add_owner(p_org_id uuid, p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_constraint text;
begin
  insert into public.organization_members (org_id, user_id, role) values (p_org_id, p_user_id, 'owner');
  -- A bad review that nobody hears of is lost: alerts and the weekly summary are on until somebody ends them.
  insert into public.notification_preferences (org_id, user_id, low_ratings, summary, next_summary_at)
  values (p_org_id, p_user_id, true, 'weekly', private.next_summary('weekly', private.timezone_of(p_org_id), now()));
exception
  when unique_violation then
    get stacked diagnostics v_constraint = constraint_name;
    if v_constraint = 'organization_members_user_id_key' then
      raise exception 'already_member' using errcode = 'TV020';
    end if;
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
  when others then
    raise exception 'member_failed' using errcode = 'TV021', detail = sqlstate;
end;
$function$;

CREATE OR REPLACE FUNCTION private.add_review_action(p_review public.pre_spin_reviews, p_kind text, p_verb text, p_body text DEFAULT NULL::text, p_request_id uuid DEFAULT NULL::uuid, p_message_id uuid DEFAULT NULL::uuid, p_assignee_name text DEFAULT NULL::text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  insert into public.review_actions (org_id, review_id, user_id, actor_name, kind, body, request_id, message_id, delivery,
    assignee_name)
  values (p_review.org_id, p_review.id, v_user_id, left(private.user_name(v_user_id), 200), p_kind, p_body, p_request_id,
    p_message_id, case when p_message_id is not null then 'queued' end, left(p_assignee_name, 200));
  perform private.audit(p_review.org_id, 'review.' || p_verb, 'review', private.alias_of(p_review.id),
    jsonb_build_object('name',
      (select s.name from public.stores s where s.org_id = p_review.org_id and s.id = p_review.store_id)));
end;
$function$;

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

CREATE OR REPLACE FUNCTION private.alert_words()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- One that is on its way already stays as it is.
  update private.outbox o
  set data = jsonb_set(o.data, '{facts,words}', to_jsonb(left(new.review_text, 1000))), next_attempt_at = now()
  where o.state = 'queued' and o.template = 'low_rating' and o.attempts = 0
    and o.data #>> '{facts,review}' = private.alias_of(new.id)::text;
  if found then
    perform pg_notify('tournavis_outbox', '');
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.alias_of(p_id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
  -- The time of a UUID of version 7, then bits of a hash, marked as such (version 8).
  select (left(p_id::text, 13) || '-8' || left(h.hash, 3) || '-8' || substr(h.hash, 4, 3) || '-' || substr(h.hash, 7, 12))::uuid
  from (select md5(p_id::text) as hash) h;
$function$;

CREATE OR REPLACE FUNCTION private.answer_obstacle(p_customer public.customers, p_answers_to text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN CASE WHEN ((p_customer).id IS NULL) THEN 'erased'::text WHEN ((p_customer).email IS NULL) THEN 'no_address'::text WHEN (p_answers_to IS NULL) THEN 'no_sender'::text ELSE NULL::text END;

CREATE OR REPLACE FUNCTION private.answers_to(p_user_id uuid, p_org_id uuid)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(
    (select u.email::text from auth.users u where u.id = p_user_id and u.email <> ''),
    (select u.email::text from public.organization_members m join auth.users u on u.id = m.user_id
     where m.org_id = p_org_id and m.role = 'owner' and u.email <> '' order by m.added_at, m.user_id limit 1));
$function$;

CREATE OR REPLACE FUNCTION private.enqueue_mail(p_template text, p_to text, p_data jsonb, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_not_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$ select private.enqueue_message('mail', p_template, p_to, p_data, p_expires_at, p_not_before); $function$;

CREATE OR REPLACE FUNCTION private.enqueue_message(p_channel text, p_template text, p_to text, p_data jsonb, p_expires_at timestamp with time zone, p_not_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_id uuid;
begin
  insert into private.outbox (channel, template, recipient, data, expires_at, next_attempt_at)
  values (p_channel, p_template, p_to, coalesce(p_data, '{}'), coalesce(p_expires_at, now() + interval '6 hours'),
    coalesce(p_not_before, now()))
  returning id into v_id;
  -- Heard when this transaction commits, and not at all when it does not.
  perform pg_notify('tournavis_outbox', '');
  return v_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id for update;
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
    handling = case when r.handling = 'open' or (r.handling is null and r.rating <= 3) then 'closed' else r.handling end, customer_name = null, customer_email = null, customer_phone = null, review_text = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.find_reviews(p_org_id uuid, p_search text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_most constant integer := 300;
  v_pattern constant text := private.search_pattern(p_search);
  v_filters constant jsonb := jsonb_build_object('search', p_search);
begin
  return array(
    (
      select r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null and private.review_words(r.review_text) like v_pattern
      order by r.created_at desc limit v_most
    )
    union
    (
      select r.id
      from (
        select c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
        order by c.created_at desc, c.id desc limit v_most
      ) c
      cross join lateral (
        select o.id from public.pre_spin_reviews o
        where o.org_id = p_org_id and o.customer_id = c.id order by o.created_at desc limit 20
      ) r
    ));
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_claimed(r public.pre_spin_reviews, p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (((r).claimed_by IS DISTINCT FROM p_user_id) AND ((r).claimed_at > (now() - '00:05:00'::interval)));

CREATE OR REPLACE FUNCTION private.is_in_inbox(r public.pre_spin_reviews, p_filters jsonb, p_user_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN ((((p_filters ->> 'state'::text) IS NULL) OR (((p_filters ->> 'state'::text) = 'open'::text) AND (((r).handling = 'open'::text) OR (((r).handling IS NULL) AND ((r).rating <= 3)))) OR (((p_filters ->> 'state'::text) <> 'open'::text) AND ((r).handling IS NOT NULL) AND ((r).handling = (p_filters ->> 'state'::text)))) AND (((p_filters ->> 'rating'::text) IS NULL) OR ((r).rating = ((p_filters ->> 'rating'::text))::smallint)) AND (((p_filters ->> 'store_id'::text) IS NULL) OR ((r).store_id = ((p_filters ->> 'store_id'::text))::uuid)) AND (((p_filters ->> 'campaign_id'::text) IS NULL) OR ((r).campaign_id = ((p_filters ->> 'campaign_id'::text))::uuid)) AND (((p_filters ->> 'with_text'::text) IS NULL) OR ((r).review_text IS NOT NULL)) AND (((p_filters ->> 'mine'::text) IS NULL) OR (((r).assigned_to IS NOT NULL) AND ((r).assigned_to = p_user_id))));

CREATE OR REPLACE FUNCTION private.lock_review(p_id uuid)
 RETURNS public.pre_spin_reviews
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_review public.pre_spin_reviews;
begin
  select r.* into v_review
  from private.review_id_of(array(select private.my_org_ids('reviews.write')), p_id) n
  join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id
  for no key update of r;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_review;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_delivery()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update public.review_actions a set delivery = case when new.state = 'failed' then 'failed' else 'sent' end
  where a.message_id = new.id;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.review_colleagues(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('id', m.user_id, 'name', private.user_name(m.user_id))
    order by private.user_name(m.user_id), m.user_id), '[]'::jsonb)
  from public.organization_members m
  where m.org_id = p_org_id and private.role_may(m.role, 'reviews.write');
$function$;

CREATE OR REPLACE FUNCTION private.review_conflict(p_review public.pre_spin_reviews)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('outcome', 'conflict', 'state', private.review_state(p_review), 'by', (
    select a.actor_name from public.review_actions a
    where a.org_id = p_review.org_id and a.review_id = p_review.id
      and a.kind in ('answer', 'answered', 'closed', 'reopened')
    order by a.id desc limit 1));
$function$;

CREATE OR REPLACE FUNCTION private.review_customer(p_org_id uuid, p_customer_id uuid, p_review_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object('id', c.id, 'name', c.name, 'first_name', c.first_name, 'email', c.email, 'phone', c.phone,
    'note', c.note, 'created_at', c.created_at,
    'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
    'redemption_count', c.redemption_count,
    'reviews', coalesce((
      select jsonb_agg(jsonb_build_object('id', private.alias_of(o.id), 'at', o.created_at, 'rating', o.rating,
        'text', o.review_text) order by o.created_at desc, o.id desc)
      from (
        select * from public.pre_spin_reviews v
        where v.org_id = p_org_id and v.customer_id = p_customer_id and v.id <> p_review_id
        order by v.created_at desc, v.id desc limit 5
      ) o), '[]'::jsonb))
  from public.customers c where c.org_id = p_org_id and c.id = p_customer_id;
$function$;

CREATE OR REPLACE FUNCTION private.review_id_of(p_org_ids uuid[], p_id uuid, OUT org_id uuid, OUT id uuid)
 RETURNS record
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  select r.org_id, r.id into org_id, id from public.pre_spin_reviews r
  where r.org_id = any (p_org_ids) and r.id = p_id;
  if not found then
    select r.org_id, r.id into org_id, id from public.pre_spin_reviews r
    where r.org_id = any (p_org_ids)
      and r.id between (left(p_id::text, 13) || '-0000-0000-000000000000')::uuid
        and (left(p_id::text, 13) || '-ffff-ffff-ffffffffffff')::uuid
      and private.alias_of(r.id) = p_id;
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.review_state(r public.pre_spin_reviews)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN COALESCE((r).handling, CASE WHEN ((r).rating <= 3) THEN 'open'::text ELSE NULL::text END);

CREATE OR REPLACE FUNCTION private.review_words(p_text text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
AS $function$
begin
  return '-' || private.words(p_text);
end;
$function$;

CREATE OR REPLACE FUNCTION public.answer_review(p_id uuid, p_version integer, p_body text, p_request_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews := private.lock_review(p_id);
  v_customer public.customers;
  v_answers_to text;
  v_obstacle text;
  v_message_id uuid;
begin
  if not private.may_name_customers(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_body is null then
    raise exception 'no_text' using errcode = '23502';
  elsif exists (
    select 1 from public.review_actions a
    where a.org_id = v_review.org_id and a.review_id = v_review.id and a.request_id = p_request_id
  ) then
    return jsonb_build_object('outcome', 'saved');
  elsif v_review.handling_version is distinct from p_version then
    return private.review_conflict(v_review);
  elsif private.is_claimed(v_review, v_user_id) then
    return jsonb_build_object('outcome', 'claimed', 'by', private.user_name(v_review.claimed_by));
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
  v_message_id := private.enqueue_mail('review_answer', v_customer.email, jsonb_build_object('facts', jsonb_build_object(
    'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
    'body', btrim(p_body), 'reply_to', v_answers_to)), now() + interval '2 days');
  perform private.add_review_action(v_review, 'answer', 'answered', btrim(p_body), p_request_id, v_message_id);
  update public.pre_spin_reviews r
  set handling = 'answered', handling_version = r.handling_version + 1, seen_at = coalesce(r.seen_at, now()),
    claimed_by = null, claimed_at = null
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$function$;

CREATE OR REPLACE FUNCTION public.assign_review(p_id uuid, p_colleague_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_review public.pre_spin_reviews := private.lock_review(p_id);
begin
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

CREATE OR REPLACE FUNCTION public.claim_review(p_id uuid, p_hold text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews := private.lock_review(p_id);
begin
  if p_hold = 'release' then
    update public.pre_spin_reviews r set claimed_by = null, claimed_at = null
    where r.org_id = v_review.org_id and r.id = v_review.id and r.claimed_by = v_user_id;
    return jsonb_build_object('outcome', 'released');
  elsif p_hold is distinct from 'force' and private.is_claimed(v_review, v_user_id) then
    return jsonb_build_object('outcome', 'claimed', 'by', private.user_name(v_review.claimed_by));
  end if;
  update public.pre_spin_reviews r set claimed_by = v_user_id, claimed_at = now()
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'held');
end;
$function$;

CREATE OR REPLACE FUNCTION public.mark_review_seen(p_review_id uuid, p_is_seen boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_named record;
  v_store text;
begin
  select * into v_named from private.review_id_of(array(select private.my_org_ids('customers.write')), p_review_id);
  if v_named.id is null or p_is_seen is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- Whoever of two colleagues comes second changes nothing.
  update public.pre_spin_reviews r
  set seen_at = case when p_is_seen then now() end
  where r.org_id = v_named.org_id and r.id = v_named.id and (r.seen_at is not null) <> p_is_seen
  returning (select s.name from public.stores s where s.org_id = r.org_id and s.id = r.store_id) into v_store;
  if found then
    perform private.audit(v_named.org_id, case when p_is_seen then 'review.seen' else 'review.unseen' end, 'review',
      private.alias_of(v_named.id), jsonb_build_object('name', v_store));
  end if;
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
  elsif exists (
    select 1 from public.review_actions a
    where a.org_id = v_review.org_id and a.review_id = v_review.id and a.request_id = p_request_id
  ) then
    return;
  end if;
  perform private.add_review_action(v_review, 'note', 'noted', btrim(p_body), p_request_id);
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
    'went_public', v_review.public_click_at is not null,
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
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  v_user_id constant uuid := (select private.my_user_id());
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_is_search constant boolean := private.query_words(v_filters ->> 'search') is not null;
  v_is_back boolean := p_before is not null;
  v_is_named boolean;
  v_found uuid[];
  v_at timestamptz;
  v_id uuid;
  v_ids uuid[];
  v_has_more boolean;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('reviews.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := private.may_name_customers(p_org_id);
  if v_is_search then
    v_found := case when v_is_named then private.find_reviews(p_org_id, v_filters ->> 'search') else '{}' end;
  end if;
  select r.created_at, r.id into v_at, v_id
  from private.review_id_of(array[p_org_id], coalesce(p_before, p_after)) n
  join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id;

  -- One more than is shown tells whether the list goes on in that direction.
  if v_is_back and v_at is not null then
    select array_agg(p.id order by p.created_at, p.id) into v_ids from (
      select r.created_at, r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, v_filters, v_user_id)
        and (v_found is null or r.id = any (v_found))
        and r.created_at >= v_at and (r.created_at, r.id) > (v_at, v_id)
      order by r.created_at, r.id limit v_page_size + 1
    ) p;
    v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;
  end if;
  -- A page before which nothing stands is the first one, and shows all of it.
  if v_at is null or (v_is_back and not v_has_more) then
    v_is_back := false;
    v_at := null;
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select r.created_at, r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, v_filters, v_user_id)
        and (v_found is null or r.id = any (v_found))
      order by r.created_at desc, r.id desc limit v_page_size + 1
    ) p;
  elsif not v_is_back then
    select array_agg(p.id order by p.created_at desc, p.id desc) into v_ids from (
      select r.created_at, r.id from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, v_filters, v_user_id)
        and (v_found is null or r.id = any (v_found))
        and r.created_at <= v_at and (r.created_at, r.id) < (v_at, v_id)
      order by r.created_at desc, r.id desc limit v_page_size + 1
    ) p;
  end if;
  v_has_more := coalesce(array_length(v_ids, 1), 0) > v_page_size;

  return jsonb_build_object(
    'has_previous', case when v_is_back then v_has_more else v_at is not null end,
    'has_next', v_is_back or v_has_more,
    'stores', coalesce((select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::jsonb),
    'campaigns', coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::jsonb),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'is_erased', r.customer_id is null,
        'store', s.name, 'campaign', c.name, 'state', private.review_state(r), 'is_seen', r.seen_at is not null,
        'assignee', private.user_name(r.assigned_to), 'is_mine', coalesce(r.assigned_to = v_user_id, false),
        'writer', case when private.is_claimed(r, v_user_id) then private.user_name(r.claimed_by) end)
        order by r.created_at desc, r.id desc)
      from public.pre_spin_reviews r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
      where r.org_id = p_org_id and r.id = any (v_ids[1:v_page_size])
    ), '[]'::jsonb));
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
  select p_org_id, t.position, btrim(t.template ->> 'name'), btrim(t.template ->> 'body')
  from jsonb_array_elements(v_templates) with ordinality as t (template, position);
  perform private.audit(p_org_id, 'templates.updated', 'organization', p_org_id);
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
  if v_review.handling_version is distinct from p_version then
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

CREATE OR REPLACE FUNCTION private.unread_reviews(p_org_id uuid)
 RETURNS integer
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select count(*)::integer from (
    select 1 from public.pre_spin_reviews r
    where r.org_id = p_org_id and r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '30 days'
    order by r.created_at desc limit 100
  ) unread;
$function$;

CREATE OR REPLACE FUNCTION public.my_workspace()
 RETURNS jsonb
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug, 'erase_at', o.erase_at),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s
           where s.org_id = o.id and s.archived_at is null
             and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
          '[]'::jsonb),
        'has_archived_store', exists (
          select 1 from public.stores s
          where s.org_id = o.id and s.archived_at is not null
            and s.id = coalesce(private.bound_store(m.role, m.store_id), s.id)),
        'has_campaign', exists (select 1 from public.campaigns c where c.org_id = o.id),
        'unread_reviews', case when private.role_may(m.role, 'reviews.read') then private.unread_reviews(o.id) else 0 end,
        'plan', (
          select jsonb_build_object('plan', s.plan, 'status', s.status, 'trial_end', s.trial_end,
            'current_period_end', s.current_period_end, 'past_due_since', s.past_due_since,
            'is_open', private.is_plan_open(s), 'readable_until', private.readable_until(s))
          from public.subscriptions s where s.org_id = o.id)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select private.my_user_id())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": [], "has_archived_store": false,
      "has_campaign": false, "unread_reviews": 0, "plan": null}'::jsonb
  );
$function$;

ALTER TABLE "public"."answer_templates" ADD CONSTRAINT "answer_templates_org_id_fkey" FOREIGN KEY (org_id) REFERENCES public.organizations(id) ON DELETE CASCADE;

ALTER TABLE "public"."pre_spin_reviews" ADD CONSTRAINT "pre_spin_reviews_handling_check" CHECK ((handling = ANY (ARRAY['open'::text, 'answered'::text, 'closed'::text])));

ALTER TABLE "public"."review_actions" ADD CONSTRAINT "review_actions_org_id_review_id_fkey" FOREIGN KEY (org_id, review_id) REFERENCES public.pre_spin_reviews(org_id, id) ON DELETE CASCADE;

CREATE INDEX outbox_alert_idx ON private.outbox USING btree (((data #>> '{facts,review}'::text[]))) WHERE ((state = 'queued'::text) AND (template = 'low_rating'::text));

CREATE INDEX pre_spin_reviews_org_assigned_idx ON public.pre_spin_reviews USING btree (org_id, assigned_to, created_at DESC) WHERE (assigned_to IS NOT NULL);

CREATE INDEX pre_spin_reviews_org_handled_idx ON public.pre_spin_reviews USING btree (org_id, handling, created_at DESC) WHERE (handling IS NOT NULL);

CREATE INDEX pre_spin_reviews_org_open_idx ON public.pre_spin_reviews USING btree (org_id, created_at DESC) WHERE ((handling = 'open'::text) OR ((handling IS NULL) AND (rating <= 3)));

CREATE INDEX pre_spin_reviews_org_rating_idx ON public.pre_spin_reviews USING btree (org_id, rating, created_at DESC);

CREATE INDEX pre_spin_reviews_org_store_idx ON public.pre_spin_reviews USING btree (org_id, store_id, created_at DESC);

CREATE INDEX pre_spin_reviews_org_text_idx ON public.pre_spin_reviews USING btree (org_id, created_at DESC) WHERE (review_text IS NOT NULL);

CREATE INDEX review_actions_message_idx ON public.review_actions USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE UNIQUE INDEX review_actions_request_idx ON public.review_actions USING btree (org_id, review_id, request_id) WHERE (request_id IS NOT NULL);

CREATE TRIGGER note_delivery AFTER UPDATE OF state ON private.outbox FOR EACH ROW WHEN (((new.template = 'review_answer'::text) AND (new.state <> 'queued'::text))) EXECUTE FUNCTION private.note_delivery();

CREATE TRIGGER alert_words AFTER UPDATE OF review_text ON public.pre_spin_reviews FOR EACH ROW WHEN (((old.review_text IS NULL) AND (new.review_text IS NOT NULL) AND (new.rating <= 3))) EXECUTE FUNCTION private.alert_words();

COMMENT ON COLUMN "public"."answer_templates"."body" IS 'Text, up to 2000 characters; {prénom} and {magasin} stand for the customer''s first name and the store.';

COMMENT ON COLUMN "public"."answer_templates"."name" IS 'What it is chosen by, up to 60 characters.';

COMMENT ON COLUMN "public"."answer_templates"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "public"."answer_templates"."position" IS 'Place, 1 to 3.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."assigned_to" IS 'Member who takes care of it; null for nobody.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."claimed_at" IS 'When that member last wrote on it: five minutes later a colleague may.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."claimed_by" IS 'Member who is writing an answer to it; null for nobody.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."handling" IS 'What became of it in the inbox: open (to be dealt with), answered or closed; null while nobody has decided: then it is to be dealt with when it has 3 stars or fewer.';

COMMENT ON COLUMN "public"."pre_spin_reviews"."handling_version" IS 'Rises with every answer and every change of what became of it: whoever acts on an older one is told, and changes nothing.';

COMMENT ON COLUMN "public"."review_actions"."actor_name" IS 'Their name at the time.';

COMMENT ON COLUMN "public"."review_actions"."assignee_name" IS 'Who takes care of it, by their name at the time; null for nobody.';

COMMENT ON COLUMN "public"."review_actions"."body" IS 'Words of a note or an answer, up to 4000 characters; null otherwise, and once the customer is erased.';

COMMENT ON COLUMN "public"."review_actions"."created_at" IS 'When.';

COMMENT ON COLUMN "public"."review_actions"."delivery" IS 'How an answer fares: queued, sent (taken by the mail server) or failed (given up); null without a mail.';

COMMENT ON COLUMN "public"."review_actions"."kind" IS 'note, answer (by e-mail), answered (elsewhere, as on the phone), closed, reopened or assigned.';

COMMENT ON COLUMN "public"."review_actions"."message_id" IS 'Mail that carries an answer (private.outbox), while that is kept.';

COMMENT ON COLUMN "public"."review_actions"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "public"."review_actions"."request_id" IS 'Made by the screen: a repeat finds what it has done.';

COMMENT ON COLUMN "public"."review_actions"."review_id" IS 'Review.';

COMMENT ON COLUMN "public"."review_actions"."user_id" IS 'Who did it. Not a reference: whoever leaves keeps what they did.';

COMMENT ON FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, text) IS 'Writes down what the signed-in member did with a review, in its history and in the audit trail, which names the store alone.';

COMMENT ON FUNCTION "private"."alert_low_rating"() IS 'Writes to those who asked to be told of a review of 3 stars or fewer, and who may read reviews: at most 30 alerts an hour for one organisation. Mails wait two minutes for the words (private.alert_words).';

COMMENT ON FUNCTION "private"."alert_words"() IS 'Gives the alert about a review the words that its customer has just written, for whoever reads them in the inbox, and sends it at once.';

COMMENT ON FUNCTION "private"."alias_of"(uuid) IS 'Tells one review from another in a list, always the same, and opens nothing: nobody finds the identifier that it was made of. It begins with the same millisecond, so that a review is found by its alias in the index of identifiers.';

COMMENT ON FUNCTION "private"."answer_obstacle"(public.customers, text) IS 'Why a customer cannot be written to: erased, no_address (a phone number alone), no_sender (nobody whom an answer would reach); null when they can.';

COMMENT ON FUNCTION "private"."answers_to"(uuid, uuid) IS 'Where a customer''s answer to a member goes: the member''s address, else the longest-standing owner''s; null without either.';

COMMENT ON FUNCTION "private"."enqueue_mail"(text, text, jsonb, timestamp with time zone, timestamp with time zone) IS 'Writes a mail down for sending: template, address, what the text mentions, until when it is worth sending (six hours by default), and from when on (at once). Call it in the transaction that the mail speaks of. Answers its identifier.';

COMMENT ON FUNCTION "private"."enqueue_message"(text, text, text, jsonb, timestamp with time zone, timestamp with time zone) IS 'Writes a message down for sending, at once or not before a moment, and wakes the workers once the transaction commits.';

COMMENT ON FUNCTION "private"."erase_customer_data"(uuid, uuid) IS 'Forgets a person: the customer, their note, points and what was written to them or about their reviews go; their visits, spins and codes stay as nobody''s, without name, contact and words, so that the figures hold. False when somebody was faster. Asks no permission: for erase_customer and for the job.';

COMMENT ON FUNCTION "private"."find_reviews"(uuid, text) IS 'Reviews whose words, or whose customer, a search finds: the newest 300 by their words, and the newest 20 of each of the newest 300 customers.';

COMMENT ON FUNCTION "private"."is_claimed"(public.pre_spin_reviews, uuid) IS 'Whether somebody else is writing an answer to a review.';

COMMENT ON FUNCTION "private"."is_in_inbox"(public.pre_spin_reviews, jsonb, uuid) IS 'Whether a review passes the filters of the inbox (reviewFilters of _shared/domain), the search aside. Planned as part of the query that calls it.';

COMMENT ON FUNCTION "private"."lock_review"(uuid) IS 'The review that an alias or an identifier names, for whoever takes care of reviews, until the transaction ends. Error 42501 without the permission reviews.write there.';

COMMENT ON FUNCTION "private"."note_delivery"() IS 'Writes down with an answer whether its mail was sent or given up.';

COMMENT ON FUNCTION "private"."review_colleagues"(uuid) IS 'Members who may take care of reviews.';

COMMENT ON FUNCTION "private"."review_conflict"(public.pre_spin_reviews) IS 'What whoever acts on an older version is told: what became of the review meanwhile, and through whom.';

COMMENT ON FUNCTION "private"."review_customer"(uuid, uuid, uuid) IS 'Who wrote a review, with how to reach them and their last 5 other reviews; null once they are erased.';

COMMENT ON FUNCTION "private"."review_id_of"(uuid[], uuid) IS 'The review of one of these organisations that an identifier or an alias names; nulls when there is none.';

COMMENT ON FUNCTION "private"."review_state"(public.pre_spin_reviews) IS 'What becomes of a review: open (to be dealt with), answered, closed; null for one that asks for nothing.';

COMMENT ON FUNCTION "private"."review_words"(text) IS 'Where a review is looked for: its text without case and accents, each word after a hyphen.';

COMMENT ON FUNCTION "public"."answer_review"(uuid, integer, text, uuid) IS 'Answers a review by e-mail, once for a request, in the store''s name; the customer''s own answer goes to the member. Outcomes: saved (also when the request is repeated), conflict (somebody dealt with it meanwhile: who, and what became of it), claimed (a colleague is writing), erased, no_address or no_sender (private.answer_obstacle), too_many (200 within the hour). Refusals send nothing. Errors: 42501 without the permissions reviews.write and customers.read there, 23514 or 23502 no text, or more than 4000 characters.';

COMMENT ON FUNCTION "public"."assign_review"(uuid, uuid) IS 'Gives a review to a member who may take care of it, or to nobody (null). Error 42501 without the permission reviews.write there, on either side.';

COMMENT ON FUNCTION "public"."claim_review"(uuid, text) IS 'Says that the signed-in member is writing an answer to a review (take; force takes it from a colleague; release gives it back): for five minutes, renewed by asking again. Outcomes: held, released, claimed (a colleague is writing, with their name). Error 42501 without the permission reviews.write there.';

COMMENT ON FUNCTION "public"."note_review"(uuid, text, uuid) IS 'Adds a note of the team to a review, once for a request. Errors: 42501 without the permissions reviews.write and customers.read there, TV180 the customer was erased, 23514 or 23502 no text, or more than 4000 characters.';

COMMENT ON FUNCTION "public"."review_detail"(uuid) IS 'Everything that the inbox shows of one review, named by its alias or its identifier, in one request; the shape is reviewDetail of _shared/domain. Words, names and contacts are null without the permission customers.read. Null when the signed-in user''s organisation has no such review, or without the permission reviews.read.';

COMMENT ON FUNCTION "public"."review_inbox"(uuid, jsonb, uuid, uuid) IS 'A page of an organisation''s reviews, newest first, that pass the filters (private.is_in_inbox) and the search (private.find_reviews): the one after a review, or before one; the shape is reviewInbox of _shared/domain. Words and names are null, and a search finds nothing, without the permission customers.read. Error 42501 without the permission reviews.read there.';

COMMENT ON FUNCTION "public"."save_answer_templates"(uuid, jsonb) IS 'Keeps the texts that answers begin with ([{name, body}], up to three); null goes back to the given ones. Errors: 42501 without the permission reviews.write there, 23514 or 23502 something is missing, too long or too many.';

COMMENT ON FUNCTION "public"."set_review_state"(uuid, integer, text) IS 'Says what became of a review: answered (elsewhere, as on the phone), closed, open (to be dealt with again), or none (as if nobody had decided). Outcomes: saved, conflict (somebody dealt with it meanwhile). Errors: 42501 without the permission reviews.write there, 23514 another word.';

COMMENT ON FUNCTION "private"."unread_reviews"(uuid) IS 'Reviews of 3 stars or fewer within 30 days that nobody marked as seen, answered or closed, counted up to 100.';

COMMENT ON FUNCTION "public"."my_workspace"() IS 'Organisation, role, permissions, stores, plan and progress of the signed-in user, and how many bad reviews they have to read: what every screen starts from. A cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

COMMENT ON TABLE "public"."answer_templates" IS 'The three texts that answers begin with, where an organisation has worded its own. Read through review_detail.';

COMMENT ON TABLE "public"."review_actions" IS 'What the team did with a review: notes, answers, what became of it and who takes care of it. Read through review_detail.';

REVOKE ALL ON FUNCTION "private"."add_review_action"(public.pre_spin_reviews, text, text, text, uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."alert_words"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answer_obstacle"(public.customers, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."answers_to"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."enqueue_mail"(text, text, jsonb, timestamp with time zone, timestamp with time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."enqueue_mail"(text, text, jsonb, timestamp with time zone, timestamp with time zone) TO "service_role";

REVOKE ALL ON FUNCTION "private"."enqueue_message"(text, text, text, jsonb, timestamp with time zone, timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."find_reviews"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_claimed"(public.pre_spin_reviews, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_in_inbox"(public.pre_spin_reviews, jsonb, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."lock_review"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_delivery"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_colleagues"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_conflict"(public.pre_spin_reviews) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_customer"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_id_of"(uuid[], uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_state"(public.pre_spin_reviews) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_words"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."review_words"(text) TO "service_role";

REVOKE ALL ON FUNCTION "public"."answer_review"(uuid, integer, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."answer_review"(uuid, integer, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."assign_review"(uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."assign_review"(uuid, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."claim_review"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."claim_review"(uuid, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."note_review"(uuid, text, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."note_review"(uuid, text, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."review_detail"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."review_detail"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."review_inbox"(uuid, jsonb, uuid, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."review_inbox"(uuid, jsonb, uuid, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."save_answer_templates"(uuid, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."save_answer_templates"(uuid, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."set_review_state"(uuid, integer, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."set_review_state"(uuid, integer, text) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."unread_reviews"(uuid) FROM PUBLIC;

GRANT ALL ON TABLE "public"."answer_templates" TO "service_role";

GRANT ALL ON TABLE "public"."review_actions" TO "service_role";

CREATE INDEX review_actions_review_idx ON public.review_actions USING btree (org_id, review_id, id);

COMMENT ON COLUMN "public"."review_actions"."id" IS 'Identifier, ordered by time.';

CREATE INDEX pre_spin_reviews_words_idx ON public.pre_spin_reviews USING gin (org_id, private.review_words(review_text) extensions.gin_trgm_ops) WITH (gin_pending_list_limit='512') WHERE (review_text IS NOT NULL);

-- Who may do what in the inbox. Roles that organisations made read in it what they read so far on a customer's page; to answer
-- in the shop's name is for their owner to give.
insert into public.role_permissions (role, permission)
select r.role, p.permission
from unnest(array['owner', 'admin', 'member']) as r (role), unnest(array['reviews.read', 'reviews.write']) as p (permission);

insert into public.role_permissions (role, permission, org_id)
select c.role, 'reviews.read', c.org_id
from public.role_permissions c
join public.role_permissions a on a.role = c.role and a.permission = 'activity.read'
where c.permission = 'customers.read' and c.org_id is not null;

-- Nobody begins with a pile: what was marked as seen, or is older than a month, is no longer to be dealt with.
update public.pre_spin_reviews r set handling = 'closed'
where r.rating <= 3 and (r.seen_at is not null or r.created_at < now() - interval '30 days');
