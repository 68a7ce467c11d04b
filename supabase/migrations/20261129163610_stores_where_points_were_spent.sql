-- Why: a store at whose till nothing but points was ever spent was offered for deletion, which then failed on its foreign key.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.has_store_history(p_org_id uuid, p_store_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (select 1 from public.campaigns c where c.org_id = p_org_id and c.store_id = p_store_id)
    or exists (select 1 from private.store_days_now(p_org_id, p_store_id, '-infinity', 'infinity'))
    or exists (select 1 from public.redemptions r where r.org_id = p_org_id and r.used_store_id = p_store_id)
    or exists (select 1 from public.redemption_events e where e.org_id = p_org_id and e.store_id = p_store_id)
    or exists (select 1 from public.points_spends p where p.org_id = p_org_id and p.used_store_id = p_store_id)
    -- Members who work there alone must not find every other till open.
    or exists (select 1 from public.organization_members m where m.org_id = p_org_id and m.store_id = p_store_id)
    or exists (select 1 from private.invitations i where i.org_id = p_org_id and i.store_id = p_store_id)
    or exists (select 1 from private.api_keys k where k.org_id = p_org_id and k.store_id = p_store_id
      and k.revoked_at is null);
$function$;

COMMENT ON FUNCTION "private"."has_store_history"(uuid, uuid) IS 'Whether a store has a campaign, a figure, a used code (won, or bought with points), a member bound to it or an API key that is not revoked: then it is archived, never deleted.';
