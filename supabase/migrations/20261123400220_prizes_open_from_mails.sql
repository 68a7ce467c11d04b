-- Mails about a prize lead to the prize, on whichever phone they are read: whoever knows the nonce of a turn is answered
-- with what it won, and the rules of the draw are named beside it.

create or replace function public.prize_status(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_code constant public.redemptions := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
begin
  if v_code.id is null then
    return null;
  end if;
  return jsonb_build_object('status', private.code_state(v_code), 'used_at', v_code.used_at,
    'expires_at', v_code.expires_at,
    'prize', (
      select s.result::jsonb || jsonb_build_object('expires_at', v_code.expires_at)
      from public.spins s
      where s.org_id = v_code.org_id and s.id = v_code.spin_id));
end;
$$;
comment on function public.prize_status(uuid, uuid, uuid) is
  'Whether a prize still waits, and the prize as its turn was answered, for whoever knows the nonce of that turn; null '
  'otherwise. The shape is prizeAnswer of _shared/domain.';

create or replace function public.mail_prize(
  p_campaign_id uuid, p_spin_id uuid, p_nonce uuid, p_email text, p_address_hash text,
  out outcome text, out recipient text, out retry_at timestamptz
)
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_code public.redemptions;
  v_prize record;
  v_retry_after integer;
begin
  v_retry_after := private.take(array['prize mail address ' || p_address_hash], '{30}', interval '1 hour');
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

  select coalesce(t.end_user_email, c.email) as known, s.name as store, s.timezone, g.slug, t.rules_version
  into v_prize
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = v_code.org_id and t.id = v_code.spin_id;
  recipient := coalesce(v_prize.known, p_email);
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
  v_retry_after := private.take(
    array['prize mail to ' || encode(sha256(convert_to(private.normalize_email(recipient), 'UTF8')), 'hex')],
    array[case when v_prize.known is null then 3 else 10 end], interval '1 day');
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
  perform private.enqueue_mail('prize', recipient, jsonb_build_object(
    -- Behind the sign that no browser sends along: the nonce opens the prize.
    'path', '/c/' || v_prize.slug || '/gain#gain=' || v_code.spin_id || '.' || p_nonce,
    'code', v_code.code,
    'facts', jsonb_strip_nulls(jsonb_build_object(
      -- What a merchant has named like an address of the web is left out of a mail that bears our name.
      'prize', case when v_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then v_code.reward_name end,
      'store', v_prize.store,
      'rules', '/c/' || v_prize.slug || '/reglement?version=' || v_prize.rules_version,
      'until', to_char(v_code.expires_at at time zone v_prize.timezone, 'DD/MM/YYYY')))),
    now() + interval '1 day');
  outcome := 'sent';
  -- Enough to recognise one's own address, too little to learn somebody's.
  recipient := left(recipient, 1) || '•••@' || split_part(recipient, '@', -1);
end;
$$;
