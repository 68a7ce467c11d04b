-- Why: members are told of a bad review and of a stock that runs out on their phone or computer (Web Push).

set check_function_bodies = off;

DROP TRIGGER "audit_notifications" ON "public"."notification_preferences";

ALTER TABLE "private"."outbox" DROP CONSTRAINT "outbox_channel_check";

DROP FUNCTION "private"."message_failed"(uuid, integer, text, boolean, timestamp with time zone);

CREATE TABLE "private"."push_devices" ("id" uuid NOT NULL DEFAULT private.uuid_v7(), "org_id" uuid NOT NULL, "user_id" uuid NOT NULL, "session_id" uuid NOT NULL, "endpoint" text NOT NULL, "p256dh" text NOT NULL, "auth" text NOT NULL, "label" text NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), "last_used_at" timestamp with time zone, CONSTRAINT "push_devices_auth_check" CHECK ((auth ~ '^[A-Za-z0-9_-]{22}$'::text)), CONSTRAINT "push_devices_endpoint_key" UNIQUE (endpoint), CONSTRAINT "push_devices_label_check" CHECK (((length(label) >= 1) AND (length(label) <= 60) AND (label !~ '[[:cntrl:]]'::text))), CONSTRAINT "push_devices_p256dh_check" CHECK ((p256dh ~ '^B[A-Za-z0-9_-]{86}$'::text)), CONSTRAINT "push_devices_pkey" PRIMARY KEY (id));

ALTER TABLE "private"."push_devices" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."notification_preferences" ADD COLUMN "push_low_ratings" boolean NOT NULL DEFAULT true;

ALTER TABLE "public"."notification_preferences" ADD COLUMN "push_low_stock" boolean NOT NULL DEFAULT true;

ALTER TABLE "public"."notification_preferences" ADD COLUMN "push_asked_at" timestamp with time zone;

CREATE OR REPLACE FUNCTION private.export_push_devices(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object('device', d.label, 'service', split_part(d.endpoint, '/', 3),
    'created_at', d.created_at, 'last_used_at', d.last_used_at) order by d.created_at), '[]'::jsonb)
  from private.push_devices d where d.user_id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.is_push_endpoint(p_endpoint text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
AS $function$
  -- A name of the internet, without port or password: no number, and none of the names of a network at home.
  select length(p_endpoint) <= 1000
    and p_endpoint ~ '^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?/[A-Za-z0-9._~:/?#@!$&()*+,;=%-]*$'
    and p_endpoint !~ '^https://[^/]*\.(local|localhost|localdomain|internal|intranet|lan|home|corp|arpa|onion|test|invalid)/';
$function$;

CREATE OR REPLACE FUNCTION private.message_failed(p_id uuid, p_attempt integer, p_code text, p_permanent boolean, p_now timestamp with time zone DEFAULT now(), p_wait_s integer DEFAULT 0)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_state text;
begin
  update private.outbox o
  set last_error = p_code,
    next_attempt_at = p_now + verdict.delay,
    state = case when gives_up then 'failed' else 'queued' end,
    settled_at = case when gives_up then p_now end,
    -- One that has run out of time is of no use any more, unless it lasts.
    data = case when gives_up and not p_permanent and not private.is_lasting(o.template) then '{}' else o.data end
  from (
    select q.id, d.delay, p_permanent or p_now + d.delay >= q.expires_at as gives_up
    from private.outbox q
    cross join lateral (
      select greatest(private.retry_delay(q.attempts - q.attempts_before), make_interval(secs => p_wait_s)) as delay) d
    where q.id = p_id
  ) verdict
  where o.id = verdict.id and o.state = 'queued' and o.attempts = p_attempt
  returning o.state into v_state;
  return v_state;
end;
$function$;

CREATE OR REPLACE FUNCTION private.my_push_org(p_org_id uuid, p_permission text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  -- A key of the API is nobody who could look at a phone.
  if v_user_id is null or p_org_id is null or p_org_id <> all (array(select private.my_org_ids(p_permission))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_user_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.note_push(p_id uuid, p_is_gone boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if p_is_gone then
    delete from private.push_devices d where d.id = p_id;
  else
    update private.push_devices d set last_used_at = now() where d.id = p_id;
  end if;
end;
$function$;

CREATE OR REPLACE FUNCTION private.push_low_rating()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- Nearly always there is no device: one look into an index.
  if not exists (select 1 from private.push_devices d where d.org_id = new.org_id)
    or private.count_attempt(array['low rating push ' || new.org_id::text], '{30}', interval '1 hour') is not null
  then
    return null;
  end if;
  perform private.enqueue_message('push', 'low_rating', r.device_id::text,
    jsonb_build_object('store', s.name, 'rating', new.rating)
      || case when private.role_may(r.role, 'customers.read') and private.role_may(r.role, 'reviews.read')
        then jsonb_build_object('review', private.alias_of(new.id))
        else jsonb_build_object('campaign', new.campaign_id) end,
    now() + interval '1 day')
  from private.push_readers(new.org_id, 'low_rating') r
  join public.stores s on s.org_id = new.org_id and s.id = new.store_id;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.push_low_stock()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id uuid;
begin
  if not exists (select 1 from private.push_devices d where d.org_id = new.org_id)
    or not new.active or new.archived_at is not null
    -- A stock that goes up and down is a message once a day.
    or private.count_attempt(
      array['stock push ' || new.id::text || case when new.stock = 0 then ' none' else ' few' end], '{1}', interval '1 day') is not null
  then
    return null;
  end if;
  v_user_id := private.my_user_id();
  perform private.enqueue_message('push', 'low_stock', r.device_id::text,
    jsonb_strip_nulls(jsonb_build_object('store', s.name, 'prize', new.name, 'stock', new.stock,
      'reward', case when private.role_may(r.role, 'rewards.write') then new.id end)),
    now() + interval '1 day')
  from private.push_readers(new.org_id, 'low_stock') r
  join public.campaigns c on c.org_id = new.org_id and c.id = new.campaign_id and c.active
    and (c.ends_at is null or c.ends_at > now())
  join public.stores s on s.org_id = new.org_id and s.id = c.store_id
  -- Who has just typed the number knows it.
  where r.user_id is distinct from v_user_id;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.push_metrics()
 RETURNS TABLE(kind text, name text, amount double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$ select 'devices', 'push', count(*)::double precision from private.push_devices; $function$;

CREATE OR REPLACE FUNCTION private.push_readers(p_org_id uuid, p_kind text)
 RETURNS TABLE(device_id uuid, user_id uuid, role text)
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select d.id, d.user_id, m.role
  from private.push_devices d
  join public.organization_members m on m.org_id = d.org_id and m.user_id = d.user_id
  join auth.sessions s on s.id = d.session_id and s.user_id = d.user_id and (s.not_after is null or s.not_after > now())
  left join public.notification_preferences n on n.org_id = d.org_id and n.user_id = d.user_id
  where d.org_id = p_org_id
    and private.role_may(m.role, 'activity.read')
    and case p_kind
      when 'low_rating' then coalesce(n.push_low_ratings, true)
      when 'low_stock' then coalesce(n.push_low_stock, true) and private.role_may(m.role, 'rewards.read')
      else false end
    and not exists (
      select 1 from public.subscriptions u
      where u.org_id = p_org_id and (u.suspended_at is not null or u.is_ending or private.readable_until(u) <= now()));
$function$;

CREATE OR REPLACE FUNCTION private.push_target(p_id uuid, p_kind text)
 RETURNS TABLE(endpoint text, p256dh text, auth text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select d.endpoint, d.p256dh, d.auth
  from private.push_devices d
  cross join lateral private.push_readers(d.org_id, p_kind) r
  where d.id = p_id and r.device_id = d.id;
$function$;

CREATE OR REPLACE FUNCTION private.sweep_push_devices(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  delete from private.push_devices p where p.id = any (array(
    select d.id from private.push_devices d
    where not exists (select 1 from auth.sessions s where s.id = d.session_id and s.user_id = d.user_id
      and (s.not_after is null or s.not_after > now()))
    limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.answer_push_question(p_org_id uuid)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_push_org(p_org_id, null);
begin
  insert into public.notification_preferences as n (org_id, user_id, push_asked_at) values (p_org_id, v_user_id, now())
  on conflict (org_id, user_id) do update set push_asked_at = coalesce(n.push_asked_at, excluded.push_asked_at);
end;
$function$;

CREATE OR REPLACE FUNCTION public.push_settings(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_push_org(p_org_id, 'activity.read');
  v_session auth.sessions := private.my_session();
begin
  return (
    select jsonb_build_object('low_ratings', coalesce(n.push_low_ratings, true), 'low_stock', coalesce(n.push_low_stock, true),
      'is_asked', n.push_asked_at is not null,
      'devices', coalesce((
        select jsonb_agg(jsonb_build_object('id', d.id, 'label', d.label, 'created_at', d.created_at,
          'last_used_at', d.last_used_at, 'is_current', d.session_id = v_session.id) order by d.created_at desc, d.id)
        from private.push_devices d
        where d.org_id = p_org_id and d.user_id = v_user_id
          and exists (select 1 from auth.sessions s where s.id = d.session_id and s.user_id = v_user_id)), '[]'::jsonb))
    from (values (1)) one (row)
    left join public.notification_preferences n on n.org_id = p_org_id and n.user_id = v_user_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_push_device(p_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  delete from private.push_devices d where d.id = p_id and d.user_id = v_user_id;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_push_device(p_org_id uuid, p_endpoint text, p_p256dh text, p_auth text, p_label text)
 RETURNS uuid
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  c_most constant integer := 10;
  v_user_id constant uuid := private.my_push_org(p_org_id, 'activity.read');
  v_session auth.sessions := private.my_session();
  v_seconds integer;
  v_id uuid;
begin
  v_seconds := private.count_attempt(array['push device ' || v_user_id::text], '{60}', interval '1 hour');
  if v_seconds is not null then
    perform private.refuse_for_now('too_many_attempts', 'Too many attempts.', v_seconds);
  end if;
  -- One at a time, so that nobody passes the limit twice at once.
  perform 1 from public.organization_members m where m.org_id = p_org_id and m.user_id = v_user_id for no key update;
  delete from private.push_devices d
  where d.org_id = p_org_id and d.user_id = v_user_id
    -- A browser has one address at a time, and a session one browser.
    and (d.session_id = v_session.id and d.endpoint <> p_endpoint
      or not exists (select 1 from auth.sessions s where s.id = d.session_id and s.user_id = v_user_id));
  insert into private.push_devices as d (org_id, user_id, session_id, endpoint, p256dh, auth, label)
  values (p_org_id, v_user_id, v_session.id, p_endpoint, p_p256dh, p_auth, p_label)
  -- Who signs in on a browser takes its address over; who only heard of an address lacks its keys.
  on conflict (endpoint) do update
    set org_id = excluded.org_id, user_id = excluded.user_id, session_id = excluded.session_id, label = excluded.label
    where d.p256dh = excluded.p256dh and d.auth = excluded.auth
  returning d.id into v_id;
  if v_id is null then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.push_devices d where d.org_id = p_org_id and d.user_id = v_user_id) > c_most then
    raise exception 'push_device_limit' using errcode = 'TV200', detail = c_most::text;
  end if;
  return v_id;
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_push_kinds(p_org_id uuid, p_low_ratings boolean, p_low_stock boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_push_org(p_org_id, null);
begin
  insert into public.notification_preferences (org_id, user_id, push_low_ratings, push_low_stock)
  values (p_org_id, v_user_id, p_low_ratings, p_low_stock)
  on conflict (org_id, user_id) do update
    set push_low_ratings = excluded.push_low_ratings, push_low_stock = excluded.push_low_stock;
end;
$function$;

ALTER TABLE "private"."outbox" ADD CONSTRAINT "outbox_channel_check" CHECK ((channel = ANY (ARRAY['mail'::text, 'sms'::text, 'payment'::text, 'file'::text, 'push'::text])));

ALTER TABLE "private"."push_devices" ADD CONSTRAINT "push_devices_org_id_user_id_fkey" FOREIGN KEY (org_id, user_id) REFERENCES public.organization_members(org_id, user_id) ON DELETE CASCADE;

CREATE INDEX push_devices_member_idx ON private.push_devices USING btree (org_id, user_id);

CREATE TRIGGER audit_notifications AFTER UPDATE OF email, sms, low_ratings, summary, monthly_report, push_low_ratings, push_low_stock ON public.notification_preferences FOR EACH ROW WHEN (((old.email IS DISTINCT FROM new.email) OR (old.sms IS DISTINCT FROM new.sms) OR (old.low_ratings IS DISTINCT FROM new.low_ratings) OR (old.summary IS DISTINCT FROM new.summary) OR (old.monthly_report IS DISTINCT FROM new.monthly_report) OR (old.push_low_ratings IS DISTINCT FROM new.push_low_ratings) OR (old.push_low_stock IS DISTINCT FROM new.push_low_stock))) EXECUTE FUNCTION private.audit_notifications();

CREATE TRIGGER push_low_rating AFTER INSERT ON public.pre_spin_reviews FOR EACH ROW WHEN ((new.rating <= 3)) EXECUTE FUNCTION private.push_low_rating();

CREATE TRIGGER push_low_stock AFTER UPDATE OF stock ON public.rewards FOR EACH ROW WHEN (((new.stock >= 0) AND (new.stock <= 5) AND ((old.stock > 5) OR ((old.stock > 0) AND (new.stock = 0))))) EXECUTE FUNCTION private.push_low_stock();

COMMENT ON COLUMN "private"."outbox"."channel" IS 'mail, sms, payment (work at the payment provider), file (files to remove, on a hosted project), or push (a device of a member).';

COMMENT ON COLUMN "private"."outbox"."recipient" IS 'Address or phone number; a customer of the payment provider; the bucket of files; a device''s identifier (private.push_devices).';

COMMENT ON COLUMN "private"."push_devices"."auth" IS 'Secret that the device shares with us (16 bytes, base64url), part of the same encryption.';

COMMENT ON COLUMN "private"."push_devices"."created_at" IS 'When it was first registered.';

COMMENT ON COLUMN "private"."push_devices"."endpoint" IS 'Address of the device at its browser''s vendor.';

COMMENT ON COLUMN "private"."push_devices"."label" IS 'What its owner knows it by, such as « Chrome, Android ».';

COMMENT ON COLUMN "private"."push_devices"."last_used_at" IS 'When its vendor last took a message for it; null before the first.';

COMMENT ON COLUMN "private"."push_devices"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."push_devices"."p256dh" IS 'Public key of the device (P-256, uncompressed, base64url): messages are encrypted for it.';

COMMENT ON COLUMN "private"."push_devices"."session_id" IS 'Session that the device is signed in with; once it has ended, nothing is sent. Not a foreign key: a backup is restored without sessions.';

COMMENT ON COLUMN "private"."push_devices"."user_id" IS 'Member; who leaves the organisation has no device in it any more.';

COMMENT ON COLUMN "public"."notification_preferences"."push_asked_at" IS 'When the member answered the question whether to be notified on their device, either way; it is not put again.';

COMMENT ON COLUMN "public"."notification_preferences"."push_low_ratings" IS 'Whether the member''s devices are notified of a review of 3 stars or fewer; without a device, nothing happens.';

COMMENT ON COLUMN "public"."notification_preferences"."push_low_stock" IS 'Whether the member''s devices are notified of a stock that runs out.';

COMMENT ON FUNCTION "private"."export_push_devices"(uuid) IS 'Devices of somebody with an account (right of access): whose service brings the messages, without the address and keys that open it.';

COMMENT ON FUNCTION "private"."is_push_endpoint"(text) IS 'Whether a text can be a browser vendor''s address for a device: https, a public name, no port. Where that name leads is looked at again when a message leaves.';

COMMENT ON FUNCTION "private"."message_failed"(uuid, integer, text, boolean, timestamp with time zone, integer) IS 'Puts a claimed message back for a later attempt, not before so many seconds where the other side asks for them, or gives it up: when the failure is permanent, or when the next attempt would come too late. Answers queued or failed; null when it was no longer the caller''s.';

COMMENT ON FUNCTION "private"."my_push_org"(uuid, text) IS 'The signed-in member, who has a permission in an organisation (any role when null). Error 42501 otherwise, and for keys of the API.';

COMMENT ON FUNCTION "private"."note_push"(uuid, boolean) IS 'Notes that a device''s vendor took a message, or forgets the device where the vendor no longer knows it.';

COMMENT ON FUNCTION "private"."push_low_rating"() IS 'Tells devices of a review of 3 stars or fewer at once, with the store''s name and the stars alone: at most 30 an hour for one organisation.';

COMMENT ON FUNCTION "private"."push_low_stock"() IS 'Tells devices that a stock of a running campaign has come down to five, and that it is empty, once a day and prize each; not those of whoever changed it themselves.';

COMMENT ON FUNCTION "private"."push_metrics"() IS 'How many devices are registered for push messages, for a monitoring system.';

COMMENT ON FUNCTION "private"."push_readers"(uuid, text) IS 'Devices of an organisation that are notified of a kind (low_rating, low_stock): those of members who want it, may read it, and are signed in there still. None once the organisation is suspended, is being ended, or can no longer be read.';

COMMENT ON FUNCTION "private"."push_target"(uuid, text) IS 'Where a message of a kind goes, and for whom it is encrypted; no row where the device is gone or its owner is no longer to be notified.';

COMMENT ON FUNCTION "private"."sweep_push_devices"(integer) IS 'Job: devices whose session has ended go; nothing was sent to them since.';

COMMENT ON FUNCTION "public"."answer_push_question"(uuid) IS 'Remembers that the signed-in member has answered whether to be notified on their device, so that no screen asks again. Error 42501 to members of another organisation and to keys of the API.';

COMMENT ON FUNCTION "public"."push_settings"(uuid) IS 'Which push messages the signed-in member wants, their devices (never an address or a key), and whether they were asked. The shape is pushSettings of _shared/domain. Error 42501 without activity.read, and for keys of the API.';

COMMENT ON FUNCTION "public"."remove_push_device"(uuid) IS 'Forgets a device of the signed-in user. False when they have no such device. Errors of my_user_id().';

COMMENT ON FUNCTION "public"."save_push_device"(uuid, text, text, text, text) IS 'Registers the browser of the signed-in member''s session for push messages, again whenever it is opened; answers its identifier. Errors: 42501 without activity.read, for keys of the API, and for an address of somebody else; TV200 ten devices are registered (detail: the limit); 23514 not an address or keys of a browser; 23502 a null; 60 times an hour at most (429).';

COMMENT ON FUNCTION "public"."save_push_kinds"(uuid, boolean, boolean) IS 'Saves of what the signed-in member''s devices are notified: reviews of 3 stars or fewer, stocks that run out. Errors: 42501 to members of another organisation and to keys of the API, 23502 a null.';

COMMENT ON TABLE "private"."push_devices" IS 'Devices that members want to be notified on. Addresses and keys are secrets of the member: no answer and no export holds them.';

REVOKE ALL ON FUNCTION "private"."export_push_devices"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_push_endpoint"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."message_failed"(uuid, integer, text, boolean, timestamp with time zone, integer) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."message_failed"(uuid, integer, text, boolean, timestamp with time zone, integer) TO "service_role";

REVOKE ALL ON FUNCTION "private"."my_push_org"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."note_push"(uuid, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."note_push"(uuid, boolean) TO "service_role";

REVOKE ALL ON FUNCTION "private"."push_low_rating"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."push_low_stock"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."push_metrics"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."push_metrics"() TO "service_role";

REVOKE ALL ON FUNCTION "private"."push_readers"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."push_target"(uuid, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."push_target"(uuid, text) TO "service_role";

REVOKE ALL ON FUNCTION "private"."sweep_push_devices"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."answer_push_question"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."answer_push_question"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."push_settings"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."push_settings"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."remove_push_device"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."remove_push_device"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."save_push_device"(uuid, text, text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."save_push_device"(uuid, text, text, text, text) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."save_push_kinds"(uuid, boolean, boolean) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."save_push_kinds"(uuid, boolean, boolean) TO "authenticated";

COMMENT ON COLUMN "private"."push_devices"."id" IS 'Identifier, which messages of the outbox name.';

ALTER TABLE "private"."push_devices" ADD CONSTRAINT "push_devices_endpoint_check" CHECK (private.is_push_endpoint(endpoint));

insert into private.jobs (name, run_every) values ('sweep_push_devices', interval '1 hour');
