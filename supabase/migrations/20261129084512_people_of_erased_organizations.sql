-- Why: members of an erased organisation landed on the first steps of a new one without a word, and could read what was left of it meanwhile.

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
  -- People first: nobody reads or exports what is left between two portions. The mail has no brand, whose logo goes as well.
  with gone as (delete from public.organization_members m where m.org_id = v_org.id returning m.user_id)
  select count(private.enqueue_mail('organization_erased', u.email, jsonb_build_object('name', private.user_name(u.id),
    'facts', jsonb_build_object('organization', v_org.name)), now() + interval '2 days')) into v_count
  from gone g join auth.users u on u.id = g.user_id
  where u.email_confirmed_at is not null and u.email <> '';
  -- Former addresses are among the first rows to go; the others are retired before their own row does.
  perform private.retire_slug('organization', v_org.slug, v_org.id);
  perform private.retire_slug('organization', r.slug, v_org.id) from public.organization_slug_redirects r
  where r.org_id = v_org.id;
  perform private.retire_slug('campaign', r.slug, v_org.id) from public.campaign_slug_redirects r where r.org_id = v_org.id;
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

CREATE OR REPLACE FUNCTION private.is_lasting(p_template text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
 SET search_path TO ''
RETURN (p_template = ANY (ARRAY['prize'::text, 'prize_reminder'::text, 'review_answer'::text, 'review_gesture'::text, 'contact_request'::text, 'daily_summary'::text, 'weekly_summary'::text, 'password_changed'::text, 'email_changed'::text, 'phone_changed'::text, 'factor_added'::text, 'factor_removed'::text, 'passkey_added'::text, 'passkey_removed'::text, 'organization_end'::text, 'organization_kept'::text, 'organization_erased'::text, 'access_ended'::text, 'trial_ending'::text, 'trial_ended'::text, 'payment_failed'::text, 'plan_suspended'::text, 'plan_ended'::text]));

COMMENT ON FUNCTION "private"."erase_organizations"(integer) IS 'Job: everything of an organisation whose 30 days are over goes, a portion each run, its members first, the organisation itself last. A mail tells them. Nobody gets its public addresses. One that the payment provider would go on charging waits until it is cancelled there.';
