-- Why: the dashboard tells of the bad reviews that the navigation counts, those of 30 days, instead of 7 beside another number.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.unseen_reviews(p_org_id uuid, p_is_named boolean, p_sees_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '30 days'
    order by r.created_at desc, r.id desc limit 100
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', case when p_is_named and p_sees_codes then r.id else private.alias_of(r.id) end,
        'at', r.created_at, 'rating', r.rating, 'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when p_is_named then r.customer_id end,
        'name', case when p_is_named then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'text', case when p_is_named then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id), '[]'::jsonb));
$function$;

COMMENT ON FUNCTION "private"."unseen_reviews"(uuid, boolean, boolean) IS 'The newest 3 reviews of 3 stars or fewer within 30 days that nobody marked as seen. How many there are, counted up to 100. Who wrote them, and the beginning of their words (400 characters), where asked; under an alias for whoever may not see codes.';
