-- Keys of the API: what a merchant's own programs may ask for.
--
-- A key represents the organisation, not a person: it reads the organisation's rows, or it uses codes at the till, and
-- nothing else. Whether it still counts (taken back, expired, plan) is asked of these tables at every statement, so no token
-- outlives its key.

create table private.api_keys (
  org_id uuid not null references public.organizations (id) on delete cascade,
  id uuid not null default gen_random_uuid() unique,
  name text not null check (name = btrim(name) and length(name) between 1 and 80),
  scope text not null check (scope in ('read', 'redeem')),
  store_id uuid,
  prefix text not null check (length(prefix) between 8 and 20),
  key_hash bytea not null unique check (length(key_hash) = 32),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz,
  primary key (org_id, id),
  -- Checked at the end of the statement, so that an organisation can still be deleted as a whole.
  foreign key (org_id, store_id) references public.stores (org_id, id),
  check (store_id is null or scope = 'redeem'),
  -- The years that a screen can show, as a campaign's.
  constraint api_keys_end_date_check check (expires_at >= '1000-01-01 00:00Z' and expires_at < '9999-12-31 00:00Z')
);
create index api_keys_store_idx on private.api_keys (org_id, store_id);
create index api_keys_created_by_idx on private.api_keys (created_by);
comment on table private.api_keys is
  'Keys of organisations for the data API. Read through public.api_keys; the key itself is shown once and stands nowhere.';
comment on column private.api_keys.org_id is 'Organisation whose rows it opens.';
comment on column private.api_keys.id is 'Identifier; short-lived tokens name it.';
comment on column private.api_keys.name is 'Name that the merchant gives it, 1 to 80 characters.';
comment on column private.api_keys.scope is 'read: the organisation''s rows; redeem: what a code is, and using it.';
comment on column private.api_keys.store_id is 'The only store whose till it serves; null for all. Scope redeem alone.';
comment on column private.api_keys.prefix is 'How the key begins, to recognise it by; opens nothing.';
comment on column private.api_keys.key_hash is
  'SHA-256 of the key, which has 256 random bits: no computer tries them out, so a slow hash would add nothing.';
comment on column private.api_keys.created_by is
  'Member who made it; null once that account is gone. The key stays the organisation''s.';
comment on column private.api_keys.created_at is 'When it was made.';
comment on column private.api_keys.expires_at is 'Until when it counts; null is without end.';
comment on column private.api_keys.last_used_at is 'When it was last used, to the hour.';
comment on column private.api_keys.revoked_at is 'When it was taken back, for good; null while it counts.';

-- Codes that a key used.
alter table public.redemption_events add foreign key (org_id, api_key_id) references private.api_keys (org_id, id);

create function private.is_api_key_open(p_key private.api_keys) returns boolean
language sql stable set search_path = ''
as $$
  select p_key.revoked_at is null and (p_key.expires_at is null or p_key.expires_at > now());
$$;
comment on function private.is_api_key_open(private.api_keys) is
  'Whether a key is neither revoked nor expired, whatever the plan.';

create function private.open_api_keys_by(p_org_id uuid, p_user_id uuid) returns bigint
language sql stable set search_path = ''
as $$
  select count(*) from private.api_keys k
  where k.org_id = p_org_id and k.created_by = p_user_id and private.is_api_key_open(k);
$$;
comment on function private.open_api_keys_by(uuid, uuid) is
  'Number of an organisation''s open API keys that a user made: they stay open when the user leaves.';

create function private.api_refusal(p_org_id uuid) returns text
language sql stable set search_path = ''
as $$
  select case when not private.includes_api(p_org_id) then coalesce((
      select nullif(private.closed_reason(s), 'subscription_closed')
      from public.subscriptions s where s.org_id = p_org_id and private.has_feature(s.org_id, 'api_access')
    ), 'api_not_in_plan')
  end;
$$;
comment on function private.api_refusal(uuid) is
  'Reason why an organisation has no use of the API: api_not_in_plan (or it is over), organization_suspended, organization_ending; '
  'null where it has.';

create function private.refuse_api(p_refusal text) returns void
language plpgsql immutable set search_path = ''
as $$
begin
  if p_refusal in ('api_key_refused', 'api_not_in_plan') then
    raise exception '%', p_refusal using errcode = case p_refusal when 'api_key_refused' then 'TV110' else 'TV111' end;
  end if;
  perform private.refuse_closed(p_refusal);
end;
$$;
comment on function private.refuse_api(text) is
  'Raises a reason of private.api_key_refusal: errors TV110, TV111, TV190 and TV191.';

create function private.api_key_refusal(p_key private.api_keys) returns text
language sql stable set search_path = ''
as $$
  select case when p_key.id is null or not private.is_api_key_open(p_key) then 'api_key_refused'
    else private.api_refusal(p_key.org_id) end;
$$;
comment on function private.api_key_refusal(private.api_keys) is
  'Reason why a key is refused: api_key_refused (unknown, revoked, expired), api_not_in_plan (or it is over), organization_suspended, '
  'organization_ending; null when it is accepted.';

create function private.my_api_key() returns private.api_keys
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_id constant text := auth.jwt() ->> 'api_key_id';
  v_key private.api_keys;
  v_refusal text;
begin
  -- A token of a signed-in user never acts as an API key, even where it names one.
  if v_id is null or auth.uid() is not null then
    return null;
  end if;
  select * into v_key from private.api_keys k where k.id = v_id::uuid;
  v_refusal := private.api_key_refusal(v_key);
  if v_refusal is not null then
    perform private.refuse_api(v_refusal);
  end if;
  -- PostgreSQL itself refuses what would write from here on (25006), whichever function it stands in.
  if v_key.scope = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  return v_key;
end;
$$;
comment on function private.my_api_key() is
  'The organisation''s key for which policies and functions act; null without one. With a reading key the rest of the '
  'transaction writes nothing. Errors TV110 the key was taken back or has expired, TV111 the plan does not include the API or is over; TV190 the '
  'organisation is suspended, TV191 it waits to be erased.';

create function private.new_api_key() returns text
language sql volatile set search_path = ''
as $$
  -- Written without what an address or a shell would change.
  select 'tv_live_' || translate(encode(private.new_secret(), 'base64'), '+/=', '-_');
$$;
comment on function private.new_api_key() is 'A key of the API that nobody has: tv_live_ and 256 random bits.';

create function private.require_delegation(p_org_id uuid, p_scope text) returns void
language plpgsql stable set search_path = ''
as $$
declare
  v_needed constant text[] := case p_scope
    when 'redeem' then '{codes.redeem}'
    else '{stores.read,campaigns.read,rewards.read,customers.read,codes.read,activity.read}'
  end;
begin
  if exists (select 1 from unnest(v_needed) n where p_org_id not in (select private.my_org_ids(n))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
end;
$$;
comment on function private.require_delegation(uuid, text) is
  'Nobody makes a key that opens what they may not open themselves. Error 42501.';

create function public.create_api_key(
  p_name text, p_scope text, p_store_id uuid default null, p_expires_at timestamptz default null
) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_key constant text := private.new_api_key();
  -- One after the other, so that the keys are counted.
  v_org_id constant uuid := private.lock_my_team('api.manage');
  v_refusal text;
  v_row private.api_keys;
begin
  perform private.require_delegation(v_org_id, p_scope);
  v_refusal := private.api_refusal(v_org_id);
  if v_refusal is not null then
    perform private.refuse_api(v_refusal);
  elsif p_expires_at <= now() then
    raise exception 'already_expired' using errcode = '23514';
  elsif p_store_id is not null and not exists (
    select 1 from public.stores s where s.org_id = v_org_id and s.id = p_store_id and s.archived_at is null
  ) then
    raise exception 'forbidden' using errcode = '42501';
  elsif (select count(*) from private.api_keys k where k.org_id = v_org_id and k.revoked_at is null) >= 20 then
    raise exception 'too_many_api_keys' using errcode = 'TV112';
  end if;
  insert into private.api_keys (org_id, name, scope, store_id, prefix, key_hash, created_by, expires_at)
  values (v_org_id, private.clean_line(p_name), p_scope, p_store_id, left(v_key, 13), sha256(convert_to(v_key, 'UTF8')),
    private.my_user_id(), p_expires_at)
  returning * into v_row;
  perform private.audit(v_org_id, 'api_key.created', 'api_key', v_row.id, jsonb_build_object('name', v_row.name));
  return jsonb_build_object('id', v_row.id, 'name', v_row.name, 'key', v_key);
end;
$$;
comment on function public.create_api_key(text, text, uuid, timestamptz) is
  'Makes a key for the API of the signed-in user''s organisation and answers it, this once: scope read or redeem, the '
  'latter at one store or at all, with or without an end. The shape is newApiKey of _shared/domain. Errors: 42501 without '
  'the permission api.manage or what the key would open, or for a store that is not in use there; TV111 the plan does not '
  'include the API or is over; TV190 the organisation is suspended, TV191 it waits to be erased; TV112 there are 20 keys; 23514 or 23502 no name, scope or future.';
grant execute on function public.create_api_key(text, text, uuid, timestamptz) to authenticated;

create function public.revoke_api_key(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('api.manage'));
  v_row private.api_keys;
begin
  select * into v_row from private.api_keys k
  where k.org_id = any (v_org_ids) and k.id = p_id for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_row.revoked_at is not null then
    return;
  end if;
  update private.api_keys k set revoked_at = now() where k.org_id = v_row.org_id and k.id = p_id;
  perform private.audit(v_row.org_id, 'api_key.revoked', 'api_key', p_id, jsonb_build_object('name', v_row.name));
end;
$$;
comment on function public.revoke_api_key(uuid) is
  'Revokes a key for good; the next request with it is refused. No effect on one that is revoked already. Error 42501 without the '
  'permission api.manage there, and for an unknown key.';
grant execute on function public.revoke_api_key(uuid) to authenticated;

create function public.api_keys(p_org_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('api.manage'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return jsonb_build_object(
    'is_included', private.api_refusal(p_org_id) is distinct from 'api_not_in_plan',
    'keys', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', k.id, 'name', k.name, 'scope', k.scope, 'prefix', k.prefix, 'created_at', k.created_at,
        'created_by', private.user_name(k.created_by), 'expires_at', k.expires_at,
        'is_expired', coalesce(k.expires_at <= now(), false), 'last_used_at', k.last_used_at,
        'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end)
        order by k.created_at desc, k.id)
      from private.api_keys k
      left join public.stores s on s.org_id = k.org_id and s.id = k.store_id
      where k.org_id = p_org_id and k.revoked_at is null), '[]'::jsonb));
end;
$$;
comment on function public.api_keys(uuid) is
  'Keys of an organisation that were not taken back, newest first, without what opens anything. is_included: '
  'its plan includes the API and is not over; the shape is apiKeys of _shared/domain. Error 42501 without the permission api.manage there.';
grant execute on function public.api_keys(uuid) to authenticated;

create function public.begin_api_request(
  p_key_hash text, p_key_id uuid, p_address_hash text,
  out outcome text, out key_id uuid, out scope text, out retry_after integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_key private.api_keys;
begin
  select * into v_key from private.api_keys k
  where k.key_hash = decode(p_key_hash, 'hex') or (p_key_hash is null and k.id = p_key_id);
  outcome := private.api_key_refusal(v_key);
  if outcome = 'api_key_refused' then
    -- Nobody guesses 256 bits; whoever tries is not served for it.
    retry_after := private.count_attempt(array['api guess ' || p_address_hash], '{60}', interval '1 minute');
  elsif outcome is null then
    retry_after := private.count_attempt(array['api key ' || v_key.id::text], '{600}', interval '1 minute');
  end if;
  if retry_after is not null then
    outcome := 'too_many_attempts';
  elsif outcome is null then
    outcome := 'accepted';
    key_id := v_key.id;
    scope := v_key.scope;
    -- To the hour: what every request would write, few requests do.
    update private.api_keys k set last_used_at = now()
    where k.org_id = v_key.org_id and k.id = v_key.id
      and (k.last_used_at is null or k.last_used_at < now() - interval '1 hour');
  end if;
end;
$$;
comment on function public.begin_api_request(text, uuid, text) is
  'Whether a request with a key (its SHA-256 in hexadecimal, or null and the identifier that a token names) may go on, '
  'counted: 600 a minute for a key, 60 wrong ones for an address (keyed hash). Outcomes: accepted, with the key''s identifier '
  'and scope; why not, as api_key_refusal; too_many_attempts, with the seconds to wait.';
grant execute on function public.begin_api_request(text, uuid, text) to service_role;

create function private.inspect_code_with_key(p_key private.api_keys, p_code text, p_store_id uuid)
returns table (state text, redemption public.redemptions)
language plpgsql volatile set search_path = ''
as $$
begin
  if p_key.scope is distinct from 'redeem' or p_key.store_id <> p_store_id or not exists (
    select 1 from public.stores s where s.org_id = p_key.org_id and s.id = p_store_id and s.archived_at is null
  ) then
    return query select 'forbidden', null::public.redemptions;
  elsif private.count_attempt(array['code key ' || p_key.id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
  else
    return query select * from private.code_at(p_key.org_id, p_store_id, p_code);
  end if;
end;
$$;
comment on function private.inspect_code_with_key(private.api_keys, text, uuid) is
  'State of a code for a key of the API at the till of a store: the states of private.inspect_code.';

create function public.redeem_code_with_key(
  p_key_hash text, p_address_hash text, p_code text, p_store_id uuid, p_request_id uuid default null,
  out outcome text, out body jsonb, out retry_after integer
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_request record;
  v_key private.api_keys;
  v_inspection record;
begin
  select * into v_request from public.begin_api_request(p_key_hash, null, p_address_hash);
  if v_request.outcome <> 'accepted' then
    outcome := v_request.outcome;
    retry_after := v_request.retry_after;
    return;
  end if;
  select * into v_key from private.api_keys k where k.id = v_request.key_id;
  select * into v_inspection from private.inspect_code_with_key(v_key, p_code, p_store_id);
  select u.outcome, u.body into outcome, body
  from private.use_code(
    v_inspection.state, v_inspection.redemption, null, v_key.id, p_code, p_store_id, p_request_id) u;
end;
$$;
comment on function public.redeem_code_with_key(text, text, text, uuid, uuid) is
  'Uses a code at the till of a store, once, for a key of the API (its SHA-256 in hexadecimal). Outcomes: those of '
  'redeem_code, and those of begin_api_request, for which body is null.';
grant execute on function public.redeem_code_with_key(text, text, text, uuid, uuid) to service_role;

-- Permissions -------------------------------------------------------------------------------------

alter table private.api_keys enable row level security;
