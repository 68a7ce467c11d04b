-- Why: a review whose customer was erased was closed, and still counted as unread in the navigation and on the dashboard for 30 days.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.erase_customer_data(p_org_id uuid, p_id uuid, p_before timestamp with time zone DEFAULT NULL::timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- Codes before the customer, as at the till, and in the order of decide_check: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.reward_id, r.id for update;
  perform 1 from public.points_spends s where s.org_id = p_org_id and s.customer_id = p_id order by s.id for update;
  perform 1 from public.customers c
  where c.org_id = p_org_id and c.id = p_id and (p_before is null or coalesce(c.last_activity_at, c.created_at) < p_before)
  for update;
  if not found then
    return false;
  end if;
  -- A colleague who writes a note, or they themselves who add words, end first: what they wrote goes as well.
  perform 1 from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id
  order by r.id for no key update;
  -- Messages after the reviews that they tell of, and before the answers that they carry, as whoever writes and sends them.
  perform private.forget_messages(p_org_id, p_id);
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- Words that the team wrote to them and about them name them, too. Nobody is left to be answered.
  update public.review_actions a set body = null
  where a.org_id = p_org_id and a.body is not null and a.review_id in (
    select r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.customer_id = p_id);
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, claimed_by = null, claimed_at = null,
    handling = case when private.review_state(r) = 'open' then 'closed' else r.handling end,
    -- A closed review waits to be read no more.
    seen_at = case when private.review_state(r) = 'open' then coalesce(r.seen_at, now()) else r.seen_at end,
    customer_name = null, customer_email = null, customer_phone = null, review_text = null, locale = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$function$;

-- Reviews that were closed so before.
update public.pre_spin_reviews r set seen_at = now()
where r.customer_id is null and r.handling = 'closed' and r.seen_at is null and private.is_unread(r);
