-- Why: each renaming kept a slug for ever, so that one merchant could take thousands of names from others.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.keep_former_organization_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.organization_slug_redirects r where r.slug = new.slug and r.org_id = new.id;
  insert into public.organization_slug_redirects (slug, org_id) values (old.slug, new.id);
  delete from public.organization_slug_redirects r
  where r.org_id = new.id and r.slug = any (array(
    select o.slug from public.organization_slug_redirects o
    where o.org_id = new.id
    order by o.created_at desc, o.slug offset 50));
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.keep_former_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  delete from public.campaign_slug_redirects r where r.slug = new.slug and r.campaign_id = new.id;
  insert into public.campaign_slug_redirects (slug, org_id, campaign_id)
  values (old.slug, new.org_id, new.id);
  delete from public.campaign_slug_redirects r
  where r.org_id = new.org_id and r.campaign_id = new.id and r.slug = any (array(
    select o.slug from public.campaign_slug_redirects o
    where o.org_id = new.org_id and o.campaign_id = new.id
    order by o.created_at desc, o.slug offset 50));
  return null;
end;
$function$;

COMMENT ON FUNCTION "private"."keep_former_organization_slug"() IS 'Leaves a redirect from the slug that an organisation gives up. The newest 50 stay: nobody takes thousands of names from others.';

COMMENT ON FUNCTION "private"."keep_former_slug"() IS 'Leaves a redirect from the slug that a campaign gives up. The newest 50 stay: nobody takes thousands of names from others.';
