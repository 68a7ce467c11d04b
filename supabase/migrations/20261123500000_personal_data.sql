-- Why: « Clients : aucun accès » has to keep a role away from customers, not from one screen only. Every role but the till's
-- reads figures (activity.read), and with them came, row by row, who reviewed, who won, and codes that were still good. From
-- here on whatever names a customer asks for customers.read, a code for codes.read, and activity.read opens figures alone.

-- Seeing codes is a permission of its own: whoever validates them at the till is shown one at a time, and needs no list.
insert into public.role_permissions (role, permission)
values ('owner', 'codes.read'), ('admin', 'codes.read'), ('member', 'codes.read');

create or replace function private.whole_permissions(p_permissions text[]) returns text[]
language sql stable set search_path = ''
as $$
  select coalesce(array_agg(distinct p.permission order by p.permission), '{}')
  from (
    select w as permission from unnest(p_permissions) w
    union all
    -- Whoever changes something has to see it; whoever validates a code is handed it by its owner.
    select split_part(w, '.', 1) || '.read' from unnest(p_permissions) w where w <> 'codes.redeem'
    union all
    -- Whoever makes a reward has to see what it is won in.
    select 'campaigns.read' from unnest(p_permissions) w where w in ('rewards.write', 'rewards.delete')
    union all
    -- Codes are listed by the reward that they are for.
    select 'rewards.read' from unnest(p_permissions) w where w = 'codes.read'
    union all
    -- Whatever is not the till is behind the door of the back-office.
    select unnest('{activity.read,stores.read}'::text[]) from unnest(p_permissions) w where w <> 'codes.redeem'
  ) p
  where exists (select 1 from public.role_permissions known where known.role = 'owner' and known.permission = p.permission);
$$;

-- Own roles that may validate codes and had the list keep it; the others lose a list that nobody gave them by name.
insert into public.role_permissions (role, org_id, permission)
select p.role, p.org_id, 'codes.read'
from public.role_permissions p
where p.org_id is not null and p.permission = 'codes.redeem'
  and private.role_may(p.role, 'activity.read') and private.role_may(p.role, 'rewards.read');

create or replace function private.my_org_ids(p_permission text default null) returns setof uuid
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := private.my_user_id();
  v_key private.api_keys;
begin
  if v_user_id is not null then
    return query
    select m.org_id
    from public.organization_members m
    where m.user_id = v_user_id
      -- In this order: whoever may not anyway learns nothing of the plan.
      and case
        when p_permission is null then true
        when exists (
          select 1 from public.role_permissions p where p.role = m.role and p.permission = p_permission
        ) then private.demand_plan(m.org_id, p_permission)
        else false
      end;
    return;
  end if;
  v_key := private.my_api_key();
  if v_key.scope = 'read' and coalesce(p_permission in
    ('stores.read', 'campaigns.read', 'rewards.read', 'customers.read', 'codes.read', 'activity.read'), true)
  then
    return next v_key.org_id;
  end if;
end;
$$;

create or replace function private.demand_may_delegate(p_org_id uuid, p_scope text) returns void
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

-- Tables: a row about a person is read by whoever may read customers. -------------------------------------------------

alter policy "Members read the points" on public.points_ledger
  using (org_id = any (array(select private.my_org_ids('customers.read'))));

-- What names somebody and opens something asks for both rights, in one list that runs once a statement, so that the index on
-- org_id serves. A review and a turn open codes: spin_wheel answers whoever repeats the identifier of a review, or the key of a
-- turn, with the code that it won, and turns the wheel for whoever comes first with a review that has not played.
alter policy "Members read the reviews" on public.pre_spin_reviews using (org_id = any (array(
  select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read'))));
alter policy "Members read the spins" on public.spins using (org_id = any (array(
  select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read'))));
alter policy "Members read the codes" on public.redemptions using (org_id = any (array(
  select private.my_org_ids('customers.read') intersect select private.my_org_ids('codes.read'))));
alter policy "Members read the trace of codes" on public.redemption_events
  using (org_id = any (array(select private.my_org_ids('codes.read'))));

create function private.may_name_customers(p_org_id uuid) returns boolean
language sql stable set search_path = ''
as $$
  select p_org_id in (select private.my_org_ids('customers.read'));
$$;
comment on function private.may_name_customers(uuid) is
  'Whether answers to the signed-in member, or to the key of the API, may say who somebody is: functions that whoever reads '
  'figures may call leave names, addresses and identifiers of customers out otherwise, and look for nobody by them.';
