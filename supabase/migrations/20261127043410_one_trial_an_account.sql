-- Why: somebody who left an organisation to a colleague, or whose organisation had been erased, began another free trial.

set check_function_bodies = off;

CREATE TABLE "private"."account_trials" ("user_id" uuid NOT NULL, "trial_end" timestamp with time zone NOT NULL, CONSTRAINT "account_trials_pkey" PRIMARY KEY (user_id));

ALTER TABLE "private"."account_trials" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.export_account(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'account', jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'metadata', u.raw_user_meta_data,
      'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at, 'last_sign_in_at', u.last_sign_in_at,
      'new_email', nullif(u.email_change, ''), 'new_phone', nullif(u.phone_change, ''),
      'phone_confirmed_at', u.phone_confirmed_at, 'invited_at', u.invited_at, 'banned_until', u.banned_until,
      'trial_end', (select t.trial_end from private.account_trials t where t.user_id = u.id)),
    'ways_in', (select jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
      'created_at', i.created_at, 'last_sign_in_at', i.last_sign_in_at) order by i.created_at) from auth.identities i where i.user_id = u.id),
    'second_factors', (select jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
      'phone', f.phone, 'status', f.status, 'created_at', f.created_at, 'last_asked_at', f.last_challenged_at,
      'addresses', (select jsonb_agg(distinct host(h.ip_address)) from auth.mfa_challenges h where h.factor_id = f.id))
      order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id),
    'passkeys', (select jsonb_agg(jsonb_build_object('name', k.friendly_name, 'created_at', k.created_at,
      'last_used_at', k.last_used_at) order by k.created_at) from auth.webauthn_credentials k where k.user_id = u.id),
    'sessions', (select jsonb_agg(jsonb_build_object('created_at', s.created_at, 'last_seen_at', s.refreshed_at, 'device', s.user_agent,
      'address', host(s.ip)) order by s.created_at) from auth.sessions s where s.user_id = u.id),
    'membership', (select jsonb_agg(jsonb_build_object('organization', o.name, 'role', m.role, 'added_at', m.added_at,
        'store', (select s.name from public.stores s where s.org_id = m.org_id and s.id = m.store_id)))
      from public.organization_members m join public.organizations o on o.id = m.org_id where m.user_id = u.id),
    'invitations', (select jsonb_agg(jsonb_build_object('organization', o.name, 'address', v.email, 'role', v.role,
        'sent_at', v.sent_at, 'accepted_at', v.accepted_at, 'withdrawn_at', v.withdrawn_at) order by v.id)
      from private.invitations v join public.organizations o on o.id = v.org_id
      where v.accepted_by = u.id or private.normalize_email(v.email) = private.normalize_email(u.email)),
    'api_keys', (select jsonb_agg(jsonb_build_object('name', k.name, 'created_at', k.created_at) order by k.id)
      from private.api_keys k where k.created_by = u.id),
    -- Of codes and reviews the identifiers: whose they are is another's.
    'till', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'redemption_id', e.redemption_id)
      order by e.id) from public.redemption_events e where e.user_id = u.id),
    'points_handed_out', (select jsonb_agg(jsonb_build_object('at', s.used_at, 'spend_id', s.id) order by s.id)
      from public.points_spends s where s.used_by = u.id),
    'reviews_dealt_with', (select jsonb_agg(jsonb_build_object('at', a.created_at, 'kind', a.kind, 'review_id', a.review_id,
      'as', a.actor_name) order by a.id) from public.review_actions a where a.user_id = u.id),
    'messages', (select jsonb_agg(jsonb_build_object('channel', o.channel, 'template', o.template, 'state', o.state,
        'created_at', o.created_at, 'settled_at', o.settled_at) order by o.id)
      from private.outbox o where lower(o.recipient) in (lower(u.email), u.phone)
        -- Those of merchants to their customers are such a customer's.
        and (o.customer is null or o.template = 'low_rating')),
    'notices', (select jsonb_agg(jsonb_build_object('email', n.email, 'sms', n.sms, 'low_ratings', n.low_ratings,
      'summary', n.summary, 'monthly_report', n.monthly_report, 'push_low_ratings', n.push_low_ratings,
      'push_low_stock', n.push_low_stock, 'push_asked_at', n.push_asked_at))
      from public.notification_preferences n where n.user_id = u.id),
    -- Details may name colleagues and people who were invited: only fields that identify nobody are answered.
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'subject', e.subject_type, 'as', e.actor_name,
        'subject_id', e.subject_id, 'detail', (select coalesce(jsonb_object_agg(d.key, d.value), '{}')
          from jsonb_each(e.detail) d where d.key in ('fields', 'plan', 'former_plan', 'billing', 'former_billing')))
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.previous_trial_end(p_user_id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select least(
    (select t.trial_end from private.account_trials t where t.user_id = p_user_id), (
    select min(s.trial_end)
    from public.organization_members m
    join public.organizations o on o.id = m.org_id and o.erase_at is not null
    join public.role_permissions p on p.role = m.role and p.permission = 'organization.delete'
    join public.subscriptions s on s.org_id = o.id
    where m.user_id = p_user_id));
$function$;

CREATE OR REPLACE FUNCTION public.create_organization(p_name text, p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_trial_end timestamptz;
  v_org public.organizations;
begin
  -- An account that has proven neither an address nor a number is nobody yet.
  if not exists (
    select 1 from auth.users u
    where u.id = v_user_id and (u.email_confirmed_at is not null or u.phone_confirmed_at is not null)
  ) then
    raise exception 'not_confirmed' using errcode = '42501';
  end if;
  -- Two clicks take turns, so that the second learns what the first has done.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  v_trial_end := private.previous_trial_end(v_user_id);
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  insert into public.organizations (name, slug) values (btrim(p_name), p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  update public.subscriptions s set trial_end = v_trial_end where s.org_id = v_org.id and v_trial_end < s.trial_end;
  insert into private.account_trials (user_id, trial_end)
  select v_user_id, s.trial_end from public.subscriptions s where s.org_id = v_org.id
  on conflict (user_id) do nothing;
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$function$;

ALTER TABLE "private"."account_trials" ADD CONSTRAINT "account_trials_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

COMMENT ON COLUMN "private"."account_trials"."trial_end" IS 'When its trial ends.';

COMMENT ON COLUMN "private"."account_trials"."user_id" IS 'Account that opened an organisation.';

COMMENT ON FUNCTION "private"."previous_trial_end"(uuid) IS 'When the free trial ends that an account began, or that an owner had with the organisation that waits to be erased; null without one. A trial is an account''s (specification, section 1), not an organisation''s.';

COMMENT ON FUNCTION "public"."create_organization"(text, text) IS 'Makes an organisation with its owner, free trial and notification preferences: all of it or nothing, and one a user, whatever happens at once; a member of one that waits to be erased leaves it. Whoever had a trial goes on with it. Errors: 42501 without a confirmed address or number; TV020 already a member; 23505 the slug is taken; 23514 or 23502 name or slug are not well formed; TV021 the membership and TV022 the subscription failed.';

COMMENT ON TABLE "private"."account_trials" IS 'Free trials of accounts: one each, whatever became of the organisation that it began with. Gone with the account.';


-- The trials of those who opened the organisations of today.
insert into private.account_trials (user_id, trial_end)
select m.user_id, s.trial_end
from (
  select distinct on (o.org_id) o.org_id, o.user_id from public.organization_members o
  where o.role = 'owner' order by o.org_id, o.added_at, o.user_id
) m
join public.subscriptions s on s.org_id = m.org_id
where s.trial_end is not null
on conflict (user_id) do nothing;
