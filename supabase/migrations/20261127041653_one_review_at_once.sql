-- A review is answered as text, its colleagues and rewards in one reading each; pages of used codes are found by their index alone.

set check_function_bodies = off;

DROP FUNCTION "private"."review_colleagues"(uuid);

DROP FUNCTION "private"."review_customer"(uuid, uuid, uuid);

DROP FUNCTION "private"."review_gesture"(public.pre_spin_reviews);

DROP FUNCTION "public"."review_detail"(uuid);

CREATE OR REPLACE FUNCTION private.is_in_code_list(r public.redemptions, p_status text)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN CASE WHEN (p_status IS NULL) THEN true WHEN (p_status = ANY (ARRAY['held'::text, 'cancelled'::text])) THEN (((r).verdict IS NOT NULL) AND ((r).verdict = p_status)) WHEN (p_status = 'available'::text) THEN (((r).status = 'available'::text) AND ((r).verdict IS NULL) AND (((r).expires_at IS NULL) OR ((r).expires_at > now()))) WHEN (p_status = 'expired'::text) THEN (((r).verdict IS NULL) AND (((r).status = 'expired'::text) OR (((r).status = 'available'::text) AND ((r).expires_at <= now())))) ELSE ((r).status = p_status) END;

CREATE OR REPLACE FUNCTION private.may_give_goodwill(p_org_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Asked by the screen, too, which stays readable once a plan is over.
  select exists (
    select 1 from public.organization_members m
    join public.subscriptions u on u.org_id = m.org_id
    where m.org_id = p_org_id and m.user_id = (select private.my_user_id()) and private.is_open(u)
      and array(select p.permission from public.role_permissions p where p.role = m.role)
        @> '{reviews.write,customers.read,rewards.write,codes.read}');
$function$;

CREATE OR REPLACE FUNCTION private.review_colleagues(p_org_id uuid)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by w.name, w.id), '[]'::json)
  from (
    select m.user_id as id, private.name_of(u.raw_user_meta_data, u.email) as name
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'reviews.write'
    left join auth.users u on u.id = m.user_id
    where m.org_id = p_org_id
  ) w;
$function$;

CREATE OR REPLACE FUNCTION private.review_customer(p_org_id uuid, p_customer_id uuid, p_review_id uuid)
 RETURNS json
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select json_build_object('id', c.id, 'name', c.name, 'first_name', c.first_name, 'email', c.email, 'phone', c.phone,
    'note', c.note, 'created_at', c.created_at,
    'review_count', c.review_count, 'rating_sum', c.rating_sum, 'spin_count', c.spin_count,
    'redemption_count', c.redemption_count,
    'reviews', coalesce((
      select json_agg(json_build_object('id', private.alias_of(o.id), 'at', o.created_at, 'rating', o.rating,
        'text', o.review_text) order by o.created_at desc, o.id desc)
      from (
        select * from public.pre_spin_reviews v
        where v.org_id = p_org_id and v.customer_id = p_customer_id and v.id <> p_review_id
        order by v.created_at desc, v.id desc limit 5
      ) o), '[]'::json))
  from public.customers c where c.org_id = p_org_id and c.id = p_customer_id;
$function$;

CREATE OR REPLACE FUNCTION private.review_gesture(p_review public.pre_spin_reviews)
 RETURNS json
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_given public.redemptions;
begin
  select d.* into v_given
  from public.review_actions a
  join public.redemptions d on d.org_id = a.org_id and d.id = a.redemption_id
  where a.org_id = p_review.org_id and a.review_id = p_review.id and a.kind = 'gesture';
  if found then
    return json_build_object('rewards', null, 'given', json_build_object('reward', v_given.reward_name,
      'code', case when p_review.org_id in (select private.my_org_ids('codes.read')) then v_given.code end,
      'status', private.code_state(v_given), 'expires_at', v_given.expires_at, 'used_at', v_given.used_at));
  end if;
  return json_build_object('given', null, 'rewards', case
    when p_review.customer_id is not null and private.may_give_goodwill(p_review.org_id) then coalesce((
      select json_agg(json_build_object('id', w.id, 'name', w.name, 'campaign', c.name, 'stock', w.stock,
        'days', coalesce((w.metadata ->> 'validityDays')::integer, 30)) order by w.is_here desc, c.name, w.name, w.id)
      from (
        select r.*, r.campaign_id = p_review.campaign_id as is_here
        from public.rewards r
        where r.org_id = p_review.org_id and r.active and r.archived_at is null and r.type <> 'points' and r.stock <> 0
        order by is_here desc, r.created_at desc, r.id limit 100
      ) w
      join public.campaigns c on c.org_id = w.org_id and c.id = w.campaign_id), '[]'::json) end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.review_detail(p_id uuid)
 RETURNS json
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
  return json_build_object(
    'id', private.alias_of(v_review.id), 'version', v_review.handling_version, 'at', v_review.created_at,
    'rating', v_review.rating, 'text', case when v_is_named then v_review.review_text end,
    'name', case when v_is_named then coalesce(nullif(btrim(v_review.customer_name), ''), v_review.customer_email) end,
    'is_erased', v_review.customer_id is null,
    'went_public', v_review.public_click_at is not null, 'locale', v_review.locale,
    'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
    'campaign', (select json_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = v_review.org_id and c.id = v_review.campaign_id),
    'state', private.review_state(v_review), 'is_seen', v_review.seen_at is not null,
    'assigned_to', v_review.assigned_to, 'assignee', private.user_name(v_review.assigned_to),
    'writer', case when private.is_claimed(v_review, v_user_id) then private.user_name(v_review.claimed_by) end,
    'colleagues', private.review_colleagues(v_review.org_id), 'my_id', v_user_id,
    'customer', case when v_is_named then private.review_customer(v_review.org_id, v_review.customer_id, v_review.id) end,
    'obstacle', private.answer_obstacle(v_customer, v_answers_to),
    'answers_to', v_answers_to,
    'templates', (select json_agg(json_build_object('name', t.name, 'body', t.body) order by t.position)
      from public.answer_templates t where t.org_id = v_review.org_id),
    'gesture', private.review_gesture(v_review),
    'actions', (
      select coalesce(json_agg(json_build_object('id', a.id, 'at', a.created_at, 'by', a.actor_name, 'kind', a.kind,
        'body', case when v_is_named then a.body end, 'assignee', a.assignee_name, 'delivery', a.delivery)
        order by a.id), '[]'::json)
      from (
        select * from public.review_actions o
        where o.org_id = v_review.org_id and o.review_id = v_review.id order by o.id desc limit 100
      ) a));
end;
$function$;

COMMENT ON FUNCTION "private"."review_colleagues"(uuid) IS 'Members who may take care of reviews.';

COMMENT ON FUNCTION "private"."review_customer"(uuid, uuid, uuid) IS 'Author of a review, with how to reach them and their last 5 other reviews; null once they are erased.';

COMMENT ON FUNCTION "private"."review_gesture"(public.pre_spin_reviews) IS 'The code that was given with a review (the code itself for whoever reads codes). Else the rewards that the signed-in user could give a code for: 100 at most, by campaign, that of the review first; null without the rights (private.may_give_goodwill), and once the customer is erased.';

COMMENT ON FUNCTION "public"."review_detail"(uuid) IS 'Everything that the inbox shows of one review, named by its alias or its identifier, in one request; the shape is reviewDetail of _shared/domain. Words, names and contacts are null without the permission customers.read. Null when the signed-in user''s organisation has no such review, or without the permission reviews.read.';

REVOKE ALL ON FUNCTION "private"."review_colleagues"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_customer"(uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."review_gesture"(public.pre_spin_reviews) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."review_detail"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."review_detail"(uuid) TO "authenticated";
