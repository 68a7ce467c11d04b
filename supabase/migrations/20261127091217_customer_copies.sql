-- Why: a customer who asks for their data is given them by the merchant, as the privacy pages promise, and not by the operator alone.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.copy_customer_data(p_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.customers c
  where c.org_id = any (array(select private.my_org_ids('customers.delete'))) and c.id = p_id;
  -- The other permissions are asked of the role alone: a plan that ended closes lists, and not the right of access.
  if not exists (
    select 1 from public.organization_members m
    where m.org_id = v_org_id and m.user_id = private.my_user_id()
      and private.role_may(m.role, 'codes.read') and private.role_may(m.role, 'reviews.read')
  ) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  perform private.audit(v_org_id, 'customer.exported', 'customer', p_id);
  return private.export_customer(v_org_id, p_id);
end;
$function$;

COMMENT ON FUNCTION "public"."copy_customer_data"(uuid) IS 'Everything that an organisation keeps of a customer, by table (right of access), as the operator''s command gives it; written down in the audit trail. It has notes, codes and words: error 42501 without the permissions customers.delete, codes.read and reviews.read there.';

REVOKE ALL ON FUNCTION "public"."copy_customer_data"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."copy_customer_data"(uuid) TO "authenticated";
