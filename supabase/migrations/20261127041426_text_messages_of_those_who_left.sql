-- Why: a text message that waited left to somebody who had been taken out of the team, and so did a notice that moved up in a batch.

set check_function_bodies = off;

DROP FUNCTION "private"."may_get_notice"(text, jsonb);

CREATE OR REPLACE FUNCTION private.alert_low_rating()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_store text;
  v_reader record;
begin
  -- Nearly always nobody asked: one look into an index.
  if not exists (
    select 1 from public.notification_preferences n where n.org_id = new.org_id and n.low_ratings
  ) then
    return null;
  end if;
  -- Limit of alerts: anonymous visitors must not fill a merchant's mailbox.
  if private.count_attempt(array['low rating alert ' || new.org_id], '{30}', interval '1 hour') is not null then
    return null;
  end if;
  select s.name into v_store from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  for v_reader in
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_secret,
      private.proven_phone(u.id) as phone,
      -- Members who may not see customers are led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id,
      private.role_may(m.role, 'customers.read') and private.role_may(m.role, 'reviews.read') as reads_inbox
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_customer_mail(new.org_id, new.customer_id, 'low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'brand', private.brand(new.org_id),
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'review', case when v_reader.reads_inbox then private.alias_of(new.id) end,
          'customer', case when not v_reader.reads_inbox then v_reader.customer_id end,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_secret))),
        now() + interval '1 day', now() + interval '2 minutes');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone, jsonb_build_object('store', v_store, 'rating', new.rating,
        'facts', jsonb_build_object('token', v_reader.unsubscribe_secret)), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.claim_messages(p_limit integer, p_now timestamp with time zone DEFAULT now())
 RETURNS TABLE(id uuid, channel text, template text, recipient text, data jsonb, attempt integer, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
#variable_conflict use_column
declare
  v_batch uuid[];
begin
  update private.outbox o
  set state = 'failed', last_error = coalesce(o.last_error, 'expired'), settled_at = p_now,
    data = case when private.is_lasting(o.template) then o.data else '{}' end
  where o.id = any (array(
    select due.id from private.outbox due
    where due.state = 'queued' and due.next_attempt_at <= p_now and due.expires_at <= p_now
    order by due.next_attempt_at limit 1000 for update skip locked
  ));
  -- Somebody may have left the team, or lost a right, since a notice was written; others are looked at in the place of what goes.
  loop
    v_batch := array(
      select due.id from private.outbox due
      where due.state = 'queued' and due.next_attempt_at <= p_now
      order by due.next_attempt_at limit p_limit for update skip locked
    );
    update private.outbox o set state = 'failed', last_error = 'reader_left', settled_at = p_now, data = '{}'
    where o.id = any (v_batch) and o.data #>> '{facts,token}' is not null
      and not private.may_get_notice(o.channel, o.template, o.recipient, o.data -> 'facts');
    exit when not found;
  end loop;
  return query
    update private.outbox o
    -- Longer than any mail server is waited for.
    set attempts = o.attempts + 1, next_attempt_at = p_now + interval '2 minutes'
    where o.id = any (v_batch)
    returning o.id, o.channel, o.template, o.recipient, o.data, o.attempts, o.created_at;
end;
$function$;

CREATE OR REPLACE FUNCTION private.may_get_notice(p_channel text, p_template text, p_recipient text, p_facts jsonb)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select exists (
    select 1 from private.notice_reader(p_facts ->> 'token') r
    join public.notification_preferences n on n.org_id = r.org_id and n.user_id = r.user_id
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join auth.users u on u.id = n.user_id
    where private.role_may(m.role, 'activity.read')
      and case p_channel
        when 'sms' then n.sms and private.proven_phone(u.id) = p_recipient
        else n.email and u.email = p_recipient
      end
      and case p_template
        when 'low_rating' then n.low_ratings
          and (not p_facts ?| '{review,customer}' or private.role_may(m.role, 'customers.read'))
          and (not p_facts ? 'review' or private.role_may(m.role, 'reviews.read'))
        when 'monthly_report' then n.monthly_report
        else n.summary || '_summary' = p_template
      end
  );
$function$;

COMMENT ON FUNCTION "private"."may_get_notice"(text, text, text, jsonb) IS 'Whether the reader of a notice, named by its secret, is a member with this address or number who wants and may read it.';

REVOKE ALL ON FUNCTION "private"."may_get_notice"(text, text, text, jsonb) FROM PUBLIC;
