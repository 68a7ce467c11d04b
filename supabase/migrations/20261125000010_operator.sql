-- Why: what the operator does for merchants leaves a trail, and an organisation can be suspended

set check_function_bodies = off;

CREATE TABLE "private"."operator_events" ("id" uuid NOT NULL DEFAULT private.uuid_v7(), "action" text NOT NULL, "subject_id" uuid, "note" text NOT NULL DEFAULT ''::text, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "operator_events_action_check" CHECK ((action ~ '^[a-z]+\.[a-z_]+$'::text)), CONSTRAINT "operator_events_note_check" CHECK ((length(note) <= 500)), CONSTRAINT "operator_events_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."operator_events" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."subscriptions" ADD COLUMN "suspended_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.export_account(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'account', jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'metadata', u.raw_user_meta_data,
      'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at, 'last_sign_in_at', u.last_sign_in_at),
    'ways_in', (select jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
      'created_at', i.created_at) order by i.created_at) from auth.identities i where i.user_id = u.id),
    'second_factors', (select jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
      'phone', f.phone, 'status', f.status, 'created_at', f.created_at) order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id),
    'sessions', (select jsonb_agg(jsonb_build_object('created_at', s.created_at, 'device', s.user_agent,
      'address', host(s.ip)) order by s.created_at) from auth.sessions s where s.user_id = u.id),
    'membership', (select jsonb_agg(jsonb_build_object('organization', o.name, 'role', m.role, 'added_at', m.added_at))
      from public.organization_members m join public.organizations o on o.id = m.org_id where m.user_id = u.id),
    'notices', (select jsonb_agg(jsonb_build_object('email', n.email, 'sms', n.sms, 'low_ratings', n.low_ratings,
      'summary', n.summary)) from public.notification_preferences n where n.user_id = u.id),
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'detail', e.detail)
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.export_customer(p_org_id uuid, p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_table record;
  v_rows jsonb;
  v_all jsonb := '{}';
begin
  for v_table in
    select c.oid::regclass as name, c.relname as title,
      case when c.relname = 'customers' then 'id' else 'customer_id' end as key,
      array_agg(a.attname::text order by a.attnum) as columns
    from private.tenant_tables() t
    join pg_catalog.pg_class c on c.oid = t::oid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      -- As in export_organization.
      and a.attname::text !~ '(_hash|_token|_words|_normalized|_key)$' and a.attname not in ('shard', 'nonce')
    where c.relnamespace = 'public'::regnamespace and (c.relname = 'customers' or exists (
      select 1 from pg_catalog.pg_attribute k
      where k.attrelid = c.oid and k.attname = 'customer_id' and not k.attisdropped))
    group by c.oid, c.relname
  loop
    execute format('select jsonb_agg(to_jsonb(r)) from (select %s from %s where org_id = $1 and %I = $2) r',
      (select string_agg(quote_ident(k), ', ') from unnest(v_table.columns) k), v_table.name, v_table.key)
    into v_rows using p_org_id, p_id;
    if v_rows is not null then
      v_all := v_all || jsonb_build_object(v_table.title, v_rows);
    end if;
  end loop;
  return v_all;
end;
$function$;

CREATE OR REPLACE FUNCTION private.is_open(p_subscription public.subscriptions)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
begin
  return not p_subscription.is_ending and p_subscription.suspended_at is null
    and private.is_plan_open(p_subscription);
end;
$function$;

CREATE OR REPLACE FUNCTION private.suspend_organization(p_org_id uuid, p_is_suspended boolean)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
begin
  -- As in end_organization: before any row.
  perform private.lock_billing(p_org_id);
  update public.subscriptions s set suspended_at = case when p_is_suspended then now() end
  where s.org_id = p_org_id and (s.suspended_at is not null) <> p_is_suspended;
  if not found then
    return false;
  end if;
  perform private.audit_as(p_org_id, null,
    case when p_is_suspended then 'organization.suspended' else 'organization.resumed' end,
    'organization', p_org_id, (select jsonb_build_object('name', o.name) from public.organizations o where o.id = p_org_id));
  return true;
end;
$function$;

CREATE TRIGGER refuse_operator_event_change BEFORE DELETE OR UPDATE ON private.operator_events FOR EACH ROW EXECUTE FUNCTION private.refuse_audit_change();

COMMENT ON COLUMN "private"."operator_events"."action" IS 'What was done, as subject.verb: account.erased, organization.suspended …';

COMMENT ON COLUMN "private"."operator_events"."created_at" IS 'When.';

COMMENT ON COLUMN "private"."operator_events"."note" IS 'Name of a job, or how an identity was checked in the operator''s words; up to 500 characters.';

COMMENT ON COLUMN "private"."operator_events"."subject_id" IS 'Account, organisation or customer that it was done to; it may be gone. Null for a search, a job and messages.';

COMMENT ON COLUMN "public"."subscriptions"."suspended_at" IS 'When the operator suspended its organisation, whatever its plan; null while it is not.';

COMMENT ON FUNCTION "private"."export_account"(uuid) IS 'Everything that the platform keeps of somebody with an account (right of access), without what opens it; null without one.';

COMMENT ON FUNCTION "private"."export_customer"(uuid, uuid) IS 'Everything that an organisation keeps of a customer, by table (right of access). Read from the catalog, so that no table is forgotten; what only serves the platform is left out.';

COMMENT ON FUNCTION "private"."is_open"(public.subscriptions) IS 'Whether a subscription keeps the public pages open: its plan does (private.is_plan_open), and its organisation neither waits to be erased nor is suspended by the operator.';

COMMENT ON FUNCTION "private"."suspend_organization"(uuid, boolean) IS 'Closes an organisation to the public and its back-office to changes, or opens both again; reading, exporting and the plan stay as they are. Written down in its own trail, as done by the platform. False when it is so already.';

COMMENT ON TABLE "private"."operator_events" IS 'What the operator did by a command, one row each, kept without end: identifiers alone, no name and no address.';

REVOKE ALL ON FUNCTION "private"."export_account"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."export_customer"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."suspend_organization"(uuid, boolean) FROM PUBLIC;

CREATE INDEX operator_events_subject_idx ON private.operator_events USING btree (subject_id, id) WHERE (subject_id IS NOT NULL);

COMMENT ON COLUMN "private"."operator_events"."id" IS 'Identifier, ordered by time.';
