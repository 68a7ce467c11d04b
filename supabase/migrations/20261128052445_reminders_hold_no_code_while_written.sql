-- Codes are held once the reminders are written, and not while: no till waits for the mails of others.

set check_function_bodies = off;

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
      -- A till takes no code of a plan that is over.
      and private.is_open(u)
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
