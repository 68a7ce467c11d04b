-- The inbox of reviews: what becomes of a review, who takes care of it, and what was answered.
--
-- Three stars or fewer wait for a member to deal with them; more is good news, and may be answered all the same. Two colleagues
-- who open the same review must not both write to its customer: the writer claims it for five minutes, and an answer names
-- the version that it answers. Reviews are named by their alias here, since their own identifier opens a code. Words and
-- names are for members who may see customers; what the team wrote is forgotten with the customer.

create table public.review_actions (
  org_id uuid not null,
  review_id uuid not null,
  user_id uuid,
  actor_name text check (length(actor_name) <= 200),
  kind text not null check (kind in ('note', 'answer', 'answered', 'closed', 'reopened', 'assigned', 'gesture')),
  body text check (btrim(body) <> '' and length(body) <= 4000),
  assignee_name text check (length(assignee_name) <= 200),
  request_id uuid,
  message_id uuid,
  delivery text check (delivery in ('queued', 'sent', 'failed')),
  created_at timestamptz not null default now(),
  id uuid not null default private.uuid_v7(),
  redemption_id uuid,
  assignee_id uuid,
  primary key (org_id, id),
  foreign key (org_id, review_id) references public.pre_spin_reviews (org_id, id) on delete cascade,
  foreign key (org_id, redemption_id) references public.redemptions (org_id, id) on delete set null (redemption_id)
);
-- One goodwill code per review, regardless of the member who gives it.
create unique index review_actions_gesture_idx on public.review_actions (org_id, review_id) where kind = 'gesture';
create index review_actions_redemption_idx on public.review_actions (org_id, redemption_id) where redemption_id is not null;
create index review_actions_review_idx on public.review_actions (org_id, review_id, id);
create unique index review_actions_request_idx on public.review_actions (org_id, review_id, request_id)
  where request_id is not null;
create index review_actions_message_idx on public.review_actions (message_id) where message_id is not null;
create index review_actions_user_idx on public.review_actions (user_id) where user_id is not null;
create index review_actions_assignee_idx on public.review_actions (assignee_id) where assignee_id is not null;
comment on table public.review_actions is
  'Actions of the team on a review: notes, answers, its states and its assignees. Read through review_detail.';
comment on column public.review_actions.org_id is 'Organisation.';
comment on column public.review_actions.id is 'Identifier, ordered by time.';
comment on column public.review_actions.review_id is 'Review.';
comment on column public.review_actions.user_id is 'Member who acted. Not a reference: whoever leaves keeps what they did.';
comment on column public.review_actions.actor_name is 'Their name at the time; null once their account is erased.';
comment on column public.review_actions.kind is
  'note, answer (by e-mail), answered (elsewhere, as on the phone), closed, reopened, assigned or gesture (a code was given).';
comment on column public.review_actions.body is
  'Words of a note or an answer, up to 4000 characters; null otherwise, and once the customer is erased.';
comment on column public.review_actions.assignee_name is 'Assignee by their name at the time; null for nobody.';
comment on column public.review_actions.request_id is 'Made by the screen: a repeat finds what it has done.';
comment on column public.review_actions.message_id is 'Mail that carries an answer (private.outbox), while that is kept.';
comment on column public.review_actions.delivery is
  'How an answer fares: queued, sent (taken by the mail server) or failed (given up); null without a mail.';
comment on column public.review_actions.created_at is 'When.';
comment on column public.review_actions.redemption_id is 'Code that was given; null for anything else.';
comment on column public.review_actions.assignee_id is
  'Assignee, by whom their account''s erasure finds the row; null for nobody, and in rows from before it was kept.';

create function private.forget_colleague(p_user_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_name constant text := left(private.user_name(p_user_id), 200);
  v_org_ids constant uuid[] := array(
    select a.org_id from public.review_actions a where a.user_id = p_user_id
    union select m.org_id from public.organization_members m where m.user_id = p_user_id);
begin
  update public.review_actions a set actor_name = null where a.user_id = p_user_id and a.actor_name is not null;
  -- Null in the name means that nobody is assigned: the whole row goes.
  delete from public.review_actions a where a.assignee_id = p_user_id;
  -- Rows from before the identifier was kept have the name alone.
  delete from public.review_actions a
  where a.org_id = any (v_org_ids) and a.kind = 'assigned' and a.assignee_id is null and a.assignee_name = v_name;
end;
$$;
comment on function private.forget_colleague(uuid) is
  'Takes the name of somebody whose account is erased out of what was done with reviews, and what was given to them to do. '
  'Reviews are kept for longer than the 13 months of the audit trail, which keeps the name.';

create table public.answer_templates (
  org_id uuid not null references public.organizations (id) on delete cascade,
  position smallint not null check (position between 1 and 3),
  name text not null check (btrim(name) <> '' and length(name) <= 60),
  body text not null check (btrim(body) <> '' and length(body) <= 2000),
  primary key (org_id, position)
);
comment on table public.answer_templates is
  'The three texts that answers begin with, where an organisation has worded its own. Read through review_detail.';
comment on column public.answer_templates.org_id is 'Organisation.';
comment on column public.answer_templates.position is 'Place, 1 to 3.';
comment on column public.answer_templates.name is 'Name that it is chosen by, up to 60 characters.';
comment on column public.answer_templates.body is
  'Text, up to 2000 characters; {prénom} and {magasin} stand for the customer''s first name and the store.';

create function private.is_claimed(r public.pre_spin_reviews, p_user_id uuid) returns boolean
language sql stable set search_path = ''
return r.claimed_by is distinct from p_user_id and r.claimed_at > now() - interval '5 minutes';
comment on function private.is_claimed(public.pre_spin_reviews, uuid) is
  'Whether somebody else is writing an answer to a review.';

create function private.is_in_inbox(r public.pre_spin_reviews, p_filters jsonb, p_user_id uuid) returns boolean
language sql stable parallel safe
return (
    (p_filters ->> 'state') is null
    or ((p_filters ->> 'state') = 'open' and (r.handling = 'open' or (r.handling is null and private.is_bad_rating(r.rating))))
    or ((p_filters ->> 'state') <> 'open' and r.handling is not null and r.handling = (p_filters ->> 'state'))
  )
  and ((p_filters ->> 'rating') is null or r.rating = (p_filters ->> 'rating')::smallint)
  and ((p_filters ->> 'store_id') is null or r.store_id = (p_filters ->> 'store_id')::uuid)
  and ((p_filters ->> 'campaign_id') is null or r.campaign_id = (p_filters ->> 'campaign_id')::uuid)
  and ((p_filters ->> 'locale') is null or r.locale = (p_filters ->> 'locale'))
  and ((p_filters ->> 'with_text') is null or r.review_text is not null)
  and ((p_filters ->> 'mine') is null or (r.assigned_to is not null and r.assigned_to = p_user_id));
comment on function private.is_in_inbox(public.pre_spin_reviews, jsonb, uuid) is
  'Whether a review passes the filters of the inbox (reviewFilters of _shared/domain), the search aside. Planned as part of the '
  'query that calls it.';
grant execute on function private.is_in_inbox(public.pre_spin_reviews, jsonb, uuid) to service_role;

create function private.walk_reviews(
  p_org_id uuid, p_filters jsonb, p_user_id uuid, p_at timestamptz, p_id uuid, p_is_back boolean, p_limit integer,
  out ids uuid[], out is_whole boolean
)
-- As in find_reviews: each filter has its index.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_most constant integer := 3000;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
begin
  -- Each review in turn is asked whose it is: a join might begin with all customers.
  if p_is_back then
    ids := array(
      select o.id from (
        select r.id, r.created_at, r.review_text, r.customer_id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and r.created_at >= p_at and (r.created_at, r.id) > (p_at, p_id)
        order by r.created_at, r.id limit v_most
      ) o
      where (o.review_text is not null and private.has_review_words(o.review_text, v_pattern, v_hint))
        or (select c.search_words like v_pattern from public.customers c where c.org_id = p_org_id and c.id = o.customer_id)
      order by o.created_at, o.id limit p_limit);
  else
    ids := array(
      select o.id from (
        select r.id, r.created_at, r.review_text, r.customer_id from public.pre_spin_reviews r
        where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
          and (p_at is null or (r.created_at <= p_at and (r.created_at, r.id) < (p_at, p_id)))
        order by r.created_at desc, r.id desc limit v_most
      ) o
      where (o.review_text is not null and private.has_review_words(o.review_text, v_pattern, v_hint))
        or (select c.search_words like v_pattern from public.customers c where c.org_id = p_org_id and c.id = o.customer_id)
      order by o.created_at desc, o.id desc limit p_limit);
  end if;
  is_whole := cardinality(ids) >= p_limit or (
    select count(*) from (
      select 1 from public.pre_spin_reviews r
      where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_user_id)
        and (p_at is null or case when p_is_back then r.created_at >= p_at else r.created_at <= p_at end)
      limit v_most
    ) walked
  ) < v_most;
end;
$$;
comment on function private.walk_reviews(uuid, jsonb, uuid, timestamptz, uuid, boolean, integer) is
  'Reviews that pass the filters of the inbox and whose words, or whose customer, a search finds. Read by date among the '
  'next 3,000 that pass the filters: as many as asked for, from the newest one on, or after a moment and an identifier, '
  'or before them. Whole when there are no others: either enough were found, or no more reviews pass the filters.';

create function private.find_reviews(
  p_org_id uuid, p_filters jsonb, p_user_id uuid, p_at timestamptz, p_id uuid, p_is_back boolean, p_limit integer
) returns uuid[]
-- As in customer_list: a kept plan would not know a frequent word from a rare one.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
declare
  v_most constant integer := 300;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
  v_filters constant jsonb := jsonb_build_object('search', p_filters ->> 'search');
  v_indexed constant text[] := private.indexed_patterns(p_filters ->> 'search');
  v_is_frequent boolean;
  v_is_loose boolean := false;
  v_walked uuid[];
  v_is_whole boolean;
begin
  -- A name that three in a hundred of the newest customers have is found sooner by going through the reviews.
  if private.is_frequent_name(private.newest_with_name(p_org_id, v_pattern)) then
    select w.ids, w.is_whole into v_walked, v_is_whole
    from private.walk_reviews(p_org_id, p_filters, p_user_id, p_at, p_id, p_is_back, p_limit) w;
    if v_is_whole then
      return v_walked;
    end if;
  end if;
  -- PostgreSQL keeps no statistics for a partial index: how frequent a word is, the newest reviews tell. What three in a
  -- hundred of them say is found sooner by date than among all that the index of words would bring.
  if v_indexed is null then
    v_is_frequent := (
      select count(*) from (
        select r.review_text from public.pre_spin_reviews r
        where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most
      ) newest where private.has_review_words(newest.review_text, v_pattern, v_hint)
    ) * 100 >= 3 * v_most;
  else
    select count(*) filter (where n.words like v_pattern) * 100 >= 3 * v_most, count(*) * 100 >= 3 * v_most
    into v_is_frequent, v_is_loose
    from (
      select private.review_words(r.review_text) as words from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most offset 0
    ) n
    where n.words like all (v_indexed);
    -- Of « d'a » the index knows the « a » alone, and would bring nearly all reviews: only the next ones are asked.
    if v_is_loose and not v_is_frequent then
      if v_walked is null then
        select w.ids into v_walked
        from private.walk_reviews(p_org_id, p_filters, p_user_id, p_at, p_id, p_is_back, p_limit) w;
      end if;
      return v_walked;
    end if;
  end if;
  return array(
    -- A column says that a review passes the filters: rows as a whole would be put together and taken apart again.
    with said as (
      (
        select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews r
        where v_is_frequent and r.org_id = p_org_id and r.review_text is not null
          -- A function instead of the index's expression, so that the index is not used here.
          and private.has_review_words(r.review_text, v_pattern, v_hint)
        order by r.created_at desc limit v_most
      )
      union all
      (
        select o.created_at, o.id, o.is_in_inbox
        from (
          select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
          from public.pre_spin_reviews r
          where not v_is_frequent and r.org_id = p_org_id and r.review_text is not null
            and private.review_words(r.review_text) like v_pattern
          -- « offset 0 »: three letters are taken for frequent by a plan that reads by date, and reads everything where none has them.
          offset 0
        ) o
        order by o.created_at desc limit v_most
      )
    ), written as (
      select w.created_at, w.id, w.is_in_inbox
      from (
        select c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
        -- A frequent name that is rare among what passes the filters is looked for further back.
        order by c.created_at desc, c.id desc limit case when v_walked is null then v_most else 20 * v_most end
      ) c
      cross join lateral (
        select o.created_at, o.id, private.is_in_inbox(o, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews o
        where o.org_id = p_org_id and o.customer_id = c.id order by o.created_at desc limit 20
      ) w
    ), found as (
      select s.created_at, s.id from said s where s.is_in_inbox
      union
      select w.created_at, w.id from written w where w.is_in_inbox
      union
      select r.created_at, r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.id = any (v_walked)
    )
    select f.id from found f
    where p_at is null or case when p_is_back then (f.created_at, f.id) > (p_at, p_id) else (f.created_at, f.id) < (p_at, p_id) end
    order by case when p_is_back then f.created_at end, case when p_is_back then f.id end, f.created_at desc, f.id desc
    limit p_limit);
end;
$$;
comment on function private.find_reviews(uuid, jsonb, uuid, timestamptz, uuid, boolean, integer) is
  'Reviews whose words, or whose customer, a search finds, and that pass the filters of the inbox: as many as asked for, '
  'from the newest one on, or after a moment and an identifier, or before them. All of them for a name that many have '
  '(private.walk_reviews), or of its newest 6,000 customers. Of several words that the index cannot tell from others, among '
  'the next 3,000. Else the newest 300 by their words, and the newest 20 of each of the newest 300 customers.';

create function private.review_state(r public.pre_spin_reviews) returns text
language sql immutable
return coalesce(r.handling, case when private.is_bad_rating(r.rating) then 'open' end);
comment on function private.review_state(public.pre_spin_reviews) is
  'State of a review: open (to be dealt with), answered, closed; null for one that asks for nothing. Planned as part of the '
  'query that calls it.';
grant execute on function private.review_state(public.pre_spin_reviews) to service_role;

create function private.inbox_page(
  p_org_id uuid, p_filters jsonb, p_after uuid, p_before uuid, p_user_id uuid, p_is_named boolean, p_page_size integer,
  out ids uuid[], out has_previous boolean, out has_next boolean
)
-- Each filter has its index: a plan made for another filter would read all reviews.
language plpgsql stable set search_path = '' set plan_cache_mode = 'force_custom_plan'
as $$
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
$$;
comment on function private.inbox_page(uuid, jsonb, uuid, uuid, uuid, boolean, integer) is
  'Reviews of a page of the inbox, and whether there are pages before and after it: review_inbox words them. A search finds '
  'nothing for whoever may not see customers.';

create function public.review_inbox(
  p_org_id uuid, p_filters jsonb default '{}', p_after uuid default null, p_before uuid default null
) returns json
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  -- A hosted project hands over an object, Supabase Lite a text that holds it.
  v_filters constant jsonb := coalesce(
    case jsonb_typeof(p_filters) when 'string' then (p_filters #>> '{}')::jsonb else p_filters end, '{}');
  v_held text[];
  v_is_named boolean;
  v_page record;
begin
  select r.held into v_held from private.my_reading_rights('{reviews.read,customers.read}', 'reviews.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := 'customers.read' = any (v_held);
  select * into v_page from private.inbox_page(p_org_id, v_filters, p_after, p_before, v_user_id, v_is_named, 25);

  return json_build_object(
    'has_previous', v_page.has_previous,
    'has_next', v_page.has_next,
    'can_export', private.includes_export(p_org_id),
    'stores', coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
      from public.stores s where s.org_id = p_org_id), '[]'::json),
    'campaigns', coalesce((select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
      from public.campaigns c where c.org_id = p_org_id), '[]'::json),
    'items', coalesce((
      select json_agg(json_build_object('id', private.alias_of(r.id), 'at', r.created_at, 'rating', r.rating,
        'text', case when v_is_named then r.review_text end,
        'name', case when v_is_named then private.name_or_email(r.customer_name, r.customer_email) end,
        'is_erased', r.customer_id is null,
        'locale', r.locale, 'store', s.name, 'campaign', c.name, 'state', r.state, 'is_seen', r.seen_at is not null,
        'assignee', case when r.assigned_to is not null then private.user_name(r.assigned_to) end,
        'is_mine', coalesce(r.assigned_to = v_user_id, false),
        'writer', case when r.is_claimed then private.user_name(r.claimed_by) end)
        order by r.created_at desc, r.id desc)
      from unnest(v_page.ids) shown (id)
      -- « offset 0 »: one by one, where a kept plan might read all of a large organisation's.
      cross join lateral (
        select o.*, private.review_state(o) as state,
          o.claimed_by is not null and private.is_claimed(o, v_user_id) as is_claimed
        from public.pre_spin_reviews o where o.org_id = p_org_id and o.id = shown.id offset 0
      ) r
      join public.stores s on s.org_id = r.org_id and s.id = r.store_id
      join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
    ), '[]'::json));
end;
$$;
comment on function public.review_inbox(uuid, jsonb, uuid, uuid) is
  'A page of an organisation''s reviews, newest first, that pass the filters (private.is_in_inbox) and the search '
  '(private.find_reviews): the one after a review, or before one; the shape is reviewInbox of _shared/domain. Words and names '
  'are null, and a search finds nothing, without the permission customers.read. Error 42501 without the permission '
  'reviews.read there.';
grant execute on function public.review_inbox(uuid, jsonb, uuid, uuid) to authenticated;

create function private.unread_reviews(p_org_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from (
    select 1 from public.pre_spin_reviews r
    where r.org_id = p_org_id and private.is_unread(r)
    order by r.created_at desc limit 100
  ) unread;
$$;
comment on function private.unread_reviews(uuid) is
  'Reviews of 3 stars or fewer within 30 days that nobody marked as seen, answered or closed, counted up to 100.';

create function private.answers_to(p_user_id uuid, p_org_id uuid) returns text
language sql stable set search_path = ''
as $$
  select coalesce(
    (select u.email::text from auth.users u where u.id = p_user_id and u.email <> ''),
    (select u.email::text from public.organization_members m join auth.users u on u.id = m.user_id
     where m.org_id = p_org_id and m.role = 'owner' and u.email <> '' order by m.added_at, m.user_id limit 1));
$$;
comment on function private.answers_to(uuid, uuid) is
  'Where a customer''s answer to a member goes: the member''s address, else the longest-standing owner''s; null without either.';

create function private.answer_obstacle(p_customer public.customers, p_answers_to text) returns text
language sql immutable set search_path = ''
return case
  when p_customer.id is null then 'erased'
  when p_customer.email is null then 'no_address'
  when p_answers_to is null then 'no_sender'
end;
comment on function private.answer_obstacle(public.customers, text) is
  'Why a customer cannot be written to: erased, no_address (a phone number alone), no_sender (nobody whom an answer would '
  'reach); null when they can.';

create function private.review_colleagues(p_org_id uuid) returns json
language sql stable set search_path = ''
as $$
  select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name) order by w.name, w.id), '[]'::json)
  from (
    select m.user_id as id, private.name_of(u.raw_user_meta_data, u.email) as name
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'reviews.write'
    left join auth.users u on u.id = m.user_id
    where m.org_id = p_org_id
  ) w;
$$;
comment on function private.review_colleagues(uuid) is 'Members who may take care of reviews.';

create function private.review_customer(p_org_id uuid, p_customer_id uuid, p_review_id uuid) returns json
language sql stable set search_path = ''
as $$
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
$$;
comment on function private.review_customer(uuid, uuid, uuid) is
  'Author of a review, with how to reach them and their last 5 other reviews; null once they are erased.';

create function public.review_detail(p_id uuid) returns json
language plpgsql stable security definer set search_path = ''
as $$
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
    'name', case when v_is_named then private.name_or_email(v_review.customer_name, v_review.customer_email) end,
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
$$;
comment on function public.review_detail(uuid) is
  'Everything that the inbox shows of one review, named by its alias or its identifier, in one request; the shape is '
  'reviewDetail of _shared/domain. Words, names and contacts are null without the permission customers.read. Null when the '
  'signed-in user''s organisation has no such review, or without the permission reviews.read.';
grant execute on function public.review_detail(uuid) to authenticated;

create function private.lock_review(p_id uuid) returns public.pre_spin_reviews
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.lock_review(uuid) is
  'The review that an alias or an identifier names, for whoever takes care of reviews, until the transaction ends. Error 42501 '
  'without the permission reviews.write there.';

create function private.add_review_action(
  p_review public.pre_spin_reviews, p_kind text, p_verb text, p_body text default null, p_request_id uuid default null,
  p_message_id uuid default null, p_assignee_id uuid default null, p_redemption_id uuid default null
) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  -- PostgreSQL's own refusal would show the review's identifier, which tells a phone its code.
  if btrim(p_body) = '' or length(p_body) > 4000 then
    raise exception 'text_length' using errcode = '23514';
  end if;
  insert into public.review_actions (org_id, review_id, user_id, actor_name, kind, body, request_id, message_id, delivery,
    assignee_id, assignee_name, redemption_id)
  values (p_review.org_id, p_review.id, v_user_id, left(private.user_name(v_user_id), 200), p_kind, p_body, p_request_id,
    p_message_id, case when p_message_id is not null then 'queued' end, p_assignee_id,
    left(private.user_name(p_assignee_id), 200), p_redemption_id);
  perform private.audit(p_review.org_id, 'review.' || p_verb, 'review', private.alias_of(p_review.id),
    jsonb_build_object('name',
      (select s.name from public.stores s where s.org_id = p_review.org_id and s.id = p_review.store_id)));
end;
$$;
comment on function private.add_review_action(public.pre_spin_reviews, text, text, text, uuid, uuid, uuid, uuid) is
  'Writes down what the signed-in member did with a review, in its history and in the audit trail, which names the store alone.';

create function private.review_conflict(p_review public.pre_spin_reviews) returns jsonb
language sql stable set search_path = ''
as $$
  select jsonb_build_object('outcome', 'conflict', 'state', private.review_state(p_review), 'by', (
    select a.actor_name from public.review_actions a
    where a.org_id = p_review.org_id and a.review_id = p_review.id
      and a.kind in ('answer', 'answered', 'closed', 'reopened')
    order by a.id desc limit 1));
$$;
comment on function private.review_conflict(public.pre_spin_reviews) is
  'Answer to an action on an older version: what became of the review meanwhile, and through whom.';

create function private.is_repeated(p_review public.pre_spin_reviews, p_request_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select exists (
    select 1 from public.review_actions a
    where a.org_id = p_review.org_id and a.review_id = p_review.id and a.request_id = p_request_id);
$$;
comment on function private.is_repeated(public.pre_spin_reviews, uuid) is
  'Whether a request on a review has been carried out before: its answer was lost on the way.';

create function private.prior_outcome(
  p_review public.pre_spin_reviews, p_version integer, p_request_id uuid, p_user_id uuid
) returns jsonb
language sql stable set search_path = ''
as $$
  select case
    when private.is_repeated(p_review, p_request_id) then jsonb_build_object('outcome', 'saved')
    when p_review.handling_version is distinct from p_version then private.review_conflict(p_review)
    when private.is_claimed(p_review, p_user_id)
      then jsonb_build_object('outcome', 'claimed', 'by', private.user_name(p_review.claimed_by))
  end;
$$;
comment on function private.prior_outcome(public.pre_spin_reviews, integer, uuid, uuid) is
  'Answer to what a member does for a customer where nothing is left to do: saved (the request is repeated), conflict (somebody dealt '
  'with the review meanwhile) or claimed (a colleague is at it); null where it is theirs to do. The review is locked.';

create function public.claim_review(p_id uuid, p_hold text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
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
$$;
comment on function public.claim_review(uuid, text) is
  'Says that the signed-in member is writing an answer to a review (take; force takes it from a colleague; release gives it '
  'back): for five minutes, renewed by asking again. Outcomes: held, released, claimed (a colleague is writing, with their '
  'name). Error 42501 without the permission reviews.write there.';
grant execute on function public.claim_review(uuid, text) to authenticated;

create function public.answer_review(
  p_id uuid, p_version integer, p_body text, p_request_id uuid, p_reward_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_review public.pre_spin_reviews;
  v_prior jsonb;
  v_customer public.customers;
  v_answers_to text;
  v_obstacle text;
  v_gift record;
  v_message_id uuid;
  v_body constant text := private.clean_text(p_body);
begin
  perform private.lock_reviewer(p_id);
  v_review := private.lock_review(p_id);
  if not private.may_name_customers(v_review.org_id) then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_body is null then
    raise exception 'no_text' using errcode = '23502';
  end if;
  v_prior := private.prior_outcome(v_review, p_version, p_request_id, v_user_id);
  if v_prior is not null then
    return v_prior;
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
  if p_reward_id is not null then
    select * into v_gift from private.give_goodwill(v_review, p_reward_id, null);
    if v_gift.outcome <> 'given' then
      return jsonb_build_object('outcome', v_gift.outcome);
    end if;
    v_message_id := private.write_gesture_mail(v_customer.email, v_body, v_answers_to, v_gift.code);
  else
    v_message_id := private.enqueue_customer_mail(v_customer.org_id, v_customer.id, 'review_answer', v_customer.email, jsonb_build_object(
      'locale', v_customer.locale,
      'brand', private.brand(v_review.org_id),
      'white_label', private.has_feature(v_review.org_id, 'white_label'),
      'facts', jsonb_build_object(
        'store', (select s.name from public.stores s where s.org_id = v_review.org_id and s.id = v_review.store_id),
        'body', v_body, 'reply_to', v_answers_to)), now() + interval '2 days');
  end if;
  perform private.add_review_action(v_review, 'answer', 'answered', v_body, p_request_id, v_message_id);
  update public.pre_spin_reviews r
  set handling = 'answered', handling_version = r.handling_version + 1, seen_at = coalesce(r.seen_at, now()),
    claimed_by = null, claimed_at = null
  where r.org_id = v_review.org_id and r.id = v_review.id;
  return jsonb_build_object('outcome', 'saved');
end;
$$;
comment on function public.answer_review(uuid, integer, text, uuid, uuid) is
  'Answers a review by e-mail, once for a request, in the store''s name, with a code for a reward where one is named '
  '(private.give_goodwill); the customer''s own answer goes to the member. Outcomes: '
  'saved (also when the request is repeated), conflict (somebody dealt with it meanwhile: who, and what became of it), claimed '
  '(a colleague is writing), erased, no_address or no_sender (private.answer_obstacle), too_many (200 within the hour), '
  'already_given, reward_gone or sold_out (private.give_goodwill). '
  'Refusals send nothing. Errors: 42501 without the permissions reviews.write and customers.read there, 23514 or 23502 no text, '
  'or more than 4000 characters.';
grant execute on function public.answer_review(uuid, integer, text, uuid, uuid) to authenticated;

create function public.set_review_state(p_id uuid, p_version integer, p_state text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_review public.pre_spin_reviews := private.lock_review(p_id);
  v_verb constant text := case p_state when 'answered' then 'answered' when 'closed' then 'closed' else 'reopened' end;
begin
  -- PostgreSQL's own refusal would show the row, with the customer and the identifier that tells a phone its code.
  if p_state is null or p_state not in ('answered', 'closed', 'open', 'none') then
    raise exception 'unknown_state' using errcode = '23514';
  elsif v_review.handling_version is distinct from p_version then
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
$$;
comment on function public.set_review_state(uuid, integer, text) is
  'Says what became of a review: answered (elsewhere, as on the phone), closed, open (to be dealt with again), or none (as if '
  'nobody had decided). Outcomes: saved, conflict (somebody dealt with it meanwhile). Errors: 42501 without the permission '
  'reviews.write there, 23514 another word.';
grant execute on function public.set_review_state(uuid, integer, text) to authenticated;

create function public.assign_review(p_id uuid, p_colleague_id uuid default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  -- The right before any row: a lookup that finds no member would leave it unasked, and a key would learn who is one.
  v_org_ids constant uuid[] := array(select private.my_org_ids('reviews.write'));
  v_review public.pre_spin_reviews;
begin
  -- Members before reviews, as release_reviews locks them: a removal at the same time leaves nothing to who is gone.
  perform from public.organization_members m
  where m.user_id = p_colleague_id and m.org_id = any (v_org_ids) for share;
  v_review := private.lock_review(p_id);
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
  perform private.add_review_action(v_review, 'assigned', 'assigned', p_assignee_id => p_colleague_id);
end;
$$;
comment on function public.assign_review(uuid, uuid) is
  'Gives a review to a member who may take care of it, or to nobody (null). Error 42501 without the permission reviews.write '
  'there, on either side.';
grant execute on function public.assign_review(uuid, uuid) to authenticated;

create function private.release_reviews() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  if tg_op = 'DELETE' or not private.role_may(new.role, 'reviews.write') then
    update public.pre_spin_reviews r set assigned_to = null
    where r.org_id = old.org_id and r.assigned_to = old.user_id;
  end if;
  return null;
end;
$$;
comment on function private.release_reviews() is
  'Frees the reviews of a member who leaves, or whose new role takes care of none, for somebody else. Their history stays.';
create trigger release_reviews after delete or update of role on public.organization_members
  for each row execute function private.release_reviews();

create function public.note_review(p_id uuid, p_body text, p_request_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
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
  elsif private.is_repeated(v_review, p_request_id) then
    return;
  end if;
  perform private.add_review_action(v_review, 'note', 'noted', private.clean_text(p_body), p_request_id);
end;
$$;
comment on function public.note_review(uuid, text, uuid) is
  'Adds a note of the team to a review, once for a request. Errors: 42501 without the permissions reviews.write and '
  'customers.read there, TV180 the customer was erased, 23514 or 23502 no text, or more than 4000 characters.';
grant execute on function public.note_review(uuid, text, uuid) to authenticated;

create function public.save_answer_templates(p_org_id uuid, p_templates jsonb default null) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_templates constant jsonb := case jsonb_typeof(p_templates) when 'string' then (p_templates #>> '{}')::jsonb else p_templates end;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('reviews.write'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform pg_advisory_xact_lock(hashtextextended('answer templates ' || p_org_id, 0));
  delete from public.answer_templates t where t.org_id = p_org_id;
  insert into public.answer_templates (org_id, position, name, body)
  select p_org_id, t.position, private.clean_line(t.template ->> 'name'), private.clean_text(t.template ->> 'body')
  from jsonb_array_elements(v_templates) with ordinality as t (template, position);
  perform private.audit(p_org_id, 'templates.updated', 'organization', p_org_id);
end;
$$;
comment on function public.save_answer_templates(uuid, jsonb) is
  'Keeps the texts that answers begin with ([{name, body}], up to three); null goes back to the given ones. Errors: 42501 '
  'without the permission reviews.write there, 23514 or 23502 something is missing, too long or too many.';
grant execute on function public.save_answer_templates(uuid, jsonb) to authenticated;

create function private.note_delivery() returns trigger
language plpgsql security definer set search_path = ''
as $$
begin
  update public.review_actions a set delivery = case when new.state = 'failed' then 'failed' else 'sent' end
  where a.message_id = new.id;
  return null;
end;
$$;
comment on function private.note_delivery() is 'Writes down with an answer whether its mail was sent or given up.';
create trigger note_delivery after update of state on private.outbox
  for each row when (new.template in ('review_answer', 'review_gesture') and new.state <> 'queued') execute function private.note_delivery();

create function public.export_reviews(p_org_id uuid, p_member_id uuid, p_filters jsonb, p_is_named boolean)
returns table (
  created_at text, rating integer, text text, customer text, email text, phone text, is_erased boolean, locale text,
  store text, campaign text, state text, assignee text, answered_at text, answered_by text, answer text, gesture text,
  went_public boolean
)
language sql stable
begin atomic
  -- Materialized: asked once, where the planner would ask again for each moment of each row.
  with clock as materialized (select private.timezone_of(p_org_id) as timezone)
  select private.export_moment(r.created_at, z.timezone), r.rating, case when p_is_named then r.review_text end,
    case when p_is_named then nullif(btrim(r.customer_name), '') end, case when p_is_named then r.customer_email end,
    case when p_is_named then r.customer_phone end, r.customer_id is null, r.locale, s.name, c.name,
    private.review_state(r), w.name,
    private.export_moment(a.created_at, z.timezone), a.actor_name, case when p_is_named then a.body end, g.reward_name,
    r.public_click_at is not null
  from public.pre_spin_reviews r
  cross join clock z
  join public.stores s on s.org_id = r.org_id and s.id = r.store_id
  join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  -- « offset 0 »: few people take care of many reviews, and each answer is kept.
  left join lateral (select private.user_name(r.assigned_to) as name where r.assigned_to is not null offset 0) w on true
  left join lateral (
    select o.created_at, o.actor_name, o.body from public.review_actions o
    where o.org_id = r.org_id and o.review_id = r.id and o.kind in ('answer', 'answered')
    order by o.id desc limit 1
  ) a on true
  left join lateral (
    select d.reward_name from public.review_actions o
    join public.redemptions d on d.org_id = o.org_id and d.id = o.redemption_id
    where o.org_id = r.org_id and o.review_id = r.id and o.kind = 'gesture'
  ) g on true
  where r.org_id = p_org_id and private.is_in_inbox(r, p_filters, p_member_id)
    -- Each review in turn is asked whose it is, as in walk_reviews; nobody waits for all of them.
    and (private.search_pattern(p_filters ->> 'search') is null or (p_is_named and (
      (r.review_text is not null and private.has_review_words(r.review_text, private.search_pattern(p_filters ->> 'search'),
        private.pattern_hint(private.search_pattern(p_filters ->> 'search'))))
      or (select u.search_words like private.search_pattern(p_filters ->> 'search') from public.customers u
        where u.org_id = r.org_id and u.id = r.customer_id))))
  order by r.created_at desc, r.id desc;
end;
comment on function public.export_reviews(uuid, uuid, jsonb, boolean) is
  'Reviews of an organisation that pass the filters of the inbox (private.is_in_inbox; « mine » are those that the member '
  'takes care of) and the search, newest first, as an export shows them: with the last answer, and the reward of a code that was '
  'given. Other than in the list, a search finds all there are. Words and customers are null, and a search finds nothing, where nobody may be named.';
grant execute on function public.export_reviews(uuid, uuid, jsonb, boolean) to service_role;

-- Permissions -------------------------------------------------------------------------------------

-- Both are read and written through the functions above, which know a review by its alias.
alter table public.review_actions enable row level security;
grant select, insert, update, delete on public.review_actions to service_role;
alter table public.answer_templates enable row level security;
grant select, insert, update, delete on public.answer_templates to service_role;
