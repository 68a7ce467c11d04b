-- Why: « Marquer comme vu » beside the newest bad review took all the others off the list with it, unread. What is seen is
-- kept for each review; the dashboard lists those that nobody has seen, each with its words.

alter table public.pre_spin_reviews add column seen_at timestamptz;
comment on column public.pre_spin_reviews.seen_at is
  'When somebody of the team marked it as seen, so that the dashboard brings it up no more; null before.';

-- What was seen up to an instant stays seen.
update public.pre_spin_reviews r set seen_at = o.bad_reviews_seen_until
from public.organizations o
where o.id = r.org_id and r.rating <= 3 and r.created_at <= o.bad_reviews_seen_until;

-- Only what is still to be seen stands in it: as short as the list that it serves.
create index pre_spin_reviews_org_unseen_idx on public.pre_spin_reviews (org_id, created_at desc)
  where rating <= 3 and seen_at is null;
drop index public.pre_spin_reviews_org_bad_idx;

drop function public.mark_bad_reviews_seen(uuid, timestamptz);
drop function private.bad_reviews(uuid, date);
drop function private.newest_bad_review(uuid, date);
alter table public.organizations drop column bad_reviews_seen_until;

create function private.unseen_reviews(p_org_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  -- Three stars and fewer are asked what went wrong (specification, section 4.2).
  with unseen as (
    select r.* from public.pre_spin_reviews r
    where r.org_id = p_org_id and r.rating <= 3 and r.seen_at is null and r.created_at > now() - interval '7 days'
    order by r.created_at desc, r.id desc limit 100
  ), reader as (
    select p_org_id in (select private.my_org_ids('customers.read')) as sees_customers
  )
  select jsonb_build_object(
    'count', (select count(*) from unseen),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', r.id, 'at', r.created_at, 'rating', r.rating,
        'store', s.name, 'campaign_id', r.campaign_id,
        'customer_id', case when reader.sees_customers then r.customer_id end,
        'name', case when reader.sees_customers then coalesce(nullif(btrim(r.customer_name), ''), r.customer_email) end,
        'text', case when reader.sees_customers then left(r.review_text, 400) end)
        order by r.created_at desc, r.id desc)
      from (select * from unseen u order by u.created_at desc, u.id desc limit 3) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      cross join reader), '[]'::jsonb));
$$;
comment on function private.unseen_reviews(uuid) is
  'The newest 3 reviews of 3 stars or fewer within 7 days that nobody marked as seen, and how many there are, counted up to '
  '100. Who wrote them, and the beginning of their words (400 characters), for whoever may see customers.';

create function public.mark_review_seen(p_review_id uuid, p_is_seen boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  update public.pre_spin_reviews r
  -- Whoever of two colleagues comes second changes nothing.
  set seen_at = case when p_is_seen then coalesce(r.seen_at, now()) end
  where r.id = p_review_id and r.org_id = any (array(select private.my_org_ids('customers.write')));
  if not found or p_is_seen is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function public.mark_review_seen(uuid, boolean) is
  'Takes a review off what an organisation is to do next, or puts it back there. Errors: 42501 without the permission '
  'customers.write in its organisation.';
grant execute on function public.mark_review_seen(uuid, boolean) to authenticated;

-- The dashboard that shows them is defined with what else it tells: 20261123400010.
