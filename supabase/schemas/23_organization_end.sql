-- The end of an organisation: its export and its deletion.
--
-- The organisation closes to the public at once. Its owner may undo that for 30 days or begin anew. Then everything is
-- deleted, in portions that block nobody else. The catalog names the tables, so that a later one is emptied as well.
-- The law keeps what was billed for ten years: without a name, it is only the provider's own numbers.

create function private.needs_owner(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select private.has_running_payments(o.id) or o.erase_at is null from public.organizations o where o.id = p_org_id;
$$;
comment on function private.needs_owner(uuid) is
  'Whether an organisation needs an owner. One that waits to be erased does only while payments run, which an owner has to cancel.';

create function private.notify_organization_end(p_org_id uuid, p_template text, p_user_id uuid default null) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_person record;
begin
  for v_person in
    select u.id, u.email, private.user_name(u.id) as name, o.name as organization, o.erase_at
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'organization.update'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_template, v_person.email, jsonb_build_object('name', v_person.name,
      'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', case when v_person.erase_at is null then '{}' else jsonb_build_object('day',
        jsonb_build_object('at', v_person.erase_at, 'timezone', private.timezone_of(p_org_id))) end)
        -- A mail to whoever asked names no reader: they may begin anew at once.
        || case when v_person.id is distinct from p_user_id then jsonb_build_object('reader',
          private.reader(p_org_id, v_person.id, 'organization.update')) else '{}' end,
      now() + interval '2 days');
  end loop;
end;
$$;
comment on function private.notify_organization_end(uuid, text, uuid) is
  'Writes to the owners and admins of an organisation that it will be erased, and when, or that it stays. The user who asked for it gets '
  'the mail wherever they are by then, others while they are still owner or admin.';

create function private.begin_end(p_org_id uuid, p_name text, p_user_id uuid) returns timestamptz
language plpgsql volatile set search_path = ''
as $$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o where o.id = p_org_id for no key update;
  if v_org.erase_at is not null then
    raise exception 'already_ending' using errcode = 'TV107';
  elsif private.typed_alike(coalesce(p_name, v_org.name)) <> private.typed_alike(v_org.name) then
    raise exception 'other_name' using errcode = 'TV106';
  elsif private.has_running_payments(v_org.id) then
    raise exception 'payments_running' using errcode = 'TV108';
  end if;
  update public.organizations o set erase_at = now() + private.export_time() where o.id = v_org.id
  returning o.erase_at into v_org.erase_at;
  update public.subscriptions s set is_ending = true where s.org_id = v_org.id;
  perform private.audit_as(v_org.id, p_user_id, 'organization.ended', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_end', p_user_id);
  return v_org.erase_at;
end;
$$;
comment on function private.begin_end(uuid, text, uuid) is
  'Closes an organisation to the public at once and lets it be erased in 30 days. For its owner, who types its name, or '
  'for the operator (no name, no user). Call it after private.lock_billing. Errors: TV106, TV107, TV108, as '
  'end_organization.';

create function public.end_organization(p_name text) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  -- Before any row: whoever subscribes or changes the plan meanwhile takes them in that order.
  perform private.lock_billing(o) from private.my_org_ids('organization.delete') o;
  select o.id into v_org_id from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return private.begin_end(v_org_id, coalesce(p_name, ''), private.my_user_id());
end;
$$;
comment on function public.end_organization(text) is
  'The owner asks for the organisation to be erased, by its name: it closes to the public at once and goes in 30 days. '
  'Answers when. Errors: 42501 to others, TV106 another name was typed, TV107 it was asked already, TV108 the payment '
  'provider would go on charging; then nothing is changed.';
grant execute on function public.end_organization(text) to authenticated;

create function public.keep_organization() returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_org.erase_at is null then
    return;
  -- From here on the job may be erasing its rows.
  elsif v_org.erase_at <= now() then
    raise exception 'too_late' using errcode = 'TV109';
  end if;
  update public.organizations o set erase_at = null where o.id = v_org.id;
  update public.subscriptions s set is_ending = false where s.org_id = v_org.id;
  -- Rights as they are once both rows are held: an owner who has left meanwhile would keep it without any.
  if v_org.id not in (select private.my_org_ids('organization.delete')) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org.id, 'organization.kept', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_kept', private.my_user_id());
end;
$$;
comment on function public.keep_organization() is
  'The owner takes back that the organisation shall be erased; nothing happens when nobody asked for it. Errors: 42501 to '
  'others, TV109 the 30 days are over.';
grant execute on function public.keep_organization() to authenticated;

create function public.deletion_summary(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_reviews bigint;
  v_wins bigint;
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('organization.delete'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select coalesce(sum(d.reviews), 0), coalesce(sum(d.wins), 0) into v_reviews, v_wins
  from private.campaign_figures_now(p_org_id) d;
  return jsonb_build_object(
    'stores', (select count(*) from public.stores s where s.org_id = p_org_id),
    'campaigns', (select count(*) from public.campaigns c where c.org_id = p_org_id),
    'customers', (select t.customers from private.customer_totals_now(p_org_id) t),
    'reviews', v_reviews,
    'codes', v_wins,
    'members', (select count(*) from public.organization_members m where m.org_id = p_org_id),
    'has_running_payments', private.has_running_payments(p_org_id));
end;
$$;
comment on function public.deletion_summary(uuid) is
  'Counts of what is deleted with an organisation, and whether running payments prevent that. The shape is deletionSummary of '
  '_shared/domain. Error 42501 to all but the owner.';
grant execute on function public.deletion_summary(uuid) to authenticated;

create function private.release_member(p_user_id uuid) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_org_id uuid;
  v_role text;
begin
  -- Its row instead of the team, as whoever takes the erasure back: what was taken back meanwhile loses nobody.
  select m.org_id into v_org_id
  from public.organization_members m
  join public.organizations o on o.id = m.org_id
  where m.user_id = p_user_id and o.erase_at is not null
  for share of o;
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id returning m.role into v_role;
  -- Nobody where a colleague has removed them meanwhile.
  if not found then
    return;
  end if;
  perform private.audit_as(v_org_id, p_user_id, 'member.left', 'member', p_user_id,
    jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  perform private.withdraw_powerless_invitations(v_org_id, p_user_id);
end;
$$;
comment on function private.release_member(uuid) is
  'Takes somebody, the owner too, out of an organisation that waits to be erased, for another one (design, section 5), with their '
  'invitations: once its owner has gone, nobody of it can take the erasure back but another owner.';

create function private.erase_rows(p_org_id uuid, p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_table regclass;
  v_count integer;
  v_total integer := 0;
begin
  for v_table in select t from private.tenant_tables() t loop
    execute format(
      'delete from %1$s t where t.ctid = any (array(select o.ctid from %1$s o where o.org_id = $1 limit $2))', v_table)
    using p_org_id, p_limit - v_total;
    get diagnostics v_count = row_count;
    v_total := v_total + v_count;
    exit when v_total >= p_limit;
  end loop;
  return v_total;
end;
$$;
comment on function private.erase_rows(uuid, integer) is
  'Deletes up to so many rows of an organisation, those first that nothing refers to. Answers how many.';

create function private.erase_organizations(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_org public.organizations;
  v_count integer;
begin
  select * into v_org from public.organizations o
  where o.erase_at <= now() and not private.has_running_payments(o.id)
  order by o.erase_at limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  -- Before its row goes; a portion later it is written already.
  with gone as (
    insert into private.ended_subscriptions (former_id, plan, stripe_customer_id, stripe_subscription_id, began_at)
    select s.org_id, s.plan, s.stripe_customer_id, s.stripe_subscription_id, v_org.created_at
    from public.subscriptions s where s.org_id = v_org.id and s.stripe_customer_id is not null
    on conflict do nothing
    returning stripe_customer_id
  )
  -- A subscription resumed at the provider, of which we do not know yet, is ended again.
  select count(private.enqueue_payment_task('reconcile', g.stripe_customer_id)) into v_count from gone g;
  -- People first: nobody reads or exports what is left between two portions. The mail has no brand, whose logo goes as well.
  with gone as (delete from public.organization_members m where m.org_id = v_org.id returning m.user_id)
  select count(private.enqueue_mail('organization_erased', u.email, jsonb_build_object('name', private.user_name(u.id),
    'facts', jsonb_build_object('organization', v_org.name)), now() + interval '2 days')) into v_count
  from gone g join auth.users u on u.id = g.user_id
  where u.email_confirmed_at is not null and u.email <> '';
  -- Former addresses are among the first rows to go; the others are retired before their own row does.
  perform private.retire_slug('organization', v_org.slug, v_org.id);
  perform private.retire_slug('organization', r.slug, v_org.id) from public.organization_slug_redirects r
  where r.org_id = v_org.id;
  perform private.retire_slug('campaign', r.slug, v_org.id) from public.campaign_slug_redirects r where r.org_id = v_org.id;
  -- The table of messages knows no organisation; what its customers were written bears their names and codes.
  delete from private.outbox o where o.customer like v_org.id || ' %';
  v_count := private.erase_rows(v_org.id, p_limit);
  if v_count < p_limit then
    delete from public.organizations o where o.id = v_org.id;
    -- As if the portion were full: the next organisation is looked at a second later.
    return p_limit;
  end if;
  return v_count;
end;
$$;
comment on function private.erase_organizations(integer) is
  'Job: everything of an organisation whose 30 days are over goes, a portion each run, its members first, the organisation itself last. '
  'A mail tells them. Nobody gets its public addresses. One that the payment provider would go on charging waits until it is cancelled there.';
insert into private.jobs (name, run_every) values ('erase_organizations', interval '10 minutes');

create function private.sweep_ended_subscriptions(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_count integer;
begin
  delete from private.ended_subscriptions e where e.former_id in (
    select o.former_id from private.ended_subscriptions o where o.ended_at < now() - interval '10 years'
    order by o.ended_at limit p_limit for update skip locked
  );
  get diagnostics v_count = row_count;
  return v_count;
end;
$$;
comment on function private.sweep_ended_subscriptions(integer) is 'Job: what was billed to organisations that are gone goes after 10 years.';
insert into private.jobs (name, run_every) values ('sweep_ended_subscriptions', interval '1 day');

create function public.begin_export_organization(
  p_user_id uuid, p_session_id uuid, p_aal text, p_org_id uuid, p_is_noted boolean
) returns text
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_refusal text := private.session_refusal(p_user_id, p_session_id, p_aal);
begin
  if v_refusal is not null then
    return v_refusal;
  elsif not exists (
    select 1 from public.organization_members m
    join public.role_permissions r on r.role = m.role and r.permission = 'organization.export'
    where m.user_id = p_user_id and m.org_id = p_org_id
  ) then
    return 'forbidden';
  elsif not private.is_readable(p_org_id) then
    return 'closed';
  -- One at a time for an organisation, and two for everybody, lists included: a connection each, for as long as they last.
  elsif not pg_try_advisory_xact_lock(hashtextextended('export of ' || p_org_id, 0))
    or not (pg_try_advisory_xact_lock(hashtextextended('export 1', 0))
      or pg_try_advisory_xact_lock(hashtextextended('export 2', 0)))
  then
    return 'busy';
  end if;
  if p_is_noted then
    perform private.audit_as(p_org_id, p_user_id, 'organization.exported', 'organization', p_org_id,
      (select jsonb_build_object('name', o.name) from public.organizations o where o.id = p_org_id));
  end if;
  return 'started';
end;
$$;
comment on function public.begin_export_organization(uuid, uuid, text, uuid, boolean) is
  'Whether a user whose token names a session and an assurance level may take along everything of an organisation now, '
  'whatever its plan; the place is held until the transaction ends, and it is written down when asked. Answers started, '
  'or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), busy (another '
  'export runs).';
grant execute on function public.begin_export_organization(uuid, uuid, text, uuid, boolean) to service_role;

create function public.export_organization(p_org_id uuid) returns table (name text, columns text[], query text)
language sql stable security definer set search_path = ''
as $$
  select c.relname::text, shown.columns,
    format('select to_json(r) as row from (select %s from %s where %I = %L order by %s) r', shown.list, c.oid::regclass,
      t.key, p_org_id, (
        select string_agg(quote_ident(a.attname), ', ' order by k.place)
        from pg_catalog.pg_constraint p, unnest(p.conkey) with ordinality k (number, place)
        join pg_catalog.pg_attribute a on a.attnum = k.number
        where p.conrelid = c.oid and p.contype = 'p' and a.attrelid = c.oid))
  from (
    select r::oid as oid, 'org_id' as key from private.tenant_tables() r
    union all
    select 'public.organizations'::regclass::oid, 'id'
  ) t
  join pg_catalog.pg_class c on c.oid = t.oid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
  cross join lateral (
    select array_agg(a.attname::text order by a.attnum) as columns,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as list
    from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      -- Columns that only serve the platform: spread counters, words to search by, marks against abuse.
      and a.attname::text !~ '(_hash|_token|_secret|_words|_normalized|_key)$' and a.attname not in ('shard', 'nonce')
  ) shown
  order by c.relname;
$$;
comment on function public.export_organization(uuid) is
  'Tables of an export of all of an organisation''s data: each with its columns and the query that reads its rows as '
  'JSON, in the order of the key. Read from the catalog, so that no table is forgotten.';
grant execute on function public.export_organization(uuid) to service_role;
