-- Why: mails stayed after the organisation or the account that they were for was erased, mails about a plan left to former admins, a name with a space that does not break could not be typed, and a consent did not say in which language it was asked for.

set check_function_bodies = off;

DROP INDEX "private"."outbox_customer_idx";

DROP INDEX "private"."outbox_given_up_idx";

DROP FUNCTION "private"."forget_given_up"(text[]);

DROP FUNCTION "private"."notify_organization_end"(uuid, text);

ALTER TABLE "public"."customers" ADD COLUMN "consent_locale" text;

CREATE OR REPLACE FUNCTION private.begin_end(p_org_id uuid, p_name text, p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o where o.id = p_org_id for update;
  if v_org.erase_at is not null then
    raise exception 'already_ending' using errcode = 'TV107';
  elsif private.typed_alike(coalesce(p_name, v_org.name)) <> private.typed_alike(v_org.name) then
    raise exception 'other_name' using errcode = 'TV106';
  elsif private.has_running_payments(v_org.id) then
    raise exception 'payments_running' using errcode = 'TV108';
  end if;
  update public.organizations o set erase_at = now() + interval '30 days' where o.id = v_org.id
  returning o.erase_at into v_org.erase_at;
  update public.subscriptions s set is_ending = true where s.org_id = v_org.id;
  perform private.audit_as(v_org.id, p_user_id, 'organization.ended', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_end', p_user_id);
  return v_org.erase_at;
end;
$function$;

CREATE OR REPLACE FUNCTION private.claim_messages(p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(id uuid, channel text, template text, recipient text, data jsonb, attempt integer, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  v_batch uuid[];
begin
  update private.outbox o
  set state = 'failed', last_error = coalesce(o.last_error, 'expired'), settled_at = p_now,
    data = case when private.is_lasting(o.template) then o.data else '{}' end
  where o.id = any (array(
    select due.id from private.outbox due
    where due.state = 'queued' and due.next_attempt_at <= p_now and due.expires_at <= p_now
    order by due.next_attempt_at limit 1000 for update skip locked
  ));
  -- Somebody may have left the team, or lost a right, since a notice was written; others are looked at in the place of what goes.
  loop
    v_batch := array(
      select due.id from private.outbox due
      where due.state = 'queued' and due.next_attempt_at <= p_now
      order by due.next_attempt_at limit p_limit for update skip locked
    );
    update private.outbox o set state = 'failed', last_error = 'reader_left', settled_at = p_now, data = '{}'
    where o.id = any (v_batch) and (
      o.data #>> '{facts,token}' is not null
        and not private.may_get_notice(o.channel, o.template, o.recipient, o.data -> 'facts')
      or o.data ? 'reader' and not private.is_reader(o.recipient, o.data -> 'reader'));
    exit when not found;
  end loop;
  return query
    update private.outbox o
    -- Longer than any mail server is waited for.
    set attempts = o.attempts + 1, next_attempt_at = p_now + interval '2 minutes'
    where o.id = any (v_batch)
    returning o.id, o.channel, o.template, o.recipient, o.data, o.attempts, o.created_at;
end;
$function$;

CREATE OR REPLACE FUNCTION private.erase_organizations(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
  insert into private.ended_subscriptions (former_id, plan, stripe_customer_id, stripe_subscription_id, began_at)
  select s.org_id, s.plan, s.stripe_customer_id, s.stripe_subscription_id, v_org.created_at
  from public.subscriptions s where s.org_id = v_org.id and s.stripe_customer_id is not null
  on conflict do nothing;
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
$function$;

CREATE OR REPLACE FUNCTION private.forget_colleague(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_name constant text := left(private.user_name(p_user_id), 200);
  v_org_ids constant uuid[] := array(
    select a.org_id from public.review_actions a where a.user_id = p_user_id
    union select m.org_id from public.organization_members m where m.user_id = p_user_id);
begin
  update public.review_actions a set actor_name = null where a.user_id = p_user_id and a.actor_name is not null;
  -- Whom a review was given to stands there by name alone, and null would be nobody.
  delete from public.review_actions a where a.org_id = any (v_org_ids) and a.kind = 'assigned' and a.assignee_name = v_name;
end;
$function$;

CREATE OR REPLACE FUNCTION private.forget_messages_to(p_contacts text[])
 RETURNS void
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  delete from private.outbox o
  where lower(o.recipient) = any (array(select lower(c) from unnest(p_contacts) c))
    -- Those of merchants to their customers go with such a customer.
    and (o.customer is null or o.template = 'low_rating')
    -- Written for an address, whoever has an account with it.
    and o.template <> 'contact_request' and (o.template <> 'invitation' or o.state <> 'queued');
$function$;

CREATE OR REPLACE FUNCTION private.is_reader(p_recipient text, p_reader jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from public.organization_members m
    join auth.users u on u.id = m.user_id
    where m.org_id = (p_reader ->> 'org_id')::uuid and m.user_id = (p_reader ->> 'user_id')::uuid
      and private.role_may(m.role, p_reader ->> 'permission') and u.email = p_recipient
  );
$function$;

CREATE OR REPLACE FUNCTION private.notify_organization_end(p_org_id uuid, p_template text, p_user_id uuid DEFAULT NULL::uuid)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.notify_plan_event(p_org_id uuid, p_kind text, p_about timestamp with time zone, p_day timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_person record;
begin
  -- Of two transactions about the same event the second waits for this row, and finds it stored.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return;
  end if;
  for v_person in
    select u.id, u.email, private.user_name(u.id) as name, o.name as organization, s.due_cents
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    join public.subscriptions s on s.org_id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'reader', private.reader(p_org_id, v_person.id, 'billing.manage'), 'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', jsonb_build_object('day', jsonb_build_object('at', p_day, 'timezone', private.timezone_of(p_org_id))))
        || case when v_person.due_cents is null then '{}' else jsonb_build_object('due_cents', v_person.due_cents) end,
      now() + interval '2 days');
  end loop;
end;
$function$;

CREATE OR REPLACE FUNCTION private.reader(p_org_id uuid, p_user_id uuid, p_permission text)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN jsonb_build_object('org_id', p_org_id, 'user_id', p_user_id, 'permission', p_permission);

CREATE OR REPLACE FUNCTION private.release_account(p_user_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_role text;
begin
  perform private.forget_messages_to(array[u.email, u.phone]) from auth.users u where u.id = p_user_id;
  perform private.forget_colleague(p_user_id);
  -- One that waits is the organisation's own affair: an address that proves nothing must not take it back.
  delete from private.invitations i where i.accepted_by = p_user_id;
  -- As in create_organization: nobody enters a team with an account that goes.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || p_user_id, 0));
  select m.org_id into v_org_id from public.organization_members m where m.user_id = p_user_id;
  if not found then
    return;
  end if;
  perform private.lock_team(v_org_id);
  select m.role into v_role from public.organization_members m
  where m.org_id = v_org_id and m.user_id = p_user_id for update;
  if not found then
    return;
  end if;
  -- An organisation that waits to be erased needs no owner any more.
  if private.role_may(v_role, 'owners.manage')
    and exists (select 1 from public.organizations o where o.id = v_org_id and o.erase_at is null)
  then
    perform private.require_other_owner(v_org_id, p_user_id);
  end if;
  perform private.audit_as(v_org_id, null, 'member.removed', 'member', p_user_id,
    jsonb_build_object('name', private.user_name(p_user_id), 'role', v_role));
  delete from public.organization_members m where m.org_id = v_org_id and m.user_id = p_user_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.stamp_consent()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if not new.consent_marketing then
    new.consent_at := null;
    new.consent_by := null;
    new.consent_version := null;
    new.consent_organizer := null;
    new.consent_locale := null;
  elsif tg_op = 'INSERT' or not old.consent_marketing then
    new.consent_at := now();
    -- Customers come without an account; whoever is signed in is one of the team.
    new.consent_by := case when auth.uid() is null then 'customer' else 'team' end;
    new.consent_version := case when new.consent_by = 'customer' then private.consent_version() end;
    -- The statement that gives it brings the page's language along.
    new.consent_locale := case when new.consent_by = 'customer' then new.locale end;
    new.consent_organizer := (select o.name from public.organizations o where o.id = new.org_id);
  end if;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.typed_alike(p_text text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
 SET search_path TO ''
RETURN regexp_replace(translate(private.clean_line(p_text), '  ’'::text, '  '''::text), ' {2,}'::text, ' '::text, 'g'::text);

CREATE OR REPLACE FUNCTION public.customer_detail(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  -- Asked first: of a plan that is over it tells, whether there is such a customer or not.
  v_org_ids constant uuid[] := array(select private.my_org_ids('customers.read'));
  v_customer public.customers;
begin
  select * into v_customer from public.customers c where c.org_id = any (v_org_ids) and c.id = p_id;
  if not found then
    return null;
  end if;
  return jsonb_build_object(
    'id', v_customer.id, 'version', v_customer.version, 'name', v_customer.name,
    'first_name', v_customer.first_name, 'last_name', v_customer.last_name, 'email', v_customer.email,
    'phone', v_customer.phone, 'locale', v_customer.locale, 'note', v_customer.note,
    'created_at', v_customer.created_at, 'last_activity_at', v_customer.last_activity_at,
    'consent', case when v_customer.consent_marketing then jsonb_build_object('at', v_customer.consent_at,
      'by', v_customer.consent_by, 'version', v_customer.consent_version, 'organizer', v_customer.consent_organizer, 'locale', v_customer.consent_locale) end,
    'review_count', v_customer.review_count, 'rating_sum', v_customer.rating_sum,
    'spin_count', v_customer.spin_count,
    'win_count', private.customer_wins(v_customer.org_id, p_id),
    'redemption_count', v_customer.redemption_count,
    'open_codes', (select count(*) from public.redemptions r
      where r.org_id = v_customer.org_id and r.customer_id = p_id and r.status = 'available'
        and (r.expires_at is null or r.expires_at > now())),
    'points', private.points_balance(v_customer.org_id, p_id),
    'reviews', private.customer_reviews(v_customer.org_id, p_id),
    'spins', private.customer_spins(v_customer.org_id, p_id),
    'redemptions', private.customer_redemptions(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))),
    'spends', private.customer_spends(v_customer.org_id, p_id,
      v_customer.org_id in (select private.my_org_ids('codes.read'))));
end;
$function$;

CREATE OR REPLACE FUNCTION public.keep_organization()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
begin
  select * into v_org from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_org.erase_at is null then
    return;
  -- Its rows may be going already.
  elsif v_org.erase_at <= now() then
    raise exception 'too_late' using errcode = 'TV109';
  end if;
  update public.organizations o set erase_at = null where o.id = v_org.id;
  update public.subscriptions s set is_ending = false where s.org_id = v_org.id;
  perform private.audit(v_org.id, 'organization.kept', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.notify_organization_end(v_org.id, 'organization_kept', private.my_user_id());
end;
$function$;

CREATE INDEX outbox_customer_idx ON private.outbox USING btree (customer text_pattern_ops) WHERE (customer IS NOT NULL);

CREATE INDEX outbox_recipient_idx ON private.outbox USING btree (lower(recipient));

CREATE INDEX review_actions_user_idx ON public.review_actions USING btree (user_id) WHERE (user_id IS NOT NULL);

COMMENT ON COLUMN "public"."customers"."consent_locale" IS 'Language in which that sentence was shown; null when the team gave the consent, and for those from before it was kept.';

COMMENT ON COLUMN "public"."review_actions"."actor_name" IS 'Their name at the time; null once their account is erased.';

COMMENT ON FUNCTION "private"."claim_messages"(integer, timestamp with time zone) IS 'Takes messages that are due, for two minutes: another worker gets them only when this one has not settled them by then. Those whose time is over are given up, and so are notices whose reader may not get them any more (private.may_get_notice, private.is_reader).';

COMMENT ON FUNCTION "private"."forget_colleague"(uuid) IS 'Takes the name of somebody whose account is erased out of what was done with reviews, and what was given to them to do. Reviews are kept for longer than the 13 months of the audit trail, which keeps the name.';

COMMENT ON FUNCTION "private"."forget_messages_to"(text[]) IS 'Deletes the messages to somebody whose account is erased, by their addresses and numbers: what waits is not sent, and nobody reads in what was sent or given up to which address.';

COMMENT ON FUNCTION "private"."is_reader"(text, jsonb) IS 'Whether somebody for whom a mail was written (private.reader) still has that permission there, and that address.';

COMMENT ON FUNCTION "private"."notify_organization_end"(uuid, text, uuid) IS 'Writes to the owners and admins of an organisation that it will be erased, and when, or that it stays. The user who asked for it gets the mail wherever they are by then, others while they are still owner or admin.';

COMMENT ON FUNCTION "private"."reader"(uuid, uuid, text) IS 'Data « reader » of a mail that is for whoever has a permission in an organisation: looked at again before it leaves (private.is_reader).';

COMMENT ON FUNCTION "private"."release_account"(uuid) IS 'Takes an account that is to be deleted out of its team, and writes that down there; messages to it, the invitation that it accepted and its name beside reviews go. Error TV104 for the last owner of an organisation that stays: it would belong to nobody. Whoever deletes calls it before the account is locked, as whoever joins a team locks that first.';

COMMENT ON FUNCTION "private"."typed_alike"(text) IS 'A text of one line as any keyboard types it: its spaces may break and its apostrophes are straight. Two names are compared so where somebody types the other from the screen.';

REVOKE ALL ON FUNCTION "private"."forget_colleague"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."forget_messages_to"(text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_reader"(text, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_organization_end"(uuid, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."reader"(uuid, uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."typed_alike"(text) FROM PUBLIC;

ALTER TABLE "public"."customers" ADD CONSTRAINT "customers_consent_locale_check" CHECK (private.is_language(consent_locale));
