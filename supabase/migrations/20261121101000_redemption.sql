-- Why: at the till one code is worth one prize. Whether it is used is decided by one conditional update,
-- so that fifty tills at once make one success; and no answer tells that another merchant's code exists.

create function private.user_name(p_user_id uuid) returns text
language sql stable
as $$
  select coalesce(
    nullif(btrim((
      -- Supabase keeps what the sign-up gave as JSON, Supabase Lite as a text that holds it.
      case jsonb_typeof(u.raw_user_meta_data)
        when 'string' then (u.raw_user_meta_data #>> '{}')::jsonb
        else u.raw_user_meta_data
      end
    ) ->> 'full_name'), ''),
    split_part(u.email, '@', 1)
  )
  from auth.users u where u.id = p_user_id;
$$;
comment on function private.user_name(uuid) is
  'Full name of a user, else the part of the e-mail before the at-sign (specification, section 2.9).';

create function private.inspect_code(p_user_id uuid, p_code text, p_store_id uuid)
returns table (state text, redemption public.redemptions)
language plpgsql volatile
as $$
declare
  v_org_id uuid;
  v_key text := upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g'));
  v_redemption public.redemptions;
begin
  select m.org_id into v_org_id
  from public.organization_members m
  join public.role_permissions p on p.role = m.role and p.permission = 'codes.redeem'
  join public.stores s on s.org_id = m.org_id and s.id = p_store_id
  where m.user_id = p_user_id;
  if not found then
    return query select 'forbidden', null::public.redemptions;
    return;
  end if;
  -- Whoever types codes at random is slowed down; a busy till is not.
  if private.take(array['code user ' || p_user_id::text], '{120}', interval '1 minute') is not null then
    return query select 'too_many_attempts', null::public.redemptions;
    return;
  end if;

  select * into v_redemption from public.redemptions r where r.org_id = v_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      when v_redemption.store_id <> p_store_id then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.status = 'expired' or v_redemption.expires_at <= now() then 'expired'
      else 'available'
    end,
    v_redemption;
end;
$$;
comment on function private.inspect_code(uuid, text, uuid) is
  'What a code is to a user at the till of a store, whatever its case and spaces: available, used, expired, '
  'other_store, test, unknown (other merchants'' codes too), forbidden (not a till of theirs), too_many_attempts.';

create function private.describe_code(p_state text, p_code text, p_redemption public.redemptions) returns jsonb
language sql stable
as $$
  select jsonb_build_object(
    'state', p_state,
    'code', coalesce(p_redemption.code, p_code),
    'reward', case when p_redemption.id is not null then (
      select jsonb_build_object('id', r.id, 'name', p_redemption.reward_name, 'type', r.type)
      from public.rewards r where r.org_id = p_redemption.org_id and r.id = p_redemption.reward_id) end,
    'customer', case when p_redemption.id is not null then
      jsonb_build_object('name', coalesce(p_redemption.end_user_name, p_redemption.end_user_email)) end,
    'store', case when p_redemption.id is not null then (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s where s.org_id = p_redemption.org_id and s.id = p_redemption.store_id) end,
    'expires_at', p_redemption.expires_at,
    'used_at', p_redemption.used_at,
    'used_by', private.user_name(p_redemption.used_by)
  );
$$;
comment on function private.describe_code(text, text, public.redemptions) is
  'What the till shows of a code: the shape is codeLookup of _shared/domain.';

create function public.lookup_code(p_code text, p_store_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_inspection record;
begin
  select * into v_inspection from private.inspect_code((select auth.uid()), p_code, p_store_id);
  if v_inspection.state = 'forbidden' then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return private.describe_code(v_inspection.state, p_code, v_inspection.redemption);
end;
$$;
comment on function public.lookup_code(text, uuid) is
  'What a code is, before it is used: the shape is codeLookup of _shared/domain. Error 42501 to whoever may not '
  'redeem codes at that store.';
grant execute on function public.lookup_code(text, uuid) to authenticated, service_role;

create function public.redeem_code(
  p_user_id uuid, p_code text, p_store_id uuid, out outcome text, out body jsonb
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_inspection record;
  v_redemption public.redemptions;
  v_timezone text;
begin
  select * into v_inspection from private.inspect_code(p_user_id, p_code, p_store_id);
  v_redemption := v_inspection.redemption;
  outcome := v_inspection.state;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available'
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, store_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_store_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      select s.timezone into v_timezone from public.stores s
      where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
      perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
        private.now_in(v_timezone)::date, p_redemptions => 1);
    else
      -- Another till was faster.
      outcome := 'used';
      select * into v_redemption from public.redemptions r
      where r.org_id = (v_inspection.redemption).org_id and r.id = (v_inspection.redemption).id;
    end if;
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$$;
comment on function public.redeem_code(uuid, text, uuid) is
  'Uses a code at the till of a store, once (specification, section 7.2). Outcomes: redeemed, used, expired, other_store, '
  'test, unknown, forbidden, too_many_attempts; body is what the till shows.';
grant execute on function public.redeem_code(uuid, text, uuid) to service_role;

create function public.my_workspace() returns jsonb
language sql stable security definer set search_path = ''
as $$
  select coalesce(
    (
      select jsonb_build_object(
        'organization', jsonb_build_object('id', o.id, 'name', o.name, 'slug', o.slug),
        'role', m.role,
        'permissions', coalesce(
          (select jsonb_agg(p.permission order by p.permission) from public.role_permissions p where p.role = m.role),
          '[]'::jsonb),
        'stores', coalesce(
          (select jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name) order by s.name, s.id)
           from public.stores s where s.org_id = o.id and s.archived_at is null),
          '[]'::jsonb)
      )
      from public.organization_members m
      join public.organizations o on o.id = m.org_id
      where m.user_id = (select auth.uid())
    ),
    '{"organization": null, "role": null, "permissions": [], "stores": []}'::jsonb
  );
$$;
comment on function public.my_workspace() is
  'Organisation, role, permissions and stores of the signed-in user: what every screen starts from. A cashier reads '
  'the names of the stores here and in no table.';
grant execute on function public.my_workspace() to authenticated, service_role;
