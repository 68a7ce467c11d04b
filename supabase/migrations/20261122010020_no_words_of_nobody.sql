-- Why: a review stays when its customer is forgotten, and took words even afterwards, from a phone that still had its
-- page open. Nobody could then be asked to have them erased: no customer leads there.

create or replace function public.record_feedback(p_review_id uuid, p_feedback text, out outcome text, out google_review_url text)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
  v_store_id uuid;
  v_text text;
begin
  -- Whoever was forgotten has no review any more: what they write would come back to stay.
  update public.pre_spin_reviews r set review_text = p_feedback, feedback_at = now()
  where r.id = p_review_id and r.customer_id is not null and r.review_text is null
  returning r.org_id, r.store_id into v_org_id, v_store_id;
  if found then
    outcome := 'added';
  else
    select r.org_id, r.store_id, r.review_text into v_org_id, v_store_id, v_text
    from public.pre_spin_reviews r where r.id = p_review_id and r.customer_id is not null;
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
  '(another text stands already), review_not_found (also when its customer was forgotten).';

-- What came in until now; the function above lets no more in, so that no job has to look.
update public.pre_spin_reviews r set review_text = null where r.customer_id is null and r.review_text is not null;
