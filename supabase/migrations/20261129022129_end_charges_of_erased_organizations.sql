-- Why: an organisation that is erased was charged on where its subscription was resumed at the provider and told of late.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.erase_organizations(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_org public.organizations;
  v_count integer;
begin
  select * into v_org from public.organizations o
  where o.erase_at <= now() and not private.has_running_payments(o.id)
  order by o.erase_at limit 1 for update skip locked;
  if not found then
    return 0;
  end if;
  -- Before its row goes; a portion later it is written already.
  with gone as (
    insert into private.ended_subscriptions (former_id, plan, stripe_customer_id, stripe_subscription_id, began_at)
    select s.org_id, s.plan, s.stripe_customer_id, s.stripe_subscription_id, v_org.created_at
    from public.subscriptions s where s.org_id = v_org.id and s.stripe_customer_id is not null
    on conflict do nothing
    returning stripe_customer_id
  )
  -- A subscription resumed at the provider, of which we do not know yet, is ended again.
  select count(private.enqueue_payment_task('reconcile', g.stripe_customer_id)) into v_count from gone g;
  -- The table of messages knows no organisation; what its customers were written bears their names and codes.
  delete from private.outbox o where o.customer like v_org.id || ' %';
  v_count := private.erase_rows(v_org.id, p_limit);
  if v_count < p_limit then
    delete from public.organizations o where o.id = v_org.id;
    -- As if the portion were full: the next organisation is looked at a second later.
    return p_limit;
  end if;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION public.is_former_customer(p_customer_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
  select exists (select 1 from private.ended_subscriptions e where e.stripe_customer_id = p_customer_id);
$function$;

COMMENT ON FUNCTION "public"."is_former_customer"(text) IS 'Whether this customer of the provider was an organisation that is erased. Nothing may be charged to it any more.';

REVOKE ALL ON FUNCTION "public"."is_former_customer"(text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."is_former_customer"(text) TO "service_role";
