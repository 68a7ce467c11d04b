-- Why: somebody was taken out of a team, and nobody was told that they may still have a key of the API that opens.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.team_members(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', m.user_id, 'name', private.name_of(u.raw_user_meta_data, u.email), 'email', u.email, 'role', m.role, 'added_at', m.added_at,
    'store', case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end,
    'api_keys', case when p_org_id in (select private.my_org_ids('team.manage')) then (
      select count(*) from private.api_keys k
      where k.org_id = m.org_id and k.created_by = m.user_id and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
    ) else 0 end)
    order by array_position('{owner,admin,member,cashier}', m.role), m.added_at, m.user_id), '[]'::jsonb)
  from public.organization_members m
  join auth.users u on u.id = m.user_id
  -- Only where there is a store is its role asked about.
  left join public.stores s on s.org_id = m.org_id and s.id = m.store_id
    and s.id = private.bound_store(m.role, m.store_id)
  where m.org_id = p_org_id;
$function$;

COMMENT ON FUNCTION "private"."team_members"(uuid) IS 'Members of an organisation, owners first, then by how long they belong to it. Whoever manages the team reads how many keys of the API each made that still open.';
