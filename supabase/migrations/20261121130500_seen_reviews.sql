-- Why: « what to do next » opens on the newest bad review. Whoever has read it, and called the customer perhaps, must be
-- able to say so: what never leaves a list of things to do is soon no longer read. One instant an organisation, since a
-- review seen by one of a team need not be seen again by all; a review that comes afterwards is news again.

alter table public.organizations add column bad_reviews_seen_until timestamptz;
comment on column public.organizations.bad_reviews_seen_until is
  'Bad reviews up to this instant were marked as seen, and the dashboard brings them up no more; null before the first.';

alter function private.bad_reviews(uuid, date) rename to newest_bad_review;
comment on function private.newest_bad_review(uuid, date) is
  'The newest review of 3 stars or fewer within 7 days, seen or not, with how many there were; null without one.';

create function private.bad_reviews(p_org_id uuid, p_today date) returns jsonb
language sql stable
as $$
  select newest.review
  from private.newest_bad_review(p_org_id, p_today) as newest (review)
  -- An instant that went through a browser comes back in milliseconds.
  where date_trunc('milliseconds', (newest.review ->> 'at')::timestamptz) > coalesce(
    (select o.bad_reviews_seen_until from public.organizations o where o.id = p_org_id), '-infinity');
$$;
comment on function private.bad_reviews(uuid, date) is
  'The newest review of 3 stars or fewer within 7 days, with how many there were; null without one, and once it was '
  'marked as seen.';

create function public.mark_bad_reviews_seen(p_org_id uuid, p_until timestamptz) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_until is null
    or p_org_id <> all (array(select private.my_org_ids('customers.write'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- What is still to come cannot have been seen, and an older page takes nothing back.
  update public.organizations o
  set bad_reviews_seen_until = greatest(o.bad_reviews_seen_until, least(p_until, now()))
  where o.id = p_org_id;
end;
$$;
comment on function public.mark_bad_reviews_seen(uuid, timestamptz) is
  'Takes bad reviews up to an instant, that of the review which was shown, off what an organisation is to do next. Errors: '
  '42501 without the permission customers.write there.';
grant execute on function public.mark_bad_reviews_seen(uuid, timestamptz) to authenticated;
