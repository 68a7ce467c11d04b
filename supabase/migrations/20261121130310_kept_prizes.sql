-- Why: a prize is fetched days later. Its winner can ask from the phone that won whether it still waits, and have it sent
-- by e-mail. The secret is the draw's nonce, which only that phone was told; and nobody can make us write to whom they
-- please: the mail goes to the address that was given for the turn.

create table private.prize_mails (
  org_id uuid not null,
  spin_id uuid not null,
  mails smallint not null default 1,
  sent_at timestamptz not null default now(),
  primary key (org_id, spin_id),
  foreign key (org_id, spin_id) references public.spins (org_id, id) on delete cascade
);
alter table private.prize_mails enable row level security;
comment on table private.prize_mails is 'Which prizes were sent to their winners by e-mail; not to which address.';
comment on column private.prize_mails.org_id is 'Organisation.';
comment on column private.prize_mails.spin_id is 'Turn that won.';
comment on column private.prize_mails.mails is 'How often, 3 at most.';
comment on column private.prize_mails.sent_at is 'The last time.';

create function private.prize_of(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid) returns public.redemptions
language sql stable
as $$
  select d.* from public.campaigns c
  join public.spins s on s.org_id = c.org_id and s.id = p_spin_id
  join public.redemptions d on d.org_id = s.org_id and d.spin_id = s.id
  where c.id = p_campaign_id and s.campaign_id = c.id and s.nonce = p_nonce;
$$;
comment on function private.prize_of(uuid, uuid, uuid) is
  'The code that a turn won, for whoever knows the turn''s nonce; null otherwise.';

create function private.code_state(p_code public.redemptions) returns text
language sql stable
as $$
  select case when p_code.status = 'available' and p_code.expires_at <= now() then 'expired' else p_code.status end;
$$;
comment on function private.code_state(public.redemptions) is
  'available, used or expired, at this instant: the job that closes codes comes a little later.';

create function public.prize_status(p_campaign_id uuid, p_spin_id uuid, p_nonce uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_code constant public.redemptions := private.prize_of(p_campaign_id, p_spin_id, p_nonce);
begin
  if v_code.id is null then
    return null;
  end if;
  return jsonb_build_object('status', private.code_state(v_code), 'used_at', v_code.used_at,
    'expires_at', v_code.expires_at);
end;
$$;
comment on function public.prize_status(uuid, uuid, uuid) is
  'Whether a prize still waits, for whoever knows the nonce of its turn; null otherwise. The shape is prizeStatus of '
  '_shared/domain.';
grant execute on function public.prize_status(uuid, uuid, uuid) to service_role;

create function public.mail_prize(
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
  -- An address that only this page has named could be anybody's: few mails a day reach it, whatever is won.
  if v_prize.known is null then
    v_retry_after := private.take(
      array['prize mail to ' || encode(sha256(convert_to(private.normalize_email(recipient), 'UTF8')), 'hex')],
      '{3}', interval '1 day');
    if v_retry_after is not null then
      outcome := 'too_many_attempts';
      retry_at := now() + make_interval(secs => v_retry_after);
      recipient := null;
      return;
    end if;
  end if;

  insert into private.prize_mails as m (org_id, spin_id) values (v_code.org_id, v_code.spin_id)
  on conflict (org_id, spin_id) do update set mails = m.mails + 1, sent_at = now()
    where m.mails < 3 and m.sent_at <= now() - interval '10 minutes';
  if not found then
    -- Asked again, by a thumb or by the network: it is on its way.
    outcome := 'repeated';
    recipient := null;
    return;
  end if;
  perform private.enqueue_mail('prize', recipient, jsonb_build_object(
    'path', '/c/' || v_prize.slug || '/reglement?version=' || v_prize.rules_version,
    'code', v_code.code,
    'facts', jsonb_strip_nulls(jsonb_build_object(
      -- What a merchant has named like an address of the web is left out of a mail that bears our name.
      'prize', case when v_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then v_code.reward_name end,
      'store', v_prize.store,
      'until', to_char(v_code.expires_at at time zone v_prize.timezone, 'DD/MM/YYYY')))),
    now() + interval '1 day');
  outcome := 'sent';
  -- Enough to recognise one's own address, too little to learn somebody's.
  recipient := left(recipient, 1) || '•••@' || split_part(recipient, '@', -1);
end;
$$;
comment on function public.mail_prize(uuid, uuid, uuid, text, text) is
  'Sends a prize to its winner by e-mail, for whoever knows the nonce of its turn: to the address that was given for the '
  'turn or stands with the customer; p_email counts only where neither is known. Outcomes: sent (recipient, masked), '
  'repeated (within 10 minutes, or 3 times already: nothing is sent), email_needed, prize_not_found, code_used, '
  'code_expired, too_many_attempts (retry_at).';
grant execute on function public.mail_prize(uuid, uuid, uuid, text, text) to service_role;
