-- Why: a reward is won in a campaign. A role that makes rewards and sees no campaign finds a form without a choice.

create or replace function private.whole_permissions(p_permissions text[]) returns text[]
language sql stable
as $$
  select coalesce(array_agg(distinct p.permission order by p.permission), '{}')
  from (
    select w as permission from unnest(p_permissions) w
    union all
    -- Whoever changes something has to see it.
    select split_part(w, '.', 1) || '.read' from unnest(p_permissions) w
    union all
    -- Whoever makes a reward has to see what it is won in.
    select 'campaigns.read' from unnest(p_permissions) w where w in ('rewards.write', 'rewards.delete')
    union all
    -- Whatever is not the till is behind the door of the back-office.
    select unnest('{activity.read,stores.read}'::text[]) from unnest(p_permissions) w where w <> 'codes.redeem'
  ) p
  where exists (select 1 from public.role_permissions known where known.role = 'owner' and known.permission = p.permission);
$$;

-- The roles that there are, too.
insert into public.role_permissions (role, org_id, permission)
select p.role, p.org_id, 'campaigns.read'
from public.role_permissions p
where p.org_id is not null and p.permission = 'rewards.write'
on conflict do nothing;
