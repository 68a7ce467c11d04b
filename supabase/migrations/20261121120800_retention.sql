-- Why: the privacy page promises that a customer's data goes three years after the last contact (specification, section 9).
-- A promise that no job keeps is none. A person is forgotten in one way only, whether a merchant erases them or time does.

create function private.forget_customer(p_org_id uuid, p_id uuid) returns boolean
language plpgsql volatile set search_path = ''
as $$
begin
  -- Codes before the customer, as at the till: two orders would make deadlocks.
  perform 1 from public.redemptions r where r.org_id = p_org_id and r.customer_id = p_id for update;
  perform 1 from public.customers c where c.org_id = p_org_id and c.id = p_id for update;
  update public.redemptions r set customer_id = null, end_user_email = null, end_user_name = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  update public.spins s set customer_id = null, end_user_email = null, end_user_name = null
  where s.org_id = p_org_id and s.customer_id = p_id;
  -- Their words may tell who they are; the stars do not.
  update public.pre_spin_reviews r
  set customer_id = null, customer_name = null, customer_email = null, customer_phone = null, review_text = null
  where r.org_id = p_org_id and r.customer_id = p_id;
  delete from public.customers c where c.org_id = p_org_id and c.id = p_id;
  return found;
end;
$$;
comment on function private.forget_customer(uuid, uuid) is
  'Forgets a person: the customer, their note and points go; their visits, turns and codes stay as nobody''s, without name, '
  'contact and words, so that the figures hold. False when somebody was faster. Asks no permission: for erase_customer and for the job.';

create or replace function public.erase_customer(p_id uuid) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.customers c
  where c.org_id = any (array(select private.my_org_ids('customers.delete'))) and c.id = p_id;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if private.forget_customer(v_org_id, p_id) then
    perform private.audit(v_org_id, 'customer.erased', 'customer', p_id);
  end if;
end;
$$;

create function private.sweep_customers(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_before constant timestamptz := now() - interval '3 years';
  v_count integer := 0;
  v_customer record;
begin
  -- An organisation at a time, so that the index on its customers' age serves; the last contact is never before it.
  for v_customer in
    select c.org_id, c.id from public.organizations o
    cross join lateral (
      select c.org_id, c.id from public.customers c
      where c.org_id = o.id and c.created_at < v_before
        and coalesce(c.last_activity_at, c.created_at) < v_before
      limit p_limit
    ) c
    limit p_limit
  loop
    perform private.forget_customer(v_customer.org_id, v_customer.id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end;
$$;
comment on function private.sweep_customers(integer) is
  'Job: customers are forgotten three years after the last contact (specification, section 9), at most p_limit at a time.';
insert into private.jobs (name, run_every) values ('sweep_customers', interval '1 day');
