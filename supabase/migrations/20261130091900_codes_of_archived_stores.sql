-- Why: pages and mails sent winners to a store that had been archived, though the other stores of the organisation take its codes.

set check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.code_at(p_org_id uuid, p_store_id uuid, p_code text)
 RETURNS TABLE(state text, redemption public.redemptions)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_key text := private.code_key(coalesce(p_code, ''));
  v_redemption public.redemptions;
begin
  select * into v_redemption from public.redemptions r where r.org_id = p_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      when v_redemption.store_id <> p_store_id and private.has_own_till(v_redemption) then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.verdict is not null then v_redemption.verdict
      else private.code_state(v_redemption)
    end,
    v_redemption;
end;
$function$;

CREATE OR REPLACE FUNCTION private.has_own_till(p_code public.redemptions)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO ''
RETURN (EXISTS (SELECT 1 FROM public.stores s WHERE ((s.org_id = (has_own_till.p_code).org_id) AND (s.id = (has_own_till.p_code).store_id) AND (s.archived_at IS NULL))));

CREATE OR REPLACE FUNCTION private.notify_winners(p_org_id uuid, p_codes uuid[], p_template text)
 RETURNS uuid[]
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_addresses constant text[] := array(
    select private.winner_address(d.code)
    from unnest(p_codes) with ordinality c (id, place)
    cross join lateral (
      select r as code from public.redemptions r where r.org_id = p_org_id and r.id = c.id offset 0
    ) d
    order by c.place);
  -- The player types the address, which could be anybody's: few mails a day reach it.
  v_may constant boolean[] := private.count_attempts(array(
    select private.verdict_key(a.address) from unnest(v_addresses) with ordinality a (address, place) order by a.place
  ), 5, interval '1 day');
  v_brand constant jsonb := private.brand(p_org_id);
  v_white_label constant boolean := private.has_feature(p_org_id, 'white_label');
begin
  return array(
    select case
      when not m.may then null
      when p_template = 'prize_released' then private.write_prize_mail(p_template, m.address, m.code)
      else private.enqueue_customer_mail(p_org_id, m.customer_id, p_template, m.address, jsonb_build_object(
          'brand', v_brand,
          'white_label', v_white_label,
          'path', '/c/' || m.slug || '/gain#gain=' || m.spin_id || '.' || m.nonce
        ) || jsonb_strip_nulls(jsonb_build_object(
          'locale', m.locale,
          'name', private.greeting_name(m.end_user_name),
          'facts', jsonb_build_object(
            'prize', private.mailed_name(m.code, m.locale),
            'store', m.store,
            'address', m.store_address))),
        now() + interval '1 day', now() + interval '10 minutes') end
    from (
      select c.may, c.address, d as code, t.customer_id, t.id as spin_id, t.nonce, t.end_user_name, g.slug, u.locale,
        p.name as store, p.address as store_address
      from unnest(p_codes, v_addresses, v_may) with ordinality c (id, address, may, place)
      join public.redemptions d on d.org_id = p_org_id and d.id = c.id
      left join public.spins t on t.org_id = d.org_id and t.id = d.spin_id
      cross join lateral private.taken_at(d) p
      left join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
      left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
      order by c.place offset 0
    ) m);
end;
$function$;

CREATE OR REPLACE FUNCTION private.remind_prizes(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_code public.redemptions;
  v_codes public.redemptions[] := '{}';
  v_mail_id uuid;
begin
  for v_due in
    select d as code, coalesce(t.end_user_email, c.email) as address
    from public.redemptions d
    join public.spins t on t.org_id = d.org_id and t.id = d.spin_id
    join public.stores s on s.org_id = d.org_id and s.id = d.store_id
    join public.subscriptions u on u.org_id = d.org_id
    left join public.customers c on c.org_id = d.org_id and c.id = d.customer_id
    where d.status = 'available' and d.verdict is null and d.expires_at > now() and d.expires_at < now() + interval '5 days'
      -- In the three days before the last one, and in the daytime of the store.
      and (d.expires_at at time zone s.timezone)::date - private.now_in(s.timezone)::date between 1 and 3
      and extract(hour from private.now_in(s.timezone)) between 9 and 18
      -- No reminder in the first three days after the win.
      and d.created_at < now() - interval '3 days'
      -- A closed organisation sends nothing that was not asked for, though its tills go on taking what was won.
      and private.is_open(u)
      -- Nor does one that has no till left.
      and exists (select 1 from public.stores o where o.org_id = d.org_id and o.archived_at is null)
      and not exists (
        select 1 from private.prize_reminders m where m.org_id = d.org_id and m.spin_id = d.spin_id
      )
    order by d.expires_at, d.id limit p_limit
  loop
    v_mail_id := null;
    v_code := v_due.code;
    v_codes := v_codes || v_code;
    -- The player types the address, which could be anybody's: it gets few reminders a day.
    if v_due.address is not null and private.count_attempt(
      array['prize reminder to ' || encode(sha256(convert_to(private.normalize_email(v_due.address), 'UTF8')), 'hex')],
      '{3}', interval '1 day') is null
    then
      v_mail_id := private.write_prize_mail('prize_reminder', v_due.address, v_code);
    end if;
    insert into private.prize_reminders (org_id, spin_id, mail_id)
    values (v_code.org_id, v_code.spin_id, v_mail_id);
  end loop;
  -- Codes are held for this instant alone: no till waits while the mails are written. Codes that a till has used meanwhile, or is using right
  -- now, get none, and nor does a winner who was erased.
  foreach v_code in array v_codes loop
    perform 1 from public.redemptions d
    where d.org_id = v_code.org_id and d.id = v_code.id and d.status = 'available' and d.verdict is null
      and d.customer_id is not distinct from v_code.customer_id
    for no key update skip locked;
    if not found then
      delete from private.prize_reminders m where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      returning m.mail_id into v_mail_id;
      delete from private.outbox o where o.id = v_mail_id;
    end if;
  end loop;
  return cardinality(v_codes);
end;
$function$;

CREATE OR REPLACE FUNCTION private.taken_at(p_code public.redemptions, OUT kind text, OUT name text, OUT address text)
 RETURNS record
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select
    case count(s.id) when 0 then 'none' when 1 then 'store' else 'stores' end,
    case count(s.id) when 1 then min(s.name) else min(o.name) end,
    case count(s.id) when 1 then min(s.address) end
  from public.organizations o
  left join public.stores s on s.org_id = o.id and s.archived_at is null
    and (s.id = p_code.store_id or not private.has_own_till(p_code))
  where o.id = p_code.org_id;
$function$;

CREATE OR REPLACE FUNCTION private.write_gesture_mail(p_to text, p_body text, p_answers_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_customer_mail(p_code.org_id, p_code.customer_id, 'review_gesture', p_to, jsonb_build_object(
      'code', p_code.code,
      'locale', coalesce(u.locale, 'fr'),
      'brand', private.brand(p_code.org_id),
      'white_label', private.has_feature(p_code.org_id, 'white_label'),
      'until', jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone),
      'facts', jsonb_strip_nulls(jsonb_build_object('store', p.name, 'address', p.address, 'body', p_body,
        'anywhere', case when p.kind = 'stores' then p.kind end,
        'reply_to', p_answers_to,
        'prize', private.mailed_name(p_code, u.locale)))),
    now() + interval '2 days')
  from public.stores s
  cross join lateral private.taken_at(p_code) p
  left join public.customers u on u.org_id = p_code.org_id and u.id = p_code.customer_id
  where s.org_id = p_code.org_id and s.id = p_code.store_id;
$function$;

CREATE OR REPLACE FUNCTION private.write_prize_mail(p_template text, p_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_customer_mail(t.org_id, t.customer_id, p_template, p_to, jsonb_build_object(
      -- The nonce, which opens the prize, is in the fragment: browsers send it to no server.
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce,
      'code', p_code.code,
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label')
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', private.greeting_name(t.end_user_name),
      'until', case when p_code.expires_at is not null then
        jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone) end,
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', p.name,
        'address', p.address,
        'anywhere', case when p.kind = 'stores' then p.kind end,
        'rules', '/c/' || g.slug || '/reglement?version=' || t.rules_version))),
    now() + interval '1 day')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  cross join lateral private.taken_at(p_code) p
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$function$;

CREATE OR REPLACE FUNCTION public.prize_status(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_code constant public.redemptions := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
begin
  if v_code.id is null then
    return null;
  end if;
  return jsonb_build_object('status', private.code_state(v_code), 'verdict', v_code.verdict, 'used_at', v_code.used_at,
    'expires_at', v_code.expires_at,
    'place', (select jsonb_build_object('kind', p.kind, 'name', p.name) from private.taken_at(v_code) p),
    'locale', (select c.locale from public.customers c where c.org_id = v_code.org_id and c.id = v_code.customer_id),
    'prize', (
      select s.result::jsonb || jsonb_build_object('expires_at', v_code.expires_at)
      from public.spins s
      where s.org_id = v_code.org_id and s.id = v_code.spin_id));
end;
$function$;

COMMENT ON FUNCTION "private"."has_own_till"(public.redemptions) IS 'Whether the store of a code is in use: an archived one has no till, and its codes are valid at any other of the organisation.';

COMMENT ON FUNCTION "private"."remind_prizes"(integer) IS 'Job: reminds winners of a prize that waits three days before its last one, by day at the store: once, at the address of the spin or the customer, three a day to one address. Nothing for a code that is used, that no store takes any more, or won less than three days ago.';

COMMENT ON FUNCTION "private"."taken_at"(public.redemptions) IS 'Where a code is taken, for its winner: at a store, with its name and address; at several (stores) or at none any more, with the organisation''s name and no address. The rule is that of private.code_at.';

COMMENT ON FUNCTION "private"."write_prize_mail"(text, text, public.redemptions) IS 'Writes a mail that shows a prize in the winner''s language: its code, its last day, where it is taken (private.taken_at), the rules, and the merchant''s brand while the plan shows it. Answers the mail''s identifier.';

COMMENT ON FUNCTION "public"."prize_status"(uuid, uuid, uuid) IS 'Whether a prize still waits, where it is taken, the language of its customer''s pages, and the prize as its spin was answered. For whoever knows the nonce of that spin; null otherwise. The server function makes prizeAnswer of _shared/domain of it.';

REVOKE ALL ON FUNCTION "private"."has_own_till"(public.redemptions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."taken_at"(public.redemptions) FROM PUBLIC;
