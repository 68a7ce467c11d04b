-- Push messages: what a member's phone or computer shows while Tournavis is not open.
--
-- A browser gives out an address at its vendor's service, and keys that only it can read with. Such an address is kept for one
-- session of one member, and is never shown. Messages go through the outbox, which names a device and never its
-- address. Whether its owner may still be notified is asked when a message leaves, not when it is written.

create function private.is_push_endpoint(p_endpoint text) returns boolean
language sql immutable set search_path = ''
as $$
  -- A name of the internet, without port or password: no number, and none of the names of a network at home.
  select length(p_endpoint) <= 1000
    and p_endpoint ~ '^https://([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?/[A-Za-z0-9._~:/?#@!$&()*+,;=%-]*$'
    and p_endpoint !~ '^https://[^/]*\.(local|localhost|localdomain|internal|intranet|lan|home|corp|arpa|onion|test|invalid)/';
$$;
comment on function private.is_push_endpoint(text) is
  'Whether a text can be a browser vendor''s address for a device: https, a public name, no port. Where that name leads is looked at '
  'again when a message leaves.';

create table private.push_devices (
  id uuid primary key default private.uuid_v7(),
  org_id uuid not null,
  user_id uuid not null,
  session_id uuid not null,
  endpoint text not null unique check (private.is_push_endpoint(endpoint)),
  p256dh text not null check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  auth text not null check (auth ~ '^[A-Za-z0-9_-]{22}$'),
  label text not null check (length(label) >= 1 and length(label) <= 60 and label !~ '[[:cntrl:]]'),
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  foreign key (org_id, user_id) references public.organization_members (org_id, user_id) on delete cascade
);
create index push_devices_member_idx on private.push_devices (org_id, user_id);
comment on table private.push_devices is
  'Devices that members want to be notified on. Addresses and keys are secrets of the member: no answer and no export holds them.';
comment on column private.push_devices.id is 'Identifier, which messages of the outbox name.';
comment on column private.push_devices.org_id is 'Organisation.';
comment on column private.push_devices.user_id is 'Member; who leaves the organisation has no device in it any more.';
comment on column private.push_devices.session_id is
  'Session that the device is signed in with; once it has ended, nothing is sent. Not a foreign key: a backup is restored without sessions.';
comment on column private.push_devices.endpoint is 'Address of the device at its browser''s vendor.';
comment on column private.push_devices.p256dh is 'Public key of the device (P-256, uncompressed, base64url): messages are encrypted for it.';
comment on column private.push_devices.auth is 'Secret that the device shares with us (16 bytes, base64url), part of the same encryption.';
comment on column private.push_devices.label is 'Label that its owner knows it by, such as « Chrome, Android ».';
comment on column private.push_devices.created_at is 'When it was first registered.';
comment on column private.push_devices.last_used_at is 'When its vendor last took a message for it; null before the first.';

create function private.push_readers(p_org_id uuid, p_kind text)
returns table (device_id uuid, user_id uuid, role text)
language sql stable set search_path = ''
as $$
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
    and not private.is_silent(p_org_id);
$$;
comment on function private.push_readers(uuid, text) is
  'Devices of an organisation that are notified of a kind (low_rating, low_stock): those of members who want it, may read it, and are '
  'signed in there still. None once the organisation is suspended, is being ended, or can no longer be read.';

create function private.push_target(p_id uuid, p_kind text) returns table (endpoint text, p256dh text, auth text)
language sql stable security definer set search_path = ''
as $$
  select d.endpoint, d.p256dh, d.auth
  from private.push_devices d
  cross join lateral private.push_readers(d.org_id, p_kind) r
  where d.id = p_id and r.device_id = d.id;
$$;
comment on function private.push_target(uuid, text) is
  'Where a message of a kind goes, and for whom it is encrypted; no row where the device is gone or its owner is no longer to be notified.';
grant execute on function private.push_target(uuid, text) to service_role;

create function private.note_push(p_id uuid, p_is_gone boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
begin
  if p_is_gone then
    delete from private.push_devices d where d.id = p_id;
  else
    update private.push_devices d set last_used_at = now() where d.id = p_id;
  end if;
end;
$$;
comment on function private.note_push(uuid, boolean) is
  'Records that the push service accepted a message for a device, or deletes the device when the service no longer knows it.';
grant execute on function private.note_push(uuid, boolean) to service_role;

create function private.my_push_org(p_org_id uuid, p_permission text) returns uuid
language plpgsql stable set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  -- Keys of the API have no devices.
  if v_user_id is null or p_org_id is null or p_org_id <> all (array(select private.my_org_ids(p_permission))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_user_id;
end;
$$;
comment on function private.my_push_org(uuid, text) is
  'The signed-in member, who has a permission in an organisation (any role when null). Error 42501 otherwise, and for keys of the API.';

create function public.save_push_device(p_org_id uuid, p_endpoint text, p_p256dh text, p_auth text, p_label text) returns uuid
language plpgsql volatile security definer set search_path = ''
as $$
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
  -- A sign-in on a browser takes its address over, as another device: what waits for the former owner's goes nowhere.
  delete from private.push_devices d
  where d.endpoint = p_endpoint and d.p256dh = p_p256dh and d.auth = p_auth
    and (d.org_id, d.user_id) <> (p_org_id, v_user_id);
  insert into private.push_devices as d (org_id, user_id, session_id, endpoint, p256dh, auth, label)
  values (p_org_id, v_user_id, v_session.id, p_endpoint, p_p256dh, p_auth, p_label)
  -- Somebody who only heard of an address lacks its keys.
  on conflict (endpoint) do update
    set session_id = excluded.session_id, label = excluded.label
    where (d.org_id, d.user_id, d.p256dh, d.auth) = (excluded.org_id, excluded.user_id, excluded.p256dh, excluded.auth)
  returning d.id into v_id;
  if v_id is null then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.push_devices d where d.org_id = p_org_id and d.user_id = v_user_id) > c_most then
    raise exception 'push_device_limit' using errcode = 'TV200', detail = c_most::text;
  end if;
  return v_id;
end;
$$;
comment on function public.save_push_device(uuid, text, text, text, text) is
  'Registers the browser of the signed-in member''s session for push messages, again whenever it is opened; answers its identifier. '
  'Errors: 42501 without activity.read, for keys of the API, and for an address of somebody else; TV200 ten devices are registered '
  '(detail: the limit); 23514 not an address or keys of a browser; 23502 a null; 60 times an hour at most (429).';
grant execute on function public.save_push_device(uuid, text, text, text, text) to authenticated;

create function public.push_settings(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
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
$$;
comment on function public.push_settings(uuid) is
  'Which push messages the signed-in member wants, their devices (never an address or a key), and whether they were asked. The shape is '
  'pushSettings of _shared/domain. Error 42501 without activity.read, and for keys of the API.';
grant execute on function public.push_settings(uuid) to authenticated;

create function public.remove_push_device(p_id uuid) returns boolean
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  delete from private.push_devices d where d.id = p_id and d.user_id = v_user_id;
  return found;
end;
$$;
comment on function public.remove_push_device(uuid) is
  'Forgets a device of the signed-in user. False when they have no such device. Errors of my_user_id().';
grant execute on function public.remove_push_device(uuid) to authenticated;

create function public.save_push_kinds(p_org_id uuid, p_low_ratings boolean, p_low_stock boolean) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_push_org(p_org_id, null);
begin
  insert into public.notification_preferences (org_id, user_id, push_low_ratings, push_low_stock)
  values (p_org_id, v_user_id, p_low_ratings, p_low_stock)
  on conflict (org_id, user_id) do update
    set push_low_ratings = excluded.push_low_ratings, push_low_stock = excluded.push_low_stock;
end;
$$;
comment on function public.save_push_kinds(uuid, boolean, boolean) is
  'Saves of what the signed-in member''s devices are notified: reviews of 3 stars or fewer, stocks that run out. Errors: 42501 to members of '
  'another organisation and to keys of the API, 23502 a null.';
grant execute on function public.save_push_kinds(uuid, boolean, boolean) to authenticated;

create function public.answer_push_question(p_org_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_push_org(p_org_id, null);
begin
  insert into public.notification_preferences as n (org_id, user_id, push_asked_at) values (p_org_id, v_user_id, now())
  on conflict (org_id, user_id) do update set push_asked_at = coalesce(n.push_asked_at, excluded.push_asked_at);
end;
$$;
comment on function public.answer_push_question(uuid) is
  'Remembers that the signed-in member has answered whether to be notified on their device, so that no screen asks again. Error 42501 to '
  'members of another organisation and to keys of the API.';
grant execute on function public.answer_push_question(uuid) to authenticated;

create function private.push_low_rating() returns trigger
language plpgsql security definer set search_path = ''
as $$
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
$$;
comment on function private.push_low_rating() is
  'Tells devices of a review of 3 stars or fewer at once, with the store''s name and the stars alone: at most 30 an hour for one organisation.';
create trigger push_low_rating after insert on public.pre_spin_reviews
  for each row when (private.is_bad_rating(new.rating)) execute function private.push_low_rating();

create function private.push_low_stock() returns trigger
language plpgsql security definer set search_path = ''
as $$
declare
  v_user_id uuid;
  v_devices uuid[];
  v_texts jsonb[];
begin
  if not exists (select 1 from private.push_devices d where d.org_id = new.org_id)
    or not new.active or new.archived_at is not null
  then
    return null;
  end if;
  v_user_id := private.my_user_id();
  select array_agg(r.device_id), array_agg(
    jsonb_strip_nulls(jsonb_build_object('store', s.name, 'prize', new.name, 'stock', new.stock,
      'reward', case when private.role_may(r.role, 'rewards.write') then new.id end)))
  into v_devices, v_texts
  from private.push_readers(new.org_id, 'low_stock') r
  join public.campaigns c on c.org_id = new.org_id and c.id = private.selling_campaign(new.org_id, new.id, new.campaign_id)
  join public.stores s on s.org_id = new.org_id and s.id = c.store_id
  -- The person who has just typed the number knows it.
  where r.user_id is distinct from v_user_id;
  -- A stock that goes up and down is a message once a day, which only a message uses up.
  if v_devices is not null and private.count_attempt(
    array['stock push ' || new.id::text || case when new.stock = 0 then ' none' else ' few' end], '{1}', interval '1 day') is null
  then
    perform private.enqueue_message('push', 'low_stock', m.device_id::text, m.text, now() + interval '1 day')
    from unnest(v_devices, v_texts) m (device_id, text);
  end if;
  return null;
end;
$$;
comment on function private.push_low_stock() is
  'Notifies devices when a stock of a running campaign has come down to five and when it is empty, once a day and prize each; not '
  'the devices of the member who changed it.';
create trigger push_low_stock after update of stock on public.rewards
  for each row when (new.stock >= 0 and new.stock <= 5 and (old.stock > 5 or old.stock > 0 and new.stock = 0))
  execute function private.push_low_stock();

create function private.sweep_push_devices(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.sweep_push_devices(integer) is 'Job: devices whose session has ended go; nothing was sent to them since.';
insert into private.jobs (name, run_every) values ('sweep_push_devices', interval '1 hour');

create function private.export_push_devices(p_user_id uuid) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object('device', d.label, 'service', split_part(d.endpoint, '/', 3),
    'created_at', d.created_at, 'last_used_at', d.last_used_at) order by d.created_at), '[]'::jsonb)
  from private.push_devices d where d.user_id = p_user_id;
$$;
comment on function private.export_push_devices(uuid) is
  'Devices of somebody with an account (right of access): whose service brings the messages, without the address and keys that open it.';

create function private.push_metrics() returns table (kind text, name text, amount double precision)
language sql stable security definer set search_path = ''
as $$ select 'devices', 'push', count(*)::double precision from private.push_devices; $$;
comment on function private.push_metrics() is 'How many devices are registered for push messages, for a monitoring system.';
grant execute on function private.push_metrics() to service_role;

-- Permissions -------------------------------------------------------------------------------------

alter table private.push_devices enable row level security;
