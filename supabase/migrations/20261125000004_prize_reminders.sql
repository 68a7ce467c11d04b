-- Why: a mail reminds the winner of a prize three days before its last day, and mails show their merchant

set check_function_bodies = off;

CREATE TABLE "private"."prize_reminders" ("org_id" uuid NOT NULL, "spin_id" uuid NOT NULL, "mail_id" uuid, "decided_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "prize_reminders_pkey" PRIMARY KEY (org_id, spin_id));

ALTER TABLE "private"."prize_reminders" ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.drop_prize_reminder()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  update private.outbox o set state = 'failed', last_error = 'code_used', data = '{}', settled_at = now()
  from private.prize_reminders m
  where m.org_id = new.org_id and m.spin_id = new.spin_id and o.id = m.mail_id and o.state = 'queued';
  return null;
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
  v_mail_id uuid;
  v_count integer := 0;
begin
  for v_due in
    select d.org_id, d.id, coalesce(t.end_user_email, c.email) as address
    from public.redemptions d
    join public.spins t on t.org_id = d.org_id and t.id = d.spin_id
    join public.stores s on s.org_id = d.org_id and s.id = d.store_id
    join public.subscriptions u on u.org_id = d.org_id
    left join public.customers c on c.org_id = d.org_id and c.id = d.customer_id
    where d.status = 'available' and d.expires_at > now() and d.expires_at < now() + interval '5 days'
      -- Three days before the last one, and not on it; nobody is woken up.
      and (d.expires_at at time zone s.timezone)::date - private.now_in(s.timezone)::date between 1 and 3
      and extract(hour from private.now_in(s.timezone)) between 9 and 18
      -- Whoever won a few days ago still knows.
      and d.created_at < now() - interval '3 days'
      -- A till takes no code of a plan that is over.
      and private.is_open(u)
      and not exists (
        select 1 from private.prize_reminders m where m.org_id = d.org_id and m.spin_id = d.spin_id
      )
    order by d.expires_at, d.id limit p_limit
    -- A code that a till is using right now is left to that till.
    for update of d skip locked
  loop
    v_count := v_count + 1;
    v_mail_id := null;
    select d.* into v_code from public.redemptions d where d.org_id = v_due.org_id and d.id = v_due.id;
    -- Whoever turns a wheel names the address, which could be anybody's: few reminders a day reach it.
    if v_due.address is not null and private.count_attempt(
      array['prize reminder to ' || encode(sha256(convert_to(private.normalize_email(v_due.address), 'UTF8')), 'hex')],
      '{3}', interval '1 day') is null
    then
      v_mail_id := private.write_prize_mail('prize_reminder', v_due.address, v_code);
    end if;
    insert into private.prize_reminders (org_id, spin_id, mail_id)
    values (v_code.org_id, v_code.spin_id, v_mail_id);
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.send_invitation(p_invitation private.invitations, p_limit integer)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_token constant text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_user_id constant uuid := private.my_user_id();
  v_of_organization constant text := 'invitations of ' || p_invitation.org_id;
  v_by constant text := 'invitations by ' || v_user_id;
  v_address constant text := private.network_address_hash();
  v_retry_after integer;
begin
  -- A merchant does not flood a mailbox, nor strangers with mails of ours.
  v_retry_after := greatest(
    private.count_attempt(
      array[v_of_organization, v_by,
        'invitations to ' || encode(sha256(convert_to(p_invitation.email, 'UTF8')), 'hex')],
      array[case when p_limit < 0 then 200 else 30 end, 60, 5], interval '1 day'),
    private.count_attempt(
      array[v_of_organization || ' in an hour', v_by || ' in an hour']
        || case when v_address is not null then array['invitations from ' || v_address] else '{}' end,
      '{20,20,30}', interval '1 hour'));
  if v_retry_after is not null then
    perform private.refuse_for_now('TV103', 'too_many_invitations', v_retry_after);
  end if;
  update private.invitations i
  set token_hash = sha256(convert_to(v_token, 'UTF8')), invited_by = v_user_id, sent_at = now(),
    expires_at = now() + interval '7 days'
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id;
  perform private.enqueue_mail('invitation', p_invitation.email, jsonb_build_object(
    'path', '/invitation?token=' || v_token,
    'organization', (select o.name from public.organizations o where o.id = p_invitation.org_id),
    'brand', private.brand(p_invitation.org_id),
    'inviter', private.user_name(v_user_id)), now() + interval '2 days');
end;
$function$;

CREATE OR REPLACE FUNCTION private.send_summaries(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_due record;
  v_timezone text;
  v_until date;
  v_from date;
  v_figures record;
  v_count integer := 0;
begin
  for v_due in
    select n.org_id, n.user_id, n.summary, n.next_summary_at, n.unsubscribe_token,
      (select u.email from auth.users u where u.id = n.user_id) as address
    from public.notification_preferences n
    where n.next_summary_at <= now()
    order by n.next_summary_at limit p_limit for update of n skip locked
  loop
    v_count := v_count + 1;
    v_timezone := private.timezone_of(v_due.org_id);
    -- The period ends with the day before the summary was due, however late this run comes.
    v_until := (v_due.next_summary_at at time zone v_timezone)::date;
    v_from := v_until - case v_due.summary when 'daily' then 1 else 7 end;
    update public.notification_preferences n
    set next_summary_at = private.next_summary(n.summary, v_timezone, now())
    where n.org_id = v_due.org_id and n.user_id = v_due.user_id;

    continue when v_due.address is null or not exists (
      select 1 from public.organization_members m
      join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
      where m.org_id = v_due.org_id and m.user_id = v_due.user_id
    );
    select coalesce(sum(d.scans), 0) as scans, coalesce(sum(d.reviews), 0) as reviews,
      coalesce(sum(d.rating_sum), 0) as rating_sum, coalesce(sum(d.spins), 0) as spins,
      coalesce(sum(d.wins), 0) as wins, coalesce(sum(d.redemptions), 0) as redemptions
    into v_figures
    from private.day_figures_now(v_due.org_id, v_from, v_until) d;
    -- A day on which nothing happened is not worth a mail; a week is.
    continue when v_due.summary = 'daily'
      and v_figures.scans + v_figures.reviews + v_figures.spins + v_figures.redemptions = 0;

    perform private.enqueue_mail(v_due.summary || '_summary', v_due.address, jsonb_build_object(
      'name', private.user_name(v_due.user_id),
      'brand', private.brand(v_due.org_id),
      'facts', jsonb_strip_nulls(jsonb_build_object(
        'organization', (select o.name from public.organizations o where o.id = v_due.org_id),
        'from', to_char(v_from, 'DD/MM/YYYY'), 'to', to_char(v_until - 1, 'DD/MM/YYYY'),
        'scans', v_figures.scans::text, 'reviews', v_figures.reviews::text, 'spins', v_figures.spins::text,
        'wins', v_figures.wins::text, 'redemptions', v_figures.redemptions::text,
        'average', case when v_figures.reviews > 0 then
          replace(round(v_figures.rating_sum::numeric / v_figures.reviews, 1)::text, '.', ',') end,
        'token', v_due.unsubscribe_token))),
      now() + interval '1 day');
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.write_prize_mail(p_template text, p_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail(p_template, p_to, jsonb_build_object(
      -- Behind the sign that no browser sends along: the nonce opens the prize.
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce,
      'code', p_code.code,
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label')
    ) || jsonb_strip_nulls(jsonb_build_object(
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'until', case when p_code.expires_at is not null then
        jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone) end,
      'facts', jsonb_build_object(
        -- What a merchant has named like an address of the web is left out of a mail that bears our name.
        'prize', case when p_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then p_code.reward_name end,
        'store', s.name,
        'address', s.address,
        'rules', '/c/' || g.slug || '/reglement?version=' || t.rules_version))),
    now() + interval '1 day')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$function$;

CREATE OR REPLACE FUNCTION public.mail_prize(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid, p_email text, p_address_hash text, OUT outcome text, OUT recipient text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_code public.redemptions;
  v_known text;
  v_retry_after integer;
begin
  v_retry_after := private.count_attempt(array['prize mail address ' || p_address_hash], '{30}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;
  v_code := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
  if v_code.id is null then
    outcome := 'prize_not_found';
    return;
  end if;
  if private.code_state(v_code) <> 'available' then
    outcome := 'code_' || private.code_state(v_code);
    return;
  end if;

  select coalesce(t.end_user_email, c.email) into v_known
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = v_code.org_id and t.id = v_code.spin_id;
  recipient := coalesce(v_known, p_email);
  if recipient is null then
    outcome := 'email_needed';
    return;
  end if;
  -- Asked again, by a thumb or by the network: it is on its way, and nobody's limit is touched.
  if exists (
    select 1 from private.prize_mails m
    where m.org_id = v_code.org_id and m.spin_id = v_code.spin_id
      and (m.mails >= 3 or m.sent_at > now() - interval '10 minutes')
  ) then
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  -- Whoever turns a wheel names the address, which could be anybody's: few mails a day reach it, whatever is won, and
  -- fewer still where this page alone has named it.
  v_retry_after := private.count_attempt(
    array['prize mail to ' || encode(sha256(convert_to(private.normalize_email(recipient), 'UTF8')), 'hex')],
    array[case when v_known is null then 3 else 10 end], interval '1 day');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    recipient := null;
    return;
  end if;

  insert into private.prize_mails as m (org_id, spin_id) values (v_code.org_id, v_code.spin_id)
  on conflict (org_id, spin_id) do update set mails = m.mails + 1, sent_at = now()
    where m.mails < 3 and m.sent_at <= now() - interval '10 minutes';
  if not found then
    -- The same, at the same instant.
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  perform private.write_prize_mail('prize', recipient, v_code);
  outcome := 'sent';
  -- Enough to recognise one's own address, too little to learn somebody's.
  recipient := left(recipient, 1) || '•••@' || split_part(recipient, '@', -1);
end;
$function$;

ALTER TABLE "private"."prize_reminders" ADD CONSTRAINT "prize_reminders_org_id_spin_id_fkey" FOREIGN KEY (org_id, spin_id) REFERENCES public.spins(org_id, id) ON DELETE CASCADE;

CREATE TRIGGER drop_prize_reminder AFTER UPDATE OF status ON public.redemptions FOR EACH ROW WHEN (((old.status = 'available'::text) AND (new.status = 'used'::text))) EXECUTE FUNCTION private.drop_prize_reminder();

COMMENT ON COLUMN "private"."prize_reminders"."decided_at" IS 'When.';

COMMENT ON COLUMN "private"."prize_reminders"."mail_id" IS 'The mail, which goes with its code as long as it has not left; null where none was written.';

COMMENT ON COLUMN "private"."prize_reminders"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."prize_reminders"."spin_id" IS 'Turn that won.';

COMMENT ON FUNCTION "private"."drop_prize_reminder"() IS 'Takes back the reminder of a code that is used while the mail still waits.';

COMMENT ON FUNCTION "private"."remind_prizes"(integer) IS 'Job: reminds winners of a prize that waits three days before its last one, by day at the store: once, at the address of the turn or the customer, three a day to one address. Nothing for a code that is used, or won less than three days ago.';

COMMENT ON FUNCTION "private"."write_prize_mail"(text, text, public.redemptions) IS 'Writes a mail that shows a prize: its code, its last day, the store with its address, the rules, and the merchant''s brand while the plan shows it. Answers the mail''s identifier.';

COMMENT ON TABLE "private"."prize_reminders" IS 'Prizes whose reminder was decided on, once each: sent, or left out for want of an address.';

REVOKE ALL ON FUNCTION "private"."drop_prize_reminder"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remind_prizes"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."write_prize_mail"(text, text, public.redemptions) FROM PUBLIC;

insert into private.jobs (name, run_every) values ('remind_prizes', interval '15 minutes');
