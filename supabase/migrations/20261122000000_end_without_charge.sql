-- Why: an organisation that ends could still be charged. It could be subscribed after its end was asked for, a suspended one
-- is still asked for its bill by the payment provider, and it was erased whatever the provider held, with nobody left
-- who could cancel. And whoever ended an organisation to found the next got another free trial with it.

create or replace function private.has_running_payments(p_org_id uuid) returns boolean
language sql stable
as $$
  select exists (
    select 1 from public.subscriptions s
    where s.org_id = p_org_id and s.stripe_subscription_id is not null
      and s.status in ('active', 'past_due', 'suspended') and not s.cancel_at_period_end
  );
$$;
comment on function private.has_running_payments(uuid) is
  'Whether the payment provider would go on charging an organisation, a suspended one as well: then it is cancelled there '
  'first.';

create or replace function public.end_organization(p_name text) returns timestamptz
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org public.organizations;
begin
  -- Before any row: whoever subscribes or changes the plan meanwhile takes them in that order.
  perform private.lock_billing(o) from private.my_org_ids('organization.delete') o;
  select * into v_org from public.organizations o
  where o.id = any (array(select private.my_org_ids('organization.delete'))) for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif v_org.erase_at is not null then
    raise exception 'already_ending' using errcode = 'TV107';
  elsif btrim(coalesce(p_name, '')) <> v_org.name then
    raise exception 'other_name' using errcode = 'TV106';
  elsif private.has_running_payments(v_org.id) then
    raise exception 'payments_running' using errcode = 'TV108';
  end if;
  update public.organizations o set erase_at = now() + interval '30 days' where o.id = v_org.id
  returning o.erase_at into v_org.erase_at;
  update public.subscriptions s set is_ending = true where s.org_id = v_org.id;
  perform private.audit(v_org.id, 'organization.ended', 'organization', v_org.id,
    jsonb_build_object('name', v_org.name));
  perform private.mail_about_end(v_org.id, 'organization_end');
  return v_org.erase_at;
end;
$$;

create or replace function private.erase_organizations(p_limit integer) returns integer
language plpgsql volatile
as $$
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
  insert into private.ended_subscriptions (former_id, plan, stripe_customer_id, stripe_subscription_id, began_at)
  select s.org_id, s.plan, s.stripe_customer_id, s.stripe_subscription_id, v_org.created_at
  from public.subscriptions s where s.org_id = v_org.id and s.stripe_customer_id is not null
  on conflict do nothing;
  v_count := private.erase_rows(v_org.id, p_limit);
  if v_count < p_limit then
    delete from public.organizations o where o.id = v_org.id;
    -- As if the portion were full: the next organisation is looked at a second later.
    return p_limit;
  end if;
  return v_count;
end;
$$;
comment on function private.erase_organizations(integer) is
  'Job: everything of an organisation whose 30 days are over goes, a portion each run, the organisation itself last. One '
  'that the payment provider would go on charging waits until it is cancelled there.';

create function private.trial_of_before(p_user_id uuid) returns timestamptz
language sql stable
as $$
  select min(s.trial_end)
  from public.organization_members m
  join public.organizations o on o.id = m.org_id and o.erase_at is not null
  join public.role_permissions p on p.role = m.role and p.permission = 'organization.delete'
  join public.subscriptions s on s.org_id = o.id
  where m.user_id = p_user_id;
$$;
comment on function private.trial_of_before(uuid) is
  'When the free trial ends that an owner had with the organisation that waits to be erased; null without one. A trial is an '
  'account''s (specification, section 1), not an organisation''s.';

create or replace function public.create_organization(p_name text, p_slug text) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_trial_end timestamptz;
  v_org public.organizations;
begin
  -- Whoever has proven neither an address nor a number is nobody yet.
  if not exists (
    select 1 from auth.users u
    where u.id = v_user_id and (u.email_confirmed_at is not null or u.phone_confirmed_at is not null)
  ) then
    raise exception 'not_confirmed' using errcode = '42501';
  end if;
  -- Two clicks take turns, so that the second learns what the first has done.
  perform pg_advisory_xact_lock(hashtextextended('membership ' || v_user_id, 0));
  v_trial_end := private.trial_of_before(v_user_id);
  perform private.free_owner(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  insert into public.organizations (name, slug) values (btrim(p_name), p_slug) returning * into v_org;
  perform private.add_owner(v_org.id, v_user_id);
  perform private.start_trial(v_org.id);
  update public.subscriptions s set trial_end = v_trial_end where s.org_id = v_org.id and v_trial_end < s.trial_end;
  return jsonb_build_object('id', v_org.id, 'name', v_org.name, 'slug', v_org.slug);
end;
$$;
comment on function public.create_organization(text, text) is
  'Makes an organisation with its owner, free trial and notification preferences: all of it or nothing, and one a user, '
  'whatever happens at once; a member of one that waits to be erased leaves it, its owner goes on with the trial begun there. '
  'Errors: 42501 without a confirmed address or number, TV020 already a member, 23505 the slug is taken, 23514 or 23502 name '
  'or slug are not well formed, TV021 the membership and TV022 the subscription failed.';
