-- Gestures of goodwill: a code for a reward that a merchant gives to the author of a review, once a review.
--
-- It is a code as any other, so that there is one way to use codes at a till; only no spin has won it. It takes from the
-- reward's stock, in the same transaction, and costs what the reward costs. No figure of the wheel counts it: it was not
-- won, and the customer who comes for it did not come for the game. No code depends on what becomes of a public review.

create function private.given_rewards(p_org_id uuid, p_reward_ids uuid[]) returns setof uuid
language sql stable set search_path = ''
as $$
  select r.id from unnest(p_reward_ids) r (id)
  cross join lateral (
    select from public.redemptions d where d.org_id = p_org_id and d.reward_id = r.id and d.spin_id is null limit 1
  ) g;
$$;
comment on function private.given_rewards(uuid, uuid[]) is 'Of some rewards, those for which the team ever gave a code.';

create function private.is_given(p_org_id uuid, p_reward_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (select from private.given_rewards(p_org_id, array[p_reward_id]));
$$;
comment on function private.is_given(uuid, uuid) is 'Whether the team ever gave a code for a reward.';

create function private.may_give_goodwill(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  -- Asked by the screen, too, which stays readable once a plan is over.
  select exists (
    select 1 from public.organization_members m
    join public.subscriptions u on u.org_id = m.org_id
    where m.org_id = p_org_id and m.user_id = (select private.my_user_id()) and private.is_open(u)
      and array(select p.permission from public.role_permissions p where p.role = m.role)
        @> '{reviews.write,customers.read,rewards.write,codes.read}');
$$;
comment on function private.may_give_goodwill(uuid) is
  'Whether the signed-in user may give codes: they write to customers, take from a stock and see the code, on an open plan.';

create function private.review_gesture(p_review public.pre_spin_reviews) returns json
language plpgsql stable set search_path = ''
as $$
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
      'status', private.code_state(v_given), 'expires_at', v_given.expires_at, 'timezone', (
        select s.timezone from public.stores s where s.org_id = v_given.org_id and s.id = v_given.store_id),
      'used_at', v_given.used_at));
  end if;
  return json_build_object('given', null, 'rewards', case
    when p_review.customer_id is not null and private.may_give_goodwill(p_review.org_id) then coalesce((
      select json_agg(json_build_object('id', w.id, 'name', w.name, 'campaign', c.name, 'stock', w.stock,
        'days', private.validity_days(w.type, w.metadata)) order by w.is_here desc, c.name, w.name, w.id)
      from (
        select r.*, r.campaign_id = p_review.campaign_id as is_here
        from public.rewards r
        where r.org_id = p_review.org_id and r.active and r.archived_at is null and r.type <> 'points' and r.stock <> 0
        order by is_here desc, r.created_at desc, r.id limit 100
      ) w
      join public.campaigns c on c.org_id = w.org_id and c.id = w.campaign_id), '[]'::json) end);
end;
$$;
comment on function private.review_gesture(public.pre_spin_reviews) is
  'The code that was given with a review (the code itself for whoever reads codes). Else the rewards that the signed-in '
  'user could give a code for: 100 at most, by campaign, that of the review first; null without the rights '
  '(private.may_give_goodwill), and once the customer is erased.';

create function private.lock_reviewer(p_id uuid) returns void
language sql volatile set search_path = ''
as $$
  select 1
  from private.review_id_of(array(select private.my_org_ids('reviews.write')), p_id) n
  join public.pre_spin_reviews r on r.org_id = n.org_id and r.id = n.id
  join public.customers c on c.org_id = r.org_id and c.id = r.customer_id
  for key share of c;
$$;
comment on function private.lock_reviewer(uuid) is
  'Locks the customer of a review until the transaction ends. Call it before locking the review, in the order of the erasure of '
  'customers: another order would make deadlocks.';

create function private.give_goodwill(
  p_review public.pre_spin_reviews, p_reward_id uuid, p_request_id uuid, out outcome text, out code public.redemptions
)
language plpgsql volatile set search_path = ''
as $$
declare
  v_customer public.customers;
  v_reward public.rewards;
  v_timezone text;
begin
  if not private.may_give_goodwill(p_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif exists (
    select 1 from public.review_actions a
    where a.org_id = p_review.org_id and a.review_id = p_review.id and a.kind = 'gesture'
  ) then
    outcome := 'already_given';
    return;
  end if;
  select * into v_customer from public.customers c where c.org_id = p_review.org_id and c.id = p_review.customer_id;
  if not found then
    outcome := 'erased';
    return;
  end if;
  -- Points are no code; who wins, archives or changes the reward at this instant goes first or waits.
  select * into v_reward from public.rewards r
  where r.org_id = p_review.org_id and r.id = p_reward_id and r.active and r.archived_at is null and r.type <> 'points'
  for no key update;
  if not found then
    outcome := 'reward_gone';
    return;
  elsif v_reward.stock = 0 then
    outcome := 'sold_out';
    return;
  elsif v_reward.stock > 0 then
    update public.rewards r set stock = r.stock - 1 where r.org_id = v_reward.org_id and r.id = v_reward.id;
    -- One less can be won, and the rules say how many.
    perform private.mark_campaign_rules(array(
      select t.id from private.sharing_campaigns(v_reward.org_id, array[v_reward.id]) t (id)));
  end if;
  select s.timezone into v_timezone from public.stores s where s.org_id = p_review.org_id and s.id = p_review.store_id;
  loop
    insert into public.redemptions as d (
      org_id, campaign_id, store_id, reward_id, customer_id, code, reward_name, end_user_email, end_user_name, expires_at
    ) values (
      p_review.org_id, p_review.campaign_id, p_review.store_id, v_reward.id, v_customer.id,
      private.random_code(coalesce(v_reward.code_template, 'MERCI-{random}')), v_reward.name, v_customer.email,
      v_customer.name,
      private.day_end(private.now_in(v_timezone)::date + private.validity_days(v_reward.type, v_reward.metadata),
        v_timezone)
    )
    on conflict (org_id, code_key) do nothing
    returning * into code;
    exit when code.id is not null;
  end loop;
  perform private.add_review_action(p_review, 'gesture', 'gifted', p_request_id => p_request_id, p_redemption_id => code.id);
  outcome := 'given';
end;
$$;
comment on function private.give_goodwill(public.pre_spin_reviews, uuid, uuid) is
  'Gives the customer of a review, which is locked, a code for a reward of the organisation, whichever its campaign: good at the '
  'review''s store, for as long as the reward''s codes are. Outcomes: given, already_given (one a review), erased, reward_gone '
  '(stopped, archived, points, another organisation''s), sold_out. Refusals change nothing. Error 42501 without the rights '
  '(private.may_give_goodwill).';

create function private.write_gesture_mail(p_to text, p_body text, p_answers_to text, p_code public.redemptions) returns uuid
language sql volatile set search_path = ''
as $$
  select private.enqueue_customer_mail(p_code.org_id, p_code.customer_id, 'review_gesture', p_to, jsonb_build_object(
      'code', p_code.code,
      'locale', coalesce(u.locale, 'fr'),
      'brand', private.brand(p_code.org_id),
      'white_label', private.has_feature(p_code.org_id, 'white_label'),
      'until', jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone),
      'facts', jsonb_strip_nulls(jsonb_build_object('store', p.name, 'address', p.address, 'body', p_body,
        'anywhere', case when p.kind = 'stores' then p.kind end,
        'reply_to', p_answers_to,
        'prize', private.mailed_name(p_code, u.locale)))),
    now() + interval '2 days')
  from public.stores s
  cross join lateral private.taken_at(p_code) p
  left join public.customers u on u.org_id = p_code.org_id and u.id = p_code.customer_id
  where s.org_id = p_code.org_id and s.id = p_code.store_id;
$$;
comment on function private.write_gesture_mail(text, text, text, public.redemptions) is
  'Writes the answer to a review that brings a code, as a ticket. Answers the mail''s identifier.';

create function public.give_goodwill_code(p_id uuid, p_version integer, p_reward_id uuid, p_request_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_prior jsonb;
  v_outcome text;
begin
  perform private.lock_reviewer(p_id);
  v_review := private.lock_review(p_id);
  if not private.may_give_goodwill(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_prior := private.prior_outcome(v_review, p_version, p_request_id, v_user_id);
  if v_prior is not null then
    return v_prior;
  end if;
  select g.outcome into v_outcome from private.give_goodwill(v_review, p_reward_id, p_request_id) g;
  if v_outcome <> 'given' then
    return jsonb_build_object('outcome', v_outcome);
  end if;
  -- The review's state and its version stay: colleagues who are dealing with it get no conflict.
  update public.pre_spin_reviews r set seen_at = coalesce(r.seen_at, now())
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$$;
comment on function public.give_goodwill_code(uuid, integer, uuid, uuid) is
  'Gives the customer of a review a code without a mail (review_detail shows it), once for a request and a review. Outcomes: '
  'saved (also when the request is repeated), conflict, claimed (as answer_review), already_given, erased, reward_gone or '
  'sold_out (private.give_goodwill). Refusals change nothing. Error 42501 without the rights (private.may_give_goodwill).';
grant execute on function public.give_goodwill_code(uuid, integer, uuid, uuid) to authenticated;
