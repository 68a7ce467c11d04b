-- Exports: lists that a merchant takes along as a file.
--
-- They have the same filters and permissions as the lists, and are sent row by row. That of reviews is with their inbox
-- (24_review_inbox.sql).

create function private.includes_export(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select private.has_feature(p_org_id, 'csv_export');
$$;
comment on function private.includes_export(uuid) is 'Whether an organisation''s plan exports lists (specification, section 9).';

create function public.begin_export(
  p_user_id uuid, p_session_id uuid, p_aal text, p_type text, p_org_id uuid,
  out outcome text, out is_named boolean
) returns record
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_permissions text[];
begin
  outcome := private.session_refusal(p_user_id, p_session_id, p_aal);
  if outcome is not null then
    return;
  end if;
  select array_agg(r.permission) into v_permissions
  from public.organization_members m join public.role_permissions r on r.role = m.role
  where m.user_id = p_user_id and m.org_id = p_org_id;
  is_named := coalesce('customers.read' = any (v_permissions), false);
  outcome := case
    when not coalesce(
      case p_type when 'customers' then 'customers.read' when 'redemptions' then 'codes.read' when 'reviews' then 'reviews.read'
        when 'campaigns' then 'campaigns.read' end = any (v_permissions), false)
      then 'forbidden'
    when not private.is_readable(p_org_id) then 'closed'
    when not private.includes_export(p_org_id) then 'plan'
    -- One at a time for an organisation, and two for everybody: a connection each, for as long as they last.
    when not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
      or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
        or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
      then 'busy'
    else 'started'
  end;
end;
$$;
comment on function public.begin_export(uuid, uuid, text, text, uuid) is
  'Whether a user may export customers (customers.read), redemptions (codes.read), reviews (reviews.read) or campaigns (campaigns.read) of an '
  'organisation now, with the session and the assurance level of their token. Whether customers may be named to them. The place is held until the '
  'transaction ends. Outcomes: started, or why not: session_ended, second_factor_required, forbidden, closed (the plan '
  'ended 30 days ago), plan (none that exports), busy (another export runs).';
grant execute on function public.begin_export(uuid, uuid, text, text, uuid) to service_role;

create function private.export_moment(p_at timestamptz, p_timezone text) returns text
language sql stable parallel safe
return to_char(p_at at time zone p_timezone, 'DD/MM/YYYY HH24:MI');
comment on function private.export_moment(timestamptz, text) is 'A moment as spreadsheets in French read it.';
grant execute on function private.export_moment(timestamptz, text) to service_role;

create function public.export_customers(p_org_id uuid, p_filters jsonb)
returns table (
  first_name text, last_name text, name text, email text, phone text, consent boolean, consent_at text, locale text,
  store text, reviews integer, rating_sum integer, spins integer, wins integer, redemptions integer,
  last_activity_at text, created_at text
)
language sql stable
begin atomic
  -- Materialized: asked once, where the planner would ask again for each moment of each row.
  with clock as materialized (select private.timezone_of(p_org_id) as timezone)
  select c.first_name, c.last_name, c.name, c.email, c.phone, c.consent_marketing,
    private.export_moment(c.consent_at, z.timezone), c.locale, s.name, c.review_count, c.rating_sum, c.spin_count,
    private.customer_wins(c.org_id, c.id), c.redemption_count, private.export_moment(c.last_activity_at, z.timezone),
    private.export_moment(c.created_at, z.timezone)
  from public.customers c
  cross join clock z
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  where c.org_id = p_org_id and private.matches_filters(c, p_filters)
    and (p_filters -> 'ids' is null or c.id = any (array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid)))
  order by c.created_at desc, c.id desc;
end;
comment on function public.export_customers(uuid, jsonb) is
  'Customers of an organisation that pass the filters of the list (private.matches_filters), or those of them that were ticked '
  '(ids), newest first, as an export shows them.';
grant execute on function public.export_customers(uuid, jsonb) to service_role;

create function public.export_redemptions(p_org_id uuid, p_filters jsonb, p_is_named boolean)
returns table (
  code text, status text, reward text, campaign text, store text, customer text, email text, created_at text,
  expires_at text, used_at text, used_store text, used_by text, origin text
)
language sql stable
begin atomic
  -- Materialized: asked once, where the planner would ask again for each moment of each row.
  with clock as materialized (select private.timezone_of(p_org_id) as timezone)
  select r.code,
    coalesce(r.verdict, private.code_state(r)),
    r.reward_name, c.name, v.name, case when p_is_named then r.end_user_name end,
    case when p_is_named then r.end_user_email end,
    private.export_moment(r.created_at, z.timezone), private.export_moment(r.expires_at, v.timezone),
    private.export_moment(r.used_at, z.timezone), s.name,
    u.name, case when r.spin_id is null then 'goodwill' else 'wheel' end
  from public.redemptions r
  cross join clock z
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  join public.stores v on v.org_id = r.org_id and v.id = r.store_id
  left join public.stores s on s.org_id = r.org_id and s.id = r.used_store_id
  -- « offset 0 »: few people take many codes, and each answer is kept.
  left join lateral (select private.user_name(r.used_by) as name where r.used_by is not null offset 0) u on true
  where r.org_id = p_org_id
    and ((p_filters ->> 'reward_id') is null or r.reward_id = (p_filters ->> 'reward_id')::uuid)
    and (p_filters -> 'ids' is null or r.id = any (array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid)))
    and ((p_filters ->> 'status') is null or (p_filters ->> 'status') = coalesce(r.verdict, private.code_state(r)))
    and (private.code_patterns(p_filters ->> 'search') is null or case
      -- Stored words: computing them for each row costs more.
      when p_is_named then r.words like any (private.code_patterns(p_filters ->> 'search'))
      else starts_with(r.code_key, private.code_prefix(p_filters ->> 'search')) end)
  order by r.created_at desc, r.id desc;
end;
comment on function public.export_redemptions(uuid, jsonb, boolean) is
  'Codes of an organisation, newest first, as an export shows them; filters: reward_id, ids, status, search. Where nobody may be '
  'named, customers and their e-mails are null, and a search means how the code begins.';
grant execute on function public.export_redemptions(uuid, jsonb, boolean) to service_role;

create function public.export_campaigns(p_org_id uuid, p_filters jsonb)
returns table (
  name text, is_archived boolean, active boolean, starts_at timestamptz, ends_at timestamptz, store text, begun text,
  ended text, created text, scans integer, reviews integer, rating_sum integer, spins integer, wins integer,
  redemptions integer
)
-- Figures of all are added up before the first row is sent: campaigns are some hundreds at most.
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_pattern constant text := private.words_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
begin
  return query
  with sums as (
    select d.campaign_id, sum(d.scans)::integer as scans, sum(d.reviews)::integer as reviews,
      sum(d.rating_sum)::integer as rating_sum, sum(d.spins)::integer as spins, sum(d.wins)::integer as wins,
      sum(d.redemptions)::integer as redemptions
    from private.campaign_figures_now(p_org_id) d group by d.campaign_id
  )
  select c.name, c.archived_at is not null, c.active, c.starts_at, c.ends_at, s.name,
    private.export_moment(coalesce(c.starts_at, c.created_at), z.timezone), private.export_moment(c.ends_at, z.timezone),
    private.export_moment(c.created_at, z.timezone), coalesce(f.scans, 0), coalesce(f.reviews, 0), coalesce(f.rating_sum, 0),
    coalesce(f.spins, 0), coalesce(f.wins, 0), coalesce(f.redemptions, 0)
  from public.campaigns c
  left join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  cross join lateral (select coalesce(s.timezone, private.timezone_of(p_org_id)) as timezone) z
  left join sums f on f.campaign_id = c.id
  where c.org_id = p_org_id
    and (c.archived_at is not null) = coalesce((p_filters ->> 'is_archived')::boolean, false)
    and (p_filters -> 'ids' is null or c.id = any (array(select jsonb_array_elements_text(p_filters -> 'ids')::uuid)))
    and (v_pattern is null or private.has_words(c.name, v_pattern, v_hint) or private.has_words(s.name, v_pattern, v_hint))
  order by c.created_at desc, c.id;
end;
$$;
comment on function public.export_campaigns(uuid, jsonb) is
  'Campaigns of an organisation, newest first, as an export shows them: dates as their store counts them, and figures of all their '
  'time. Filters: is_archived (else those in use), ids (those that were ticked), search (part of a name or a store''s name).';
grant execute on function public.export_campaigns(uuid, jsonb) to service_role;
