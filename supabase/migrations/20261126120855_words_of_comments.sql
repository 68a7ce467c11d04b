-- Why: comments by the rule of words (short sentences in the terms of the field), and a function named after what it does; no behaviour changes.

set check_function_bodies = off;

DROP FUNCTION "private"."tell_winner"(public.redemptions, text);

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
    select u.email as address, private.user_name(u.id) as name, n.email, n.sms, n.unsubscribe_token,
      private.proven_phone(u.id) as phone,
      -- Whoever may not see customers is led to the campaign, where reviews name nobody.
      case when private.role_may(m.role, 'customers.read') then new.customer_id end as customer_id,
      private.role_may(m.role, 'customers.read') and private.role_may(m.role, 'reviews.read') as reads_inbox
    from public.notification_preferences n
    join public.organization_members m on m.org_id = n.org_id and m.user_id = n.user_id
    join public.role_permissions p on p.role = m.role and p.permission = 'activity.read'
    join auth.users u on u.id = n.user_id
    where n.org_id = new.org_id and n.low_ratings
  loop
    if v_reader.email and v_reader.address is not null then
      perform private.enqueue_mail('low_rating', v_reader.address, jsonb_build_object(
        'name', v_reader.name,
        'brand', private.brand(new.org_id),
        'facts', jsonb_strip_nulls(jsonb_build_object('store', v_store, 'rating', new.rating::text,
          'review', case when v_reader.reads_inbox then private.alias_of(new.id) end,
          'customer', case when not v_reader.reads_inbox then v_reader.customer_id end,
          'campaign', case when v_reader.customer_id is null then new.campaign_id end,
          'token', v_reader.unsubscribe_token))),
        now() + interval '1 day', now() + interval '2 minutes');
    end if;
    if v_reader.sms and v_reader.phone is not null then
      perform private.enqueue_sms('low_rating', v_reader.phone,
        jsonb_build_object('store', v_store, 'rating', new.rating), now() + interval '2 hours');
    end if;
  end loop;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.assign_campaign_slug()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_base text;
  v_slug text;
  v_suffix integer := 1;
begin
  v_base := coalesce(nullif(new.slug, ''), nullif(left(private.slugify(new.name), 70), ''), 'campagne');
  v_base := trim(trailing '-' from v_base);
  -- Merchants who choose the same slug at the same instant wait for each other, with or without a suffix.
  perform pg_advisory_xact_lock(hashtextextended(
    'campaign slug ' || left(regexp_replace(v_base, '(-[0-9]+)+$', ''), 70), 0));
  v_slug := v_base;
  -- The organisation's own slug again is an error of the caller (23505), which no suffix may hide.
  while exists (
      select 1 from public.campaigns c
      where c.slug = v_slug and c.org_id <> new.org_id
    ) or exists (
      select 1 from public.campaign_slug_redirects r
      where r.slug = v_slug and r.campaign_id <> new.id
    )
  loop
    v_suffix := v_suffix + 1;
    v_slug := left(v_base, 70) || '-' || v_suffix;
  end loop;
  new.slug := v_slug;
  return new;
end;
$function$;

CREATE OR REPLACE FUNCTION private.code_at(p_org_id uuid, p_store_id uuid, p_code text)
 RETURNS TABLE(state text, redemption public.redemptions)
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_key text := upper(regexp_replace(coalesce(p_code, ''), '[^A-Za-z0-9]', '', 'g'));
  v_redemption public.redemptions;
begin
  select * into v_redemption from public.redemptions r where r.org_id = p_org_id and r.code_key = v_key;
  return query select
    case
      when v_redemption.id is null then case when v_key ~ '^TEST' then 'test' else 'unknown' end
      -- An archived store has no till: its codes are valid at any other.
      when v_redemption.store_id <> p_store_id and exists (
        select 1 from public.stores s
        where s.org_id = p_org_id and s.id = v_redemption.store_id and s.archived_at is null
      ) then 'other_store'
      when v_redemption.status = 'used' then 'used'
      when v_redemption.verdict is not null then v_redemption.verdict
      when v_redemption.status = 'expired' or v_redemption.expires_at <= now() then 'expired'
      else 'available'
    end,
    v_redemption;
end;
$function$;

CREATE OR REPLACE FUNCTION private.decide_code(p_code public.redemptions, p_action text, p_user_id uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_timezone text;
  v_decided_at timestamptz;
  v_expires_at timestamptz := p_code.expires_at;
begin
  if p_action = 'hold' then
    if p_code.status <> 'available' or p_code.verdict is not null or p_code.expires_at <= now() then
      return false;
    end if;
    update public.redemptions d set verdict = 'held' where d.org_id = p_code.org_id and d.id = p_code.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_held'));
  elsif p_action = 'cancel' then
    -- Over by time, and never held back: its winner has lost nothing by a cancellation, and the stock stays as it is.
    if p_code.status = 'used' or p_code.verdict = 'cancelled'
      or (p_code.verdict is null and (p_code.status = 'expired' or p_code.expires_at <= now()))
    then
      return false;
    end if;
    perform private.drop_verdict_mail(p_code);
    update public.redemptions d set status = 'expired', verdict = 'cancelled'
    where d.org_id = p_code.org_id and d.id = p_code.id;
    update public.rewards r set stock = r.stock + 1
    where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.stock >= 0;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    values (p_code.org_id, p_code.id, private.notify_winner(p_code, 'prize_cancelled'));
  else
    if p_code.verdict is null then
      return false;
    end if;
    if p_code.verdict = 'cancelled' then
      -- What was given back to the stock may have been won since: then the prize stays cancelled.
      update public.rewards r set stock = case when r.stock > 0 then r.stock - 1 else r.stock end
      where r.org_id = p_code.org_id and r.id = p_code.reward_id and r.stock <> 0;
      if not found then
        return false;
      end if;
    end if;
    select s.timezone into v_timezone from public.stores s where s.org_id = p_code.org_id and s.id = p_code.store_id;
    select v.decided_at into v_decided_at from private.code_verdicts v
    where v.org_id = p_code.org_id and v.redemption_id = p_code.id;
    -- Valid for as many days longer as it could not be used.
    if v_expires_at is not null then
      v_expires_at := private.day_end((v_expires_at at time zone v_timezone)::date + (
        private.now_in(v_timezone)::date - (coalesce(v_decided_at, now()) at time zone v_timezone)::date), v_timezone);
    end if;
    if not private.drop_verdict_mail(p_code) then
      perform private.notify_winner(p_code, 'prize_released');
    end if;
    update public.redemptions d set status = 'available', verdict = null, expires_at = v_expires_at
    where d.org_id = p_code.org_id and d.id = p_code.id;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  values (p_code.org_id, p_code.id,
    case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id);
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.export_account(p_user_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'account', jsonb_build_object('id', u.id, 'email', u.email, 'phone', u.phone, 'metadata', u.raw_user_meta_data,
      'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at, 'last_sign_in_at', u.last_sign_in_at),
    'ways_in', (select jsonb_agg(jsonb_build_object('provider', i.provider, 'data', i.identity_data,
      'created_at', i.created_at) order by i.created_at) from auth.identities i where i.user_id = u.id),
    'second_factors', (select jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name,
      'phone', f.phone, 'status', f.status, 'created_at', f.created_at) order by f.created_at)
      from auth.mfa_factors f where f.user_id = u.id),
    'passkeys', (select jsonb_agg(jsonb_build_object('name', k.friendly_name, 'created_at', k.created_at,
      'last_used_at', k.last_used_at) order by k.created_at) from auth.webauthn_credentials k where k.user_id = u.id),
    'sessions', (select jsonb_agg(jsonb_build_object('created_at', s.created_at, 'device', s.user_agent,
      'address', host(s.ip)) order by s.created_at) from auth.sessions s where s.user_id = u.id),
    'membership', (select jsonb_agg(jsonb_build_object('organization', o.name, 'role', m.role, 'added_at', m.added_at))
      from public.organization_members m join public.organizations o on o.id = m.org_id where m.user_id = u.id),
    'notices', (select jsonb_agg(jsonb_build_object('email', n.email, 'sms', n.sms, 'low_ratings', n.low_ratings,
      'summary', n.summary)) from public.notification_preferences n where n.user_id = u.id),
    -- Details may name colleagues and people who were invited: only fields that identify nobody are answered.
    'actions', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'action', e.action, 'subject', e.subject_type,
        'subject_id', e.subject_id, 'detail', (select coalesce(jsonb_object_agg(d.key, d.value), '{}')
          from jsonb_each(e.detail) d where d.key in ('fields', 'plan', 'former_plan', 'billing', 'former_billing')))
      order by e.id) from public.audit_events e where e.user_id = u.id),
    'account_events', (select jsonb_agg(jsonb_build_object('at', e.created_at, 'event', e.event) order by e.id)
      from private.account_events e where e.user_id = u.id))
  from auth.users u where u.id = p_user_id;
$function$;

CREATE OR REPLACE FUNCTION private.find_reviews(p_org_id uuid, p_filters jsonb, p_user_id uuid, p_at timestamp with time zone, p_id uuid, p_is_back boolean, p_limit integer)
 RETURNS uuid[]
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_most constant integer := 300;
  v_pattern constant text := private.search_pattern(p_filters ->> 'search');
  v_hint constant text := private.pattern_hint(v_pattern);
  v_filters constant jsonb := jsonb_build_object('search', p_filters ->> 'search');
  v_is_frequent boolean;
  v_walked uuid[];
  v_is_whole boolean;
begin
  -- A name that three in a hundred of the newest customers have is found sooner by going through the reviews.
  if (
    select count(*) from (
      select c.search_words from public.customers c
      where c.org_id = p_org_id order by c.created_at desc, c.id desc limit v_most
    ) newest where newest.search_words like v_pattern
  ) * 100 >= 3 * v_most then
    select w.ids, w.is_whole into v_walked, v_is_whole
    from private.walk_reviews(p_org_id, p_filters, p_user_id, p_at, p_id, p_is_back, p_limit) w;
    if v_is_whole then
      return v_walked;
    end if;
  end if;
  -- PostgreSQL keeps no statistics for a partial index: how frequent a word is, the newest reviews tell. What three in a
  -- hundred of them say is found sooner by date than among all that the index of words would bring.
  v_is_frequent := (
    select count(*) from (
      select r.review_text from public.pre_spin_reviews r
      where r.org_id = p_org_id and r.review_text is not null order by r.created_at desc limit v_most
    ) newest where private.has_review_words(newest.review_text, v_pattern, v_hint)
  ) * 100 >= 3 * v_most;
  return array(
    -- Whether a review passes the filters is a column: rows as a whole would be put together and taken apart again.
    with said as (
      (
        select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews r
        where v_is_frequent and r.org_id = p_org_id and r.review_text is not null
          -- A function instead of the index's expression, so that the index is not used here.
          and private.has_review_words(r.review_text, v_pattern, v_hint)
        order by r.created_at desc limit v_most
      )
      union all
      (
        select o.created_at, o.id, o.is_in_inbox
        from (
          select r.created_at, r.id, private.is_in_inbox(r, p_filters, p_user_id) as is_in_inbox
          from public.pre_spin_reviews r
          where not v_is_frequent and r.org_id = p_org_id and r.review_text is not null
            and private.review_words(r.review_text) like v_pattern
          -- « offset 0 »: three letters are taken for frequent by a plan that reads by date, and reads everything where none has them.
          offset 0
        ) o
        order by o.created_at desc limit v_most
      )
    ), written as (
      select w.created_at, w.id, w.is_in_inbox
      from (
        select c.id from public.customers c
        where c.org_id = p_org_id and private.matches_filters(c, v_filters)
        order by c.created_at desc, c.id desc limit v_most
      ) c
      cross join lateral (
        select o.created_at, o.id, private.is_in_inbox(o, p_filters, p_user_id) as is_in_inbox
        from public.pre_spin_reviews o
        where o.org_id = p_org_id and o.customer_id = c.id order by o.created_at desc limit 20
      ) w
    ), found as (
      select s.created_at, s.id from said s where s.is_in_inbox
      union
      select w.created_at, w.id from written w where w.is_in_inbox
      union
      select r.created_at, r.id from public.pre_spin_reviews r where r.org_id = p_org_id and r.id = any (v_walked)
    )
    select f.id from found f
    where p_at is null or case when p_is_back then (f.created_at, f.id) > (p_at, p_id) else (f.created_at, f.id) < (p_at, p_id) end
    order by case when p_is_back then f.created_at end, case when p_is_back then f.id end, f.created_at desc, f.id desc
    limit p_limit);
end;
$function$;

CREATE OR REPLACE FUNCTION private.fold_figures(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
begin
  -- Two at once would count a day at two values.
  perform pg_advisory_xact_lock(hashtextextended('private.fold_figures', 0));
  -- One statement: whoever reads meanwhile finds every event once, in the recent rows or in the figures.
  with taken as (
    delete from private.recent_figures f where f.ctid = any (array(
      select o.ctid from private.recent_figures o limit 10 * p_limit for update skip locked
    ))
    returning f.*
  ), days as (
    insert into public.reward_daily_stats as d (org_id, reward_id, day, wins, redemptions)
    select f.org_id, f.reward_id, f.day, sum(f.wins), sum(f.redemptions)
    from taken f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    where f.day is not null
    group by f.org_id, f.reward_id, f.day
    on conflict (org_id, reward_id, day) do update set
      wins = d.wins + excluded.wins,
      redemptions = d.redemptions + excluded.redemptions
    returning d.org_id, d.reward_id, d.wins
  ), totals as (
    insert into public.reward_totals as t (org_id, reward_id, wins, codes, redemptions, expirations, best_day)
    select f.org_id, f.reward_id, sum(f.wins), sum(f.codes), sum(f.redemptions), sum(f.expirations),
      coalesce((select max(d.wins) from days d where d.org_id = f.org_id and d.reward_id = f.reward_id), 0)
    from taken f join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
    group by f.org_id, f.reward_id
    on conflict (org_id, reward_id) do update set
      wins = t.wins + excluded.wins,
      codes = t.codes + excluded.codes,
      redemptions = t.redemptions + excluded.redemptions,
      expirations = t.expirations + excluded.expirations,
      best_day = greatest(t.best_day, excluded.best_day)
  ), costs as (
    insert into private.folded_costs as c (org_id, day, cost, unpriced)
    select u.org_id, u.day, coalesce(sum(u.redemptions * u.value), 0),
      coalesce(sum(u.redemptions) filter (where u.value is null), 0)
    from (
      select f.org_id, f.day, f.redemptions, case when p.reward_id is null then r.value else p.value end as value
      from taken f
      join public.rewards r on r.org_id = f.org_id and r.id = f.reward_id
      left join private.repriced_rewards p on p.org_id = f.org_id and p.reward_id = f.reward_id
      where f.day is not null and f.redemptions <> 0
    ) u
    group by u.org_id, u.day
    on conflict (org_id, day) do update set cost = c.cost + excluded.cost, unpriced = c.unpriced + excluded.unpriced
  ), customers as (
    insert into public.customer_totals as t (org_id, customers, consents, participants)
    select f.org_id, sum(f.customers), sum(f.consents), sum(f.participants)
    from taken f join public.organizations o on o.id = f.org_id
    where f.reward_id is null
    group by f.org_id
    -- A customer that a refused spin added and removed again changes no sum.
    having sum(f.customers) <> 0 or sum(f.consents) <> 0 or sum(f.participants) <> 0
    on conflict (org_id) do update set
      customers = t.customers + excluded.customers,
      consents = t.consents + excluded.consents,
      participants = t.participants + excluded.participants
  )
  select count(*) into v_count from taken;
  perform private.fold_values(p_limit);
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.join_by_invitation(p_invitation private.invitations)
 RETURNS jsonb
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := private.my_user_id();
  v_user auth.users;
  v_invitation private.invitations;
begin
  perform private.lock_team(p_invitation.org_id);
  -- It may have been accepted, taken back or sent again while the lock was waited for.
  select * into v_invitation from private.invitations i
  where i.org_id = p_invitation.org_id and i.id = p_invitation.id and i.token_hash = p_invitation.token_hash
  for update;
  select * into v_user from auth.users u where u.id = v_user_id;
  case private.invitation_state(v_invitation)
    when 'open' then null;
    when 'withdrawn' then raise exception 'invitation_withdrawn' using errcode = 'TV099';
    when 'expired' then raise exception 'invitation_expired' using errcode = 'TV100';
    else
      -- A repeat of what has worked, whose answer was lost.
      if v_invitation.accepted_by = v_user_id and exists (
        select 1 from public.organization_members m where m.org_id = v_invitation.org_id and m.user_id = v_user_id
      ) then
        return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
      end if;
      raise exception 'invitation_unknown' using errcode = 'TV098';
  end case;
  if lower(v_user.email) is distinct from v_invitation.email then
    raise exception 'invitation_for_other_address' using errcode = 'TV101';
  elsif v_user.email_confirmed_at is null then
    -- An unconfirmed address uses no seat.
    raise exception 'address_not_confirmed' using errcode = 'TV102';
  end if;
  -- Whose own organisation waits to be erased may begin anew here.
  perform private.release_member(v_user_id);
  if exists (select 1 from public.organization_members m where m.user_id = v_user_id) then
    raise exception 'already_member' using errcode = 'TV020';
  end if;
  update private.invitations i set accepted_at = now(), accepted_by = v_user_id
  where i.org_id = v_invitation.org_id and i.id = v_invitation.id;
  insert into public.organization_members (org_id, user_id, role, store_id)
  values (v_invitation.org_id, v_user_id, v_invitation.role, v_invitation.store_id);
  insert into public.notification_preferences (org_id, user_id) values (v_invitation.org_id, v_user_id);
  perform private.audit(v_invitation.org_id, 'member.joined', 'member', v_user_id,
    jsonb_build_object('name', private.user_name(v_user_id), 'role', v_invitation.role));
  return jsonb_build_object('organization', v_invitation.org_id, 'role', v_invitation.role);
end;
$function$;

CREATE OR REPLACE FUNCTION private.low_stock(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded yet is one short list for all rewards: read once, not once for each.
  with recent as materialized (
    select f.reward_id, f.day, f.wins from private.recent_figures f
    where f.org_id = p_org_id and f.wins <> 0 and f.reward_id is not null and f.day is not null
  ), candidates as materialized (
    -- Upper bound, so that few rewards need an exact count: no seven days had more wins than eight of the best days.
    select r.id, r.name, r.stock, r.campaign_id
    from public.rewards r
    left join public.reward_totals t on t.org_id = p_org_id and t.reward_id = r.id
    left join (select f.reward_id, sum(f.wins) as wins from recent f group by f.reward_id) n on n.reward_id = r.id
    where r.org_id = p_org_id and r.active and r.archived_at is null and r.stock >= 0
      and (r.stock <= 5 or r.stock <= 8 * coalesce(t.best_day, 0) + coalesce(n.wins, 0))
  )
  select coalesce(jsonb_agg(jsonb_build_object('id', low.id, 'name', low.name, 'stock', low.stock)
    order by low.stock, low.name, low.id), '[]'::jsonb)
  from (
    select r.id, r.name, r.stock
    from candidates r
    join public.campaigns c on c.org_id = p_org_id and c.id = private.selling_campaign(p_org_id, r.id, r.campaign_id)
    join public.stores s on s.org_id = p_org_id and s.id = c.store_id
    -- Few, or gone in a week at the pace of the last one, whose days are those of the store.
    where r.stock <= 5 or r.stock <= (
        select coalesce(sum(d.wins), 0)
        from (
          select f.wins from public.reward_daily_stats f
          where f.org_id = p_org_id and f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
          union all
          select f.wins from recent f where f.reward_id = r.id and f.day > private.now_in(s.timezone)::date - 7
        ) d)
    order by r.stock, r.name, r.id limit 3
  ) low;
$function$;

CREATE OR REPLACE FUNCTION private.mark_codes(p_org_id uuid, p_campaign_id uuid, p_kind text, p_key text, p_names integer, p_codes uuid[], p_losses integer DEFAULT 0, p_new_losses integer DEFAULT 0)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_group_id uuid;
  v_first timestamptz;
  v_last timestamptz;
begin
  if exists (
    select 1 from private.check_groups g
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key and g.is_normal
  ) then
    return;
  end if;
  select min(coalesce(d.used_at, d.created_at)), max(coalesce(d.used_at, d.created_at)) into v_first, v_last
  from public.redemptions d
  where d.org_id = p_org_id and d.id = any (p_codes) and not exists (
    select 1 from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = p_org_id and m.redemption_id = d.id and g.kind = p_kind and g.group_key = p_key
  );
  -- No prize that is new: an open group has more losing spins, and none is opened for them.
  if v_first is null then
    update private.check_groups g set losses = g.losses + p_new_losses
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key
      and g.closed_at is null and p_new_losses > 0;
    return;
  end if;
  insert into private.check_groups as g (org_id, campaign_id, kind, group_key, names, opened_at, last_at, losses)
  values (p_org_id, p_campaign_id, p_kind, p_key, greatest(p_names, 1), v_first, v_last,
    -- A group that was dealt with has counted those before.
    case when exists (
      select 1 from private.check_groups b
      where b.org_id = p_org_id and b.campaign_id = p_campaign_id and b.kind = p_kind and b.group_key = p_key
    ) then p_new_losses else p_losses end)
  on conflict (org_id, campaign_id, kind, group_key) where closed_at is null
  do update set last_at = greatest(g.last_at, excluded.last_at), names = greatest(g.names, excluded.names),
    losses = g.losses + p_new_losses
  returning g.id into v_group_id;
  insert into private.check_codes (org_id, group_id, redemption_id)
  select p_org_id, v_group_id, c from unnest(p_codes) c
  -- A group that was dealt with keeps its prizes; what comes later is a group of its own.
  where not exists (
    select 1 from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    where m.org_id = p_org_id and m.redemption_id = c and g.kind = p_kind and g.group_key = p_key
  )
  on conflict do nothing;
end;
$function$;

CREATE OR REPLACE FUNCTION private.may_upload_logo(p_name text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  if p_name is null or p_name !~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then
    return false;
  end if;
  v_org_id := split_part(p_name, '/', 1)::uuid;
  return v_org_id in (select private.my_org_ids('organization.update'))
    and private.has_feature(v_org_id, 'white_label')
    -- Uploads are removed within seconds (by the function brand_logo, else by the job sweep_files): five at once are
    -- enough.
    and (select count(*) from storage.objects o
      where o.bucket_id = 'logo-uploads' and o.name like v_org_id || '/%') < 5;
-- A policy can only refuse; the function brand_logo, which is called next, says why.
exception when sqlstate 'TV010' or sqlstate 'TV011' or sqlstate 'TV085' then
  return false;
end;
$function$;

CREATE OR REPLACE FUNCTION private.monthly_spins_used(p_org_id uuid, p_day date)
 RETURNS integer
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_from constant date := date_trunc('month', p_day)::date;
  v_to constant date := (date_trunc('month', p_day) + interval '1 month')::date;
begin
  -- Not through day_figures_now: the draw calls this, and may read the number of spins alone.
  return coalesce((
    select sum(f.spins) from private.folded_days f
    where f.org_id = p_org_id and f.day >= v_from and f.day < v_to
  ), 0) + coalesce((
    select sum(d.spins) from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= v_from and d.day < v_to
  ), 0);
end;
$function$;

CREATE OR REPLACE FUNCTION private.my_organization()
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select o into v_org_id from private.my_org_ids() o;
  return v_org_id;
exception
  -- Errors about the caller's session are not failures of the lookup.
  when sqlstate 'TV010' or sqlstate 'TV011' then
    raise;
  when others then
    raise log 'organization_lookup_failed: % %', sqlstate, sqlerrm;
    raise exception 'organization_lookup_failed' using errcode = 'TV050', detail = sqlstate;
end;
$function$;

CREATE OR REPLACE FUNCTION private.my_push_org(p_org_id uuid, p_permission text)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
begin
  -- Keys of the API have no devices.
  if v_user_id is null or p_org_id is null or p_org_id <> all (array(select private.my_org_ids(p_permission))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  return v_user_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.next_steps(p_org_id uuid, p_is_named boolean, p_sees_codes boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with active as (
    select c.*, c.ends_at is not null and c.ends_at <= now() as is_over
    from public.campaigns c where c.org_id = p_org_id and c.active
  )
  select jsonb_build_object(
    'unseen_reviews', private.unseen_reviews(p_org_id, p_is_named, p_sees_codes),
    'low_stock', private.low_stock(p_org_id),
    'checks', case when p_sees_codes then private.open_checks(p_org_id) else 0 end,
    'over_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name) from active c
      where not exists (select 1 from active other where not other.is_over)
      order by c.ends_at desc, c.id limit 1),
    'empty_campaign', (
      select jsonb_build_object('id', c.id, 'name', c.name, 'active', c.active, 'starts_at', c.starts_at,
        'ends_at', c.ends_at, 'timezone', s.timezone)
      from active c join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      -- Not « not exists »: a plan made for small organisations compares every campaign with every reward of a large one.
      -- The first of its own rewards answers for nearly every campaign.
      where not c.is_over and (
          select true from public.rewards r
          where r.org_id = p_org_id and r.campaign_id = c.id and r.active and r.archived_at is null limit 1) is null
        and (
          select true from public.wheel_segments w
          join public.rewards r on r.org_id = w.org_id and r.id = w.reward_id and r.active and r.archived_at is null
          where w.org_id = p_org_id and w.campaign_id = c.id limit 1) is null
      -- Campaigns that run today come before those that are about to.
      order by coalesce(c.starts_at > now(), false), c.created_at desc, c.id limit 1),
    'unlinked_store', (
      select jsonb_build_object('id', s.id, 'name', s.name)
      from public.stores s
      where s.org_id = p_org_id and s.archived_at is null and s.google_review_url is null
        and exists (select 1 from active c where c.store_id = s.id and not c.is_over)
      order by s.created_at, s.id limit 1));
$function$;

CREATE OR REPLACE FUNCTION private.notify_plan_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  -- No notice while an organisation is being ended: another mail has said so.
  if new.is_ending then
    return null;
  elsif new.status = 'past_due' then
    perform private.notify_plan_event(new.org_id, 'payment_failed', new.past_due_since, new.past_due_since + interval '8 days');
  elsif new.status = 'suspended' then
    perform private.notify_plan_event(new.org_id, 'plan_suspended', new.closed_at, new.closed_at + interval '30 days');
  elsif new.status = 'canceled' then
    perform private.notify_plan_event(new.org_id, case new.plan when 'free_trial' then 'trial_ended' else 'plan_ended' end,
      new.closed_at, new.closed_at + interval '30 days');
  end if;
  return null;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_plan_event(p_org_id uuid, p_kind text, p_about timestamp with time zone, p_day timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_person record;
begin
  -- Of two transactions about the same event the second waits for this row, and finds it stored.
  insert into private.plan_notices (org_id, kind, about) values (p_org_id, p_kind, p_about) on conflict do nothing;
  if not found then
    return false;
  end if;
  for v_person in
    select u.email, private.user_name(u.id) as name, o.name as organization
    from public.organization_members m
    join public.role_permissions p on p.role = m.role and p.permission = 'billing.manage'
    join auth.users u on u.id = m.user_id
    join public.organizations o on o.id = m.org_id
    where m.org_id = p_org_id and u.email is not null
  loop
    perform private.enqueue_mail(p_kind, v_person.email, jsonb_build_object('name', v_person.name,
      'brand', private.brand(p_org_id), 'facts', jsonb_build_object('organization', v_person.organization),
      'days', jsonb_build_object('day', jsonb_build_object('at', p_day, 'timezone', private.timezone_of(p_org_id)))),
      now() + interval '2 days');
  end loop;
  return true;
end;
$function$;

CREATE OR REPLACE FUNCTION private.notify_winner(p_code public.redemptions, p_template text)
 RETURNS uuid
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_address text;
begin
  select coalesce(t.end_user_email, c.email) into v_address
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
  -- Whoever spins names the address, which could be anybody's: few mails a day reach it.
  if v_address is null or private.count_attempt(
    array['prize verdict to ' || encode(sha256(convert_to(private.normalize_email(v_address), 'UTF8')), 'hex')],
    '{5}', interval '1 day') is not null
  then
    return null;
  end if;
  return private.enqueue_mail(p_template, v_address, jsonb_build_object(
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label'),
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', s.name))),
    now() + interval '1 day', now() + interval '10 minutes')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.period_costs(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with used as materialized (
    select u.reward_id, sum(u.uses) as uses
    from (
      select d.reward_id, d.redemptions as uses from private.reward_days_now(p_org_id) d
      where d.day >= p_from and d.day < p_until and d.redemptions <> 0
      union all
      -- What the team gave costs as much.
      select g.reward_id, 1
      from public.redemptions g join public.stores o on o.org_id = g.org_id and o.id = g.store_id
      where g.org_id = p_org_id and g.spin_id is null and g.status = 'used'
        and (g.used_at at time zone o.timezone)::date >= p_from and (g.used_at at time zone o.timezone)::date < p_until
    ) u
    group by u.reward_id having sum(u.uses) > 0
  )
  select jsonb_build_object(
    'rewards', (select count(*) from used),
    -- Rows without the figure come first: it has to be filled in.
    'items', coalesce((
      select jsonb_agg(jsonb_build_object('id', t.id, 'name', t.name, 'uses', t.uses, 'value', t.value, 'version', t.version)
        order by t.value is not null, t.uses * t.value desc, t.uses desc, t.name, t.id)
      from (
        select r.id, r.name, u.uses, r.value, r.version
        from used u join public.rewards r on r.org_id = p_org_id and r.id = u.reward_id
        order by r.value is not null, u.uses * r.value desc, u.uses desc, r.name, r.id limit 5
      ) t), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.period_return(p_org_id uuid, p_from date, p_until date)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  -- What is not folded is read once for all stores; of what is, each store's days stand side by side.
  with recent as materialized (
    select d.store_id, sum(d.redemptions) as visits from public.campaign_daily_stats d
    where d.org_id = p_org_id and d.shard < 16 and d.day >= p_from and d.day < p_until group by d.store_id
  ), stores as materialized (
    select s.id as store_id, coalesce(v.visits, 0) + coalesce(n.visits, 0) as visits, s.name, s.average_basket
    from public.stores s
    left join recent n on n.store_id = s.id
    cross join lateral (
      select sum(f.redemptions) as visits from private.folded_store_days f
      where f.org_id = p_org_id and f.store_id = s.id and f.day >= p_from and f.day < p_until
    ) v
    where s.org_id = p_org_id and coalesce(v.visits, 0) + coalesce(n.visits, 0) <> 0
  ), prizes as (
    select c.cost, c.unpriced from private.cost_now(p_org_id, p_from, p_until) c
  )
  select jsonb_build_object(
    'visits', (select coalesce(sum(v.visits), 0) from stores v),
    'revenue', (select coalesce(sum(v.visits * v.average_basket), 0) from stores v),
    'unestimated', (select coalesce(sum(v.visits) filter (where v.average_basket is null), 0) from stores v),
    'return_share', (select o.return_share from public.organizations o where o.id = p_org_id),
    'cost', (select p.cost from prizes p), 'unpriced', (select p.unpriced from prizes p),
    'stores', (select count(*) from stores),
    -- Rows without the figure come first: it has to be filled in.
    'baskets', coalesce((
      select jsonb_agg(jsonb_build_object('id', v.store_id, 'name', v.name, 'average_basket', v.average_basket,
        'visits', v.visits) order by v.average_basket is not null, v.visits desc, v.name, v.store_id)
      from (
        select * from stores v order by v.average_basket is not null, v.visits desc, v.name, v.store_id limit 5
      ) v), '[]'::jsonb),
    'plan', (
      select jsonb_build_object('plan', s.plan, 'billing', s.billing)
      from public.subscriptions s where s.org_id = p_org_id));
$function$;

CREATE OR REPLACE FUNCTION private.queue_again(p_id uuid)
 RETURNS text
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_message private.outbox;
  v_lasts boolean;
begin
  select * into v_message from private.outbox o where o.id = p_id for update;
  v_lasts := private.is_lasting(v_message.template);
  if v_message.id is null then
    return 'unknown';
  elsif v_message.state <> 'failed' then
    return 'not_given_up';
  elsif not v_lasts and v_message.expires_at <= now() then
    return 'expired';
  elsif v_message.data = '{}' and v_message.channel <> 'payment' then
    return 'emptied';
  -- No mail about a code that was used or erased, or has expired.
  elsif v_message.template in ('prize', 'prize_reminder') and not exists (
    select 1 from public.organizations o
    join public.redemptions d on d.org_id = o.id
      and d.spin_id = substring(v_message.data ->> 'path' from '#gain=([0-9a-f-]{36})\.')::uuid
    where private.code_state(d) = 'available')
  then
    return 'prize_over';
  end if;
  update private.outbox o
  set state = 'queued', settled_at = null, last_error = null, attempts_before = o.attempts, queued_again_at = now(),
    next_attempt_at = now(), expires_at = case when v_lasts then now() + interval '1 day' else o.expires_at end
  where o.id = p_id;
  perform pg_notify('tournavis_outbox', '');
  return 'queued';
end;
$function$;

CREATE OR REPLACE FUNCTION private.recent_activity(p_org_id uuid, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  with latest as (
    (
      select 'review' as kind, r.created_at as at, r.customer_name as name, r.customer_email as email,
        r.rating, null::text as reward
      from public.pre_spin_reviews r where r.org_id = p_org_id
      order by r.created_at desc limit 5
    )
    union all
    (
      select 'redeem', d.used_at, d.end_user_name, d.end_user_email, null, d.reward_name
      from public.redemptions d where d.org_id = p_org_id and d.used_at is not null
      order by d.used_at desc limit 3
    )
    union all
    (
      -- Wins are read from codes and from points, both short lists, not from the spins, which are many.
      select * from (
        (
          select 'win', d.created_at as at, d.end_user_name, d.end_user_email, null::smallint, d.reward_name
          from public.redemptions d where d.org_id = p_org_id and d.spin_id is not null
          order by d.created_at desc limit 2
        )
        union all
        (
          select 'win', l.created_at, s.end_user_name, s.end_user_email, null, r.name
          from (
            select * from public.points_ledger p where p.org_id = p_org_id and p.kind = 'earned' order by p.id desc limit 2
          ) l
          join public.spins s on s.org_id = l.org_id and s.id = l.spin_id
          join public.rewards r on r.org_id = l.org_id and r.id = l.reward_id
        )
      ) wins
      order by wins.at desc limit 2
    )
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'kind', shown.kind, 'at', shown.at,
    'name', case when p_is_named then coalesce(nullif(btrim(shown.name), ''), shown.email) end,
    'rating', shown.rating, 'reward', shown.reward) order by shown.at desc, shown.kind), '[]'::jsonb)
  from (select * from latest l order by l.at desc, l.kind limit 4) shown;
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
    -- A code that a till is using right now is left to that till.
    for update of d skip locked
  loop
    v_count := v_count + 1;
    v_mail_id := null;
    select d.* into v_code from public.redemptions d where d.org_id = v_due.org_id and d.id = v_due.id;
    -- Whoever plays types the address, which could be anybody's: it gets few reminders a day.
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

CREATE OR REPLACE FUNCTION private.rules_content(p_campaign public.campaigns)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_wheel record := private.wheel(p_campaign.org_id, p_campaign.id, null);
  v_segments jsonb;
  v_prizes jsonb := '[]'::jsonb;
  v_winning numeric;
  v_losing numeric;
  v_total numeric;
  v_losing_labels jsonb;
begin
  if not v_wheel.is_example then
    -- What cannot be won (stopped, archived, weight 0) leaves its odds to the losing segments, else to the other
    -- prizes; an empty stock is no part of the rules: they say what happens then.
    select coalesce(sum(w.weight) filter (where r.id is not null and w.weight > 0), 0),
      coalesce(sum(w.weight) filter (where w.reward_id is null), 0),
      sum(w.weight),
      coalesce(jsonb_agg(distinct w.label) filter (where w.reward_id is null and w.weight > 0), '[]'::jsonb)
    into v_winning, v_losing, v_total, v_losing_labels
    from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) as w (reward_id, label, weight)
    left join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = w.reward_id and r.active and r.archived_at is null;
    if v_losing = 0 then
      v_total := v_winning;
    end if;

    select coalesce(jsonb_agg(jsonb_build_object(
      'name', r.name, 'type', r.type, 'value', r.value,
      'discount', r.metadata -> 'discountPercent', 'item', r.metadata -> 'item', 'points', r.metadata -> 'points',
      -- Points without a number of days have no end.
      'validity_days', coalesce((r.metadata ->> 'validityDays')::integer, case when r.type <> 'points' then 30 end),
      'max_per_user', r.max_per_user,
      -- All that were put into play: those that are left, and those that were won and not cancelled.
      'number', case when r.stock >= 0 then r.stock + coalesce((
        select sum(t.wins) from private.reward_totals_now(r.org_id) t where t.reward_id = r.id), 0) - (
        select count(*) from public.redemptions d
        where d.org_id = r.org_id and d.reward_id = r.id and d.verdict = 'cancelled') end,
      'odds', trim_scale(round(100 * p.weight / v_total, 2)),
      'labels', p.labels)
      -- Rules of a reward that nobody shares stay as they are, byte by byte.
      || case when private.is_shared(r) then jsonb_build_object('shared', true) else '{}'::jsonb end order by p.place), '[]'::jsonb)
    into v_prizes
    from (
      select w.reward_id, sum(w.weight) as weight, min(w.n) as place, jsonb_agg(distinct w.label) as labels
      from unnest(v_wheel.reward_ids, v_wheel.labels, v_wheel.weights) with ordinality as w (reward_id, label, weight, n)
      where w.reward_id is not null and w.weight > 0
      group by w.reward_id
    ) p
    join public.rewards r
      on r.org_id = p_campaign.org_id and r.id = p.reward_id and r.active and r.archived_at is null;
  end if;

  return (
    select jsonb_build_object(
      -- Which wording the page gives them: a new one is a new version.
      'wording', 1,
      'organizer', o.name,
      'store', jsonb_build_object('name', s.name, 'address', s.address),
      'timezone', s.timezone,
      'starts_at', private.rules_moment(p_campaign.starts_at),
      'ends_at', private.rules_moment(p_campaign.ends_at),
      'play_interval_days', p_campaign.play_interval_days,
      'prizes', v_prizes,
      'losing', case when v_losing > 0 then jsonb_build_object(
        'odds', trim_scale(round(100 * (v_total - v_winning) / v_total, 2)), 'labels', v_losing_labels) end)
      -- Rules that ask for nothing stay as they are, byte by byte.
      || coalesce((
        select jsonb_build_object('presence', k.presence) from private.check_settings k
        where k.org_id = p_campaign.org_id and k.campaign_id = p_campaign.id and k.presence is not null
      ), '{}'::jsonb)
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = p_campaign.store_id
    where o.id = p_campaign.org_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION private.sweep_checks(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_count integer;
  v_total integer := 0;
begin
  delete from private.network_turns t where t.ctid = any (array(
    select o.ctid from private.network_turns o where o.created_at < now() - interval '1 hour'
    order by o.created_at limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  -- A burst is over after an hour, and its network is forgotten.
  update private.check_groups g set group_key = 'over ' || g.id
  where g.kind = 'network' and g.group_key not like 'over %' and g.last_at < now() - interval '1 hour'
    and g.last_at > now() - interval '2 days';
  delete from private.device_customers k where k.ctid = any (array(
    select o.ctid from private.device_customers o where o.last_at < now() - interval '13 months'
    order by o.last_at limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  v_total := v_total + v_count;
  delete from private.check_groups g where g.ctid = any (array(
    select o.ctid from private.check_groups o where o.last_at < now() - interval '13 months'
    order by o.last_at limit p_limit for update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_total + v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.write_prize_mail(p_template text, p_to text, p_code public.redemptions)
 RETURNS uuid
 LANGUAGE sql
 SET search_path TO ''
AS $function$
  select private.enqueue_mail(p_template, p_to, jsonb_build_object(
      -- The nonce, which opens the prize, is in the fragment: browsers send it to no server.
      'path', '/c/' || g.slug || '/gain#gain=' || t.id || '.' || t.nonce,
      'code', p_code.code,
      'brand', private.brand(t.org_id),
      'white_label', private.has_feature(t.org_id, 'white_label')
    ) || jsonb_strip_nulls(jsonb_build_object(
      'locale', u.locale,
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'until', case when p_code.expires_at is not null then
        jsonb_build_object('at', p_code.expires_at, 'timezone', s.timezone) end,
      'facts', jsonb_build_object(
        'prize', private.mailed_name(p_code, u.locale),
        'store', s.name,
        'address', s.address,
        'rules', '/c/' || g.slug || '/reglement?version=' || t.rules_version))),
    now() + interval '1 day')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  left join public.customers u on u.org_id = t.org_id and u.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$function$;

CREATE OR REPLACE FUNCTION public.campaign_page(p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_wheel record;
  v_is_open boolean;
  v_result jsonb;
begin
  select * into v_campaign from private.running_campaign(p_slug);
  if not found then
    return null;
  end if;
  select * into v_wheel from private.wheel(v_campaign.org_id, v_campaign.id, null);
  v_is_open := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable) is not null
    and not v_wheel.is_example;

  select jsonb_build_object(
    'id', v_campaign.id,
    'slug', v_campaign.slug,
    'name', v_campaign.name,
    'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
    'store', jsonb_build_object('id', s.id, 'name', s.name, 'timezone', s.timezone),
    'google_review_url', s.google_review_url,
    'review_mode', s.review_mode,
    'starts_at', v_campaign.starts_at,
    'ends_at', v_campaign.ends_at,
    'play_interval_days', v_campaign.play_interval_days,
    -- Segments of the wheel: those on which no spin can end are not shown.
    'segments', (
      select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', w.id, 'label', w.label, 'color', w.color,
        'position', w.n - 1, 'picture', w.picture)) order by w.n)
      from (
        select s.id, s.label, s.color, r.picture, row_number() over (order by s.n) as n
        from unnest(v_wheel.segment_ids, v_wheel.labels, v_wheel.colors, v_wheel.weights, v_wheel.reward_ids)
          with ordinality as s (id, label, color, weight, reward_id, n)
        left join public.rewards r on r.org_id = v_campaign.org_id and r.id = s.reward_id
        where s.weight > 0
      ) w
    ),
    'wheel_open', v_is_open and (
      l.monthly_spins < 0
      or private.monthly_spins_used(o.id, private.now_in(s.timezone)::date) < l.monthly_spins
    ),
    'rules_version', v_campaign.rules_version,
    'words', private.campaign_words(o.id, v_campaign.id),
    'white_label', l.white_label,
    'brand', private.brand(o.id)
  ) || coalesce((
    -- Until when points can be spent is said before anybody plays for them.
    select jsonb_build_object('points_days', jsonb_agg(distinct r.metadata -> 'validityDays'))
    from unnest(v_wheel.reward_ids, v_wheel.weights) as w (reward_id, weight)
    join public.rewards r on r.org_id = v_campaign.org_id and r.id = w.reward_id and r.type = 'points'
    where w.weight > 0
    having count(*) > 0
  ), '{}'::jsonb) || coalesce((
    -- Proof of presence that the phone asks for before the spin.
    select jsonb_build_object('presence', k.presence) from private.check_settings k
    where k.org_id = v_campaign.org_id and k.campaign_id = v_campaign.id and k.presence is not null
  ), '{}'::jsonb) into v_result
  from public.organizations o
  join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
  join public.subscriptions u on u.org_id = o.id
  join public.plan_limits l on l.plan = u.plan
  where o.id = v_campaign.org_id;
  return v_result;
end;
$function$;

CREATE OR REPLACE FUNCTION public.closed_campaign_page(p_slug text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
  v_is_open boolean;
  v_was_played boolean;
begin
  select c.* into v_campaign from public.campaigns c
  where c.id = coalesce(
    (select n.id from public.campaigns n where n.slug = p_slug),
    (select r.campaign_id from public.campaign_slug_redirects r where r.slug = p_slug));
  if not found then
    return null;
  end if;
  select private.is_open(u) into v_is_open from public.subscriptions u where u.org_id = v_campaign.org_id;
  v_was_played := exists (
    select 1 from public.spins s where s.org_id = v_campaign.org_id and s.campaign_id = v_campaign.id
  );
  -- A draft is not answered: only campaigns that were played once, or that begin on a known day.
  if not v_was_played and not (v_is_open and v_campaign.active and coalesce(v_campaign.starts_at > now(), false)) then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'state', case
        when v_campaign.ends_at <= now() or v_campaign.archived_at is not null then 'ended'
        when v_is_open and v_campaign.active and v_campaign.starts_at > now() then 'upcoming'
        else 'paused'
      end,
      'slug', v_campaign.slug,
      'name', v_campaign.name,
      'store', jsonb_build_object('name', s.name, 'timezone', s.timezone),
      'organization', jsonb_build_object('name', o.name, 'slug', o.slug),
      'starts_at', v_campaign.starts_at,
      'ends_at', v_campaign.ends_at,
      'was_played', v_was_played,
      'open_wheels', private.open_wheels(o.id),
      'white_label', private.has_feature(o.id, 'white_label'),
      'brand', private.brand(o.id))
    from public.organizations o
    join public.stores s on s.org_id = o.id and s.id = v_campaign.store_id
    where o.id = v_campaign.org_id
  );
end;
$function$;

CREATE OR REPLACE FUNCTION public.delete_role(p_role text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_name text;
begin
  if p_role is null then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_org_id := private.begin_role_change(p_role);
  -- Invitations that are over do not keep a role; open ones do.
  delete from private.invitations i
  where i.role_org_key = v_org_id and i.role = p_role and (
    i.accepted_at is not null or i.withdrawn_at is not null or i.expires_at <= now());
  if exists (select 1 from public.organization_members m where m.role_org_key = v_org_id and m.role = p_role)
    or exists (select 1 from private.invitations i where i.role_org_key = v_org_id and i.role = p_role)
  then
    raise exception 'role_in_use' using errcode = 'TV113';
  end if;
  delete from public.roles r where r.org_id = v_org_id and r.role = p_role returning r.name into v_name;
  perform private.audit(v_org_id, 'role.deleted', 'role', p_role::uuid, jsonb_build_object('name', v_name));
end;
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
  -- Whoever plays types the address, which could be anybody's. So an address gets few mails a day, and fewer where this
  -- page alone has named it.
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

CREATE OR REPLACE FUNCTION public.points_catalogue(p_org_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_balances bigint[];
begin
  if p_org_id is null
    or p_org_id <> all (array(select private.my_org_ids('rewards.read')))
    or p_org_id <> all (array(select private.my_org_ids('activity.read')))
  then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_balances := array(
    select sum(l.remaining) from public.points_ledger l
    where l.org_id = p_org_id and l.remaining > 0 and (l.expires_at is null or l.expires_at > now())
    group by l.customer_id);
  return jsonb_build_object(
    'owed', jsonb_build_object(
      'points', (select coalesce(sum(b), 0) from unnest(v_balances) b),
      'customers', cardinality(v_balances),
      'codes', (select count(*) from public.points_spends s
        where s.org_id = p_org_id and s.status = 'available' and s.expires_at > now())),
    'earns', exists (
      select 1 from public.rewards r
      where r.org_id = p_org_id and r.type = 'points' and r.active and r.archived_at is null),
    'items', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'version', r.version, 'name', r.name, 'translations', r.translations, 'cost', r.cost, 'stock', r.stock, 'active', r.active,
        -- Balances of several customers are not added up: each spends their own.
        'affordable', (select coalesce(sum(b / r.cost), 0) from unnest(v_balances) b),
        'spends', (select count(*) from public.points_spends s
          where s.org_id = p_org_id and s.points_reward_id = r.id and s.status <> 'expired'))
        order by r.cost, r.name, r.id)
      from public.points_rewards r where r.org_id = p_org_id), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_campaign(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  -- The lock waits for customers who are taking part right now, and lets none begin afterwards.
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_id and c.org_id = any (array(select private.my_org_ids('campaigns.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.campaigns c set active = false, archived_at = now() where c.id = p_id and c.archived_at is null;
    return;
  end if;
  if private.has_campaign_history(v_org_id, p_id) then
    raise exception 'campaign_has_history' using errcode = 'TV067';
  end if;
  delete from public.wheel_segments s where s.campaign_id = p_id;
  -- Shared rewards move to another campaign that uses them.
  update public.rewards r set campaign_id = (
    select min(s.campaign_id::text)::uuid from public.wheel_segments s where s.org_id = v_org_id and s.reward_id = r.id)
  where r.org_id = v_org_id and r.campaign_id = p_id and private.is_shared(r);
  delete from public.rewards r where r.org_id = v_org_id and r.campaign_id = p_id;
  delete from public.campaigns c where c.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'campaign_has_history' using errcode = 'TV067';
end;
$function$;

CREATE OR REPLACE FUNCTION public.remove_reward(p_id uuid, p_is_archived boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
  v_dependencies record;
begin
  -- The lock waits for customers who are winning it right now, and lets none win it afterwards.
  select r.org_id into v_org_id from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('rewards.delete')))
  for update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if p_is_archived then
    update public.rewards r set archived_at = now() where r.id = p_id and r.archived_at is null;
    return;
  end if;
  v_dependencies := private.reward_dependencies(v_org_id, p_id);
  if v_dependencies.wins or v_dependencies.segments > 0 then
    raise exception 'reward_has_history' using errcode = 'TV040';
  end if;
  delete from public.rewards r where r.id = p_id;
exception
  -- Foreign keys decide: counters may be late.
  when foreign_key_violation or restrict_violation then
    raise exception 'reward_has_history' using errcode = 'TV040';
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1, p_status text DEFAULT NULL::text, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  -- 400 pages at most: older codes are found by the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  -- One more than is shown tells whether there is a next page.
  v_status constant text := nullif(p_status, '');
  v_last constant integer := v_page * v_page_size + 1;
  v_ids uuid[];
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_prefix text;
  v_items jsonb;
begin
  if v_status not in ('available', 'used', 'expired', 'held', 'cancelled') then
    raise exception 'status_unknown' using errcode = '22023';
  end if;
  select * into v_reward from public.rewards r
  where r.id = p_id and r.org_id = any (array(select private.my_org_ids('codes.read')));
  if not found then
    return null;
  end if;
  v_is_named := private.may_name_customers(v_reward.org_id);
  -- Whoever may not know whose a code is does not find it by a name either: those look by its first letters.
  if v_is_named then
    v_pattern := private.code_pattern(p_search);
  else
    v_prefix := private.code_prefix(p_search);
  end if;
  -- Each state is found by an index in which the newest stand first; what is over stands in two of its ranges.
  v_ids := case when p_sort <> '' then private.sorted_codes(v_reward.org_id, p_id, v_status, v_pattern, v_prefix, p_sort,
    (v_page - 1) * v_page_size, v_page_size + 1)
  else array(
    select found.id from (
      (select r.id, r.created_at from public.redemptions r
       where r.org_id = v_reward.org_id and r.reward_id = p_id and private.matches_code(r, v_pattern, v_prefix)
         and case when v_status = 'expired' then r.status = 'expired' and r.verdict is null
           else private.is_in_code_list(r, v_status) end
       order by r.created_at desc, r.id desc limit v_last)
      union all
      -- Over, but not yet seen by the job that comes every minute: few, found by the index of that job.
      (select r.id, r.created_at from public.redemptions r
       where v_status = 'expired' and r.status = 'available' and r.expires_at <= now() and r.verdict is null
         and r.org_id = v_reward.org_id and r.reward_id = p_id and private.matches_code(r, v_pattern, v_prefix)
       order by r.created_at desc, r.id desc limit v_last)
    ) found
    order by found.created_at desc, found.id desc
    limit v_page_size + 1 offset (v_page - 1) * v_page_size
  ) end;
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', private.code_state(shown), 'customer_id', case when v_is_named then shown.customer_id end, 'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'is_goodwill', shown.spin_id is null, 'trace', private.code_trace(v_reward.org_id, shown.id)) order by array_position(v_ids, shown.id)), '[]'::jsonb)
  into v_items
  from public.redemptions shown
  where shown.org_id = v_reward.org_id and shown.id = any (v_ids);

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_reward.org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_reward.org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_list(p_org_id uuid, p_search text DEFAULT ''::text, p_is_archived boolean DEFAULT false, p_page integer DEFAULT 1, p_sort text DEFAULT NULL::text)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
declare
  v_page_size constant integer := 20;
  v_pattern constant text := private.words_pattern(p_search);
  v_hint constant text := private.pattern_hint(v_pattern);
  v_is_archived constant boolean := coalesce(p_is_archived, false);
  v_key constant text := private.sort_key(p_sort, '{name,stock,wins,redemptions,rate,max,validity,state,created_at}');
  v_is_down constant boolean := coalesce(p_sort like '-%', false);
  v_campaigns uuid[];
  v_shared uuid[];
  v_total integer;
  v_archived integer;
  v_ids uuid[];
  v_matches integer;
  v_page integer;
  v_figures jsonb;
  v_items jsonb;
begin
  perform 1 from private.my_reading_rights('{rewards.read,activity.read}', 'rewards.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held @> '{rewards.read,activity.read}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  if v_pattern is not null then
    v_campaigns := array(
      select c.id from public.campaigns c where c.org_id = p_org_id and private.has_words(c.name, v_pattern, v_hint));
    v_shared := array(
      select distinct s.reward_id from public.wheel_segments s
      where s.campaign_id = any (v_campaigns) and s.reward_id is not null);
  end if;
  with listed as materialized (
    select r.id, r.created_at, r.archived_at, k.word, k.number,
      (r.archived_at is not null) = v_is_archived and (v_pattern is null
        or r.campaign_id = any (v_campaigns) or r.id = any (v_shared)
        or private.has_words(r.name, v_pattern, v_hint)) as is_listed
    from public.rewards r
    left join (
      select t.reward_id, sum(t.wins) as wins, sum(t.redemptions) as redemptions
      from private.reward_totals_now(p_org_id) t where v_key in ('wins', 'redemptions', 'rate') group by t.reward_id
    ) f on f.reward_id = r.id
    cross join lateral (
      select case v_key when 'name' then private.words(r.name) end as word, case v_key
        -- An unlimited stock sorts above every number.
        when 'stock' then case when r.stock = -1 then 'Infinity' else r.stock::double precision end
        when 'wins' then coalesce(f.wins, 0)::double precision
        when 'redemptions' then coalesce(f.redemptions, 0)::double precision
        -- Points have no codes, and so no rate: they stand below all others.
        when 'rate' then case when r.type = 'points' then -1
          else coalesce(f.redemptions::double precision / nullif(f.wins, 0), 0) end
        when 'max' then r.max_per_user::double precision
        -- Points without a number of days have no end.
        when 'validity' then coalesce((r.metadata ->> 'validityDays')::double precision,
          case when r.type = 'points' then 'Infinity' else 30::double precision end)
        when 'state' then r.active::integer::double precision
        when 'created_at' then extract(epoch from r.created_at)::double precision
      end as number
    ) k
    where r.org_id = p_org_id
  )
  select n.total, n.archived, n.matches, p.page, array(
      -- Only as many as are shown are put in order.
      select l.id from listed l where l.is_listed
      order by case when not v_is_down then l.word end, case when v_is_down then l.word end desc,
        case when v_is_down then -l.number else l.number end, l.created_at desc, l.id
      limit v_page_size offset (p.page - 1) * v_page_size)
  into v_total, v_archived, v_matches, v_page, v_ids
  from (
    select count(*) filter (where l.archived_at is null) as total,
      count(*) filter (where l.archived_at is not null) as archived, count(*) filter (where l.is_listed) as matches
    from listed l
  ) n
  -- A page that is no more, because rewards went meanwhile, is the last one.
  cross join lateral (
    select least(greatest(coalesce(p_page, 1), 1), greatest(ceil(n.matches::numeric / v_page_size)::integer, 1)) as page
  ) p;

  with figures as materialized (
    select t.reward_id, sum(t.wins) as wins, sum(t.codes) as codes, sum(t.redemptions) as redemptions,
      sum(t.expirations) as expirations
    from private.reward_totals_now(p_org_id) t group by t.reward_id
  ), given as materialized (
    select g.id from private.given_rewards(p_org_id, v_ids) g (id)
  ), drawn as materialized (
    select w.reward_id, count(*) as segments, array_agg(w.campaign_id) as campaigns
    from public.wheel_segments w where w.org_id = p_org_id and w.reward_id = any (v_ids) group by w.reward_id
  )
  select
    (select jsonb_build_object('wins', coalesce(sum(f.wins), 0), 'codes', coalesce(sum(f.codes), 0),
      'redemptions', coalesce(sum(f.redemptions), 0), 'expirations', coalesce(sum(f.expirations), 0)) from figures f),
    coalesce(jsonb_agg(jsonb_build_object(
      'id', r.id, 'name', r.name, 'type', r.type, 'active', r.active,
      'campaign_id', r.campaign_id, 'campaign_name', c.name, 'code_template', r.code_template, 'stock', r.stock,
      'max_per_user', r.max_per_user, 'metadata', r.metadata, 'picture', r.picture, 'archived_at', r.archived_at,
      'segments', coalesce(d.segments, 0),
      -- Few rewards have segments in a campaign that is not their own: only those ask for names.
      'shared_with', coalesce(case when r.campaign_id <> any (d.campaigns) then (
        select jsonb_agg(jsonb_build_object('id', o.id, 'name', o.name) order by o.name, o.id)
        from public.campaigns o
        where o.org_id = p_org_id and o.id <> r.campaign_id and o.id = any (d.campaigns)) end, '[]'::jsonb),
      -- A campaign without a wheel of its own shares the chances between all its rewards.
      'is_off_wheel', r.active and r.archived_at is null and d.reward_id is null
        and exists (select 1 from public.wheel_segments w where w.org_id = p_org_id and w.campaign_id = r.campaign_id),
      'is_won', coalesce(f.wins > 0, false) or r.id in (select g.id from given g),
      'figures', jsonb_build_object('wins', coalesce(f.wins, 0), 'codes', coalesce(f.codes, 0),
        'redemptions', coalesce(f.redemptions, 0), 'expirations', coalesce(f.expirations, 0)))
      order by array_position(v_ids, r.id)), '[]'::jsonb)
  into v_figures, v_items
  from public.rewards r
  left join public.campaigns c on c.org_id = r.org_id and c.id = r.campaign_id
  left join figures f on f.reward_id = r.id
  left join drawn d on d.reward_id = r.id
  where r.org_id = p_org_id and r.id = any (v_ids);

  return jsonb_build_object(
    'total', v_total, 'archived', v_archived, 'figures', v_figures,
    'matches', v_matches, 'page', v_page, 'page_size', v_page_size, 'items', v_items);
end;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, p_presence text DEFAULT NULL::text, p_locale text DEFAULT NULL::text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign record;
  v_today date;
  v_person record;
  v_customer_id uuid;
  v_is_new boolean := false;
  v_name text := p_name;
  v_email text := p_email;
  v_retry_after integer;
  v_used integer;
  v_last_day date;
  v_wheel record;
  v_index integer;
  v_reward public.rewards;
  v_spin_id uuid;
  v_nonce uuid;
  v_code text;
  v_expires_at timestamptz;
begin
  select c.org_id, c.store_id, c.play_interval_days, c.rules_version, s.timezone, l.monthly_spins, k.device_daily_limit,
    k.presence, k.presence_key,
    private.is_running(c, u) as is_running
  into v_campaign
  from public.campaigns c
  join public.stores s on s.org_id = c.org_id and s.id = c.store_id
  join public.subscriptions u on u.org_id = c.org_id
  join public.plan_limits l on l.plan = u.plan
  left join private.check_settings k on k.org_id = c.org_id and k.campaign_id = c.id
  where c.id = p_campaign_id;
  if not found then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- One call a key at a time; a repeated call gets the first answer, letter for letter, whatever has
  -- changed since.
  perform pg_advisory_xact_lock(hashtextextended(coalesce(p_review_id, p_play_id)::text, 2));
  if p_review_id is not null then
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.review_id = p_review_id and s.campaign_id = p_campaign_id;
  else
    select s.result::text into body from public.spins s
    where s.org_id = v_campaign.org_id and s.campaign_id = p_campaign_id and s.play_id = p_play_id;
  end if;
  if found then
    outcome := 'repeated';
    return;
  end if;
  if not v_campaign.is_running then
    outcome := 'campaign_not_found';
    return;
  end if;

  -- High for an address, since a shop's Wi-Fi and a mobile network are shared; lower for one device.
  v_retry_after := private.count_attempt(
    array[
      'spin address ' || p_address_hash || ' ' || p_campaign_id::text,
      'spin device ' || p_device_hash || ' ' || p_campaign_id::text
    ],
    '{600,20}', interval '1 hour');
  if v_retry_after is not null then
    outcome := 'too_many_attempts';
    retry_at := now() + make_interval(secs => v_retry_after);
    return;
  end if;

  if v_campaign.presence is not null
    and not private.is_presence_pass(v_campaign.presence_key, p_presence, p_device_hash, now())
  then
    outcome := 'presence_missing';
    return;
  end if;

  -- The customer, whose row is locked: of two spins of one person the second waits, and then counts the first.
  if p_review_id is not null then
    select r.customer_id, r.customer_name, r.customer_email into v_customer_id, v_name, v_email
    from public.pre_spin_reviews r
    where r.org_id = v_campaign.org_id and r.id = p_review_id and r.campaign_id = p_campaign_id;
    if v_customer_id is null then
      outcome := 'review_not_found';
      return;
    end if;
    perform 1 from public.customers c
    where c.org_id = v_campaign.org_id and c.id = v_customer_id for no key update;
  else
    -- A new customer is stored with this spin counted: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      p_name, p_email, p_phone, false, p_spins => 1, p_locale => p_locale);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- Play interval: one spin in that many calendar days of the store; without an interval, 30 an hour.
  if not v_is_new then
    if v_campaign.play_interval_days > 0 then
      select max(s.created_at at time zone v_campaign.timezone)::date into v_last_day
      from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id;
      if v_last_day + v_campaign.play_interval_days > v_today then
        outcome := 'already_played';
        retry_at := (v_last_day + v_campaign.play_interval_days)::timestamp at time zone v_campaign.timezone;
        return;
      end if;
    elsif (
      select count(*) from public.spins s
      where s.org_id = v_campaign.org_id and s.customer_id = v_customer_id and s.campaign_id = p_campaign_id
        and s.created_at > now() - interval '1 hour'
    ) >= 30 then
      outcome := 'too_many_attempts';
      retry_at := now() + interval '1 hour';
      return;
    end if;
  end if;

  -- Does the plan leave a spin? Only a limited plan makes its customers take turns, at most its limit times a month.
  if v_campaign.monthly_spins >= 0 then
    perform 1 from public.subscriptions u where u.org_id = v_campaign.org_id for no key update;
    v_used := private.monthly_spins_used(v_campaign.org_id, v_today);
    if v_used >= v_campaign.monthly_spins then
      outcome := 'spins_used_up';
    end if;
  end if;

  -- Does the merchant's limit leave one to this device today? What the plan has refused does not count.
  if outcome is null and v_campaign.device_daily_limit is not null and private.count_attempt(
    array['spin day ' || v_today::text || ' ' || p_device_hash || ' ' || p_campaign_id::text],
    array[v_campaign.device_daily_limit::integer], interval '2 days') is not null
  then
    outcome := 'too_many_attempts';
    retry_at := (v_today + 1)::timestamp at time zone v_campaign.timezone;
  end if;

  -- The draw. A stock that somebody else emptied in the meantime only means drawing again without it.
  while outcome is null loop
    v_wheel := private.wheel(v_campaign.org_id, p_campaign_id, case when not v_is_new then v_customer_id end);
    v_index := private.draw_segment(v_wheel.weights, v_wheel.reward_ids, v_wheel.is_drawable);
    if v_index is null or v_wheel.is_example then
      outcome := 'nothing_to_draw';
      exit;
    end if;
    exit when v_wheel.reward_ids[v_index] is null;

    select * into v_reward from public.rewards r
    where r.org_id = v_campaign.org_id and r.id = v_wheel.reward_ids[v_index];
    exit when v_reward.stock = -1;
    update public.rewards r set stock = r.stock - 1
    where r.org_id = v_campaign.org_id and r.id = v_reward.id and r.stock > 0;
    exit when found;
    v_reward := null;
  end loop;
  if outcome is not null then
    -- Refused: nothing is stored, not even who asked.
    if v_is_new then
      delete from public.customers c where c.org_id = v_campaign.org_id and c.id = v_customer_id;
    end if;
    return;
  end if;

  v_spin_id := private.uuid_v7();
  v_nonce := gen_random_uuid();
  if v_reward.type in ('coupon', 'gift') then
    v_expires_at := private.day_end(
      v_today + coalesce((v_reward.metadata ->> 'validityDays')::integer, 30), v_campaign.timezone);
    loop
      insert into public.redemptions as d (
        org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
        end_user_email, end_user_name, expires_at
      ) values (
        v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_reward.id, v_spin_id, v_customer_id,
        private.random_code(v_reward.code_template), v_reward.name, v_email, v_name, v_expires_at
      )
      on conflict (org_id, code_key) do nothing
      returning d.code into v_code;
      exit when v_code is not null;
    end loop;
  end if;
  body := json_build_object(
    'spin_id', v_spin_id,
    'segment_id', v_wheel.segment_ids[v_index],
    'segment_label', v_wheel.labels[v_index],
    'segment_color', v_wheel.colors[v_index],
    'reward', case when v_reward.id is not null then
      json_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type) end,
    'redemption_code', v_code,
    'expires_at', v_expires_at,
    'nonce', v_nonce
  )::text;

  insert into public.spins (
    id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
    end_user_email, end_user_name, result_type, nonce, rules_version, result
  ) values (
    v_spin_id, v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_customer_id, p_review_id,
    case when p_review_id is null then p_play_id end, v_wheel.segment_ids[v_index], v_reward.id,
    v_email, v_name, case when v_reward.id is null then 'lose' else 'reward' end,
    v_nonce, v_campaign.rules_version, body::json
  );
  -- Judged within a minute, by a job: nobody in a queue waits for it.
  insert into private.spin_origins (org_id, spin_id, campaign_id, customer_id, device_key, network_key)
  values (v_campaign.org_id, v_spin_id, p_campaign_id, v_customer_id, p_device_hash, p_address_hash);
  if v_reward.type = 'points' then
    insert into public.points_ledger (org_id, customer_id, spin_id, reward_id, points, expires_at)
    values (v_campaign.org_id, v_customer_id, v_spin_id, v_reward.id, (v_reward.metadata ->> 'points')::integer,
      private.day_end(v_today + (v_reward.metadata ->> 'validityDays')::integer, v_campaign.timezone));
  end if;
  if not v_is_new then
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1,
      locale = coalesce(p_locale, c.locale)
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null,
    p_points_wins => coalesce(v_reward.type = 'points', false)::integer);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$function$;

COMMENT ON COLUMN "private"."check_groups"."losses" IS 'Losing spins that share the reason: those of the device, the network or the domain beside its prizes.';

COMMENT ON COLUMN "public"."campaigns"."archived_at" IS 'When it was archived; null while in use. Put away, it is never active.';

COMMENT ON COLUMN "public"."plan_limits"."white_label" IS 'Whether the merchant''s logo takes the place of the product''s.';

COMMENT ON COLUMN "public"."rewards"."archived_at" IS 'When it was archived; null while in use.';

COMMENT ON COLUMN "public"."stores"."archived_at" IS 'When it was archived; null while in use.';

COMMENT ON FUNCTION "private"."alert_words"() IS 'Adds the words that a customer has just written to the alert about the review, for whoever reads them in the inbox. Sends it at once.';

COMMENT ON FUNCTION "private"."audit_change"() IS 'Writes down that a row was created, changed, archived, brought back, switched on or off, or deleted. Arguments: the kind of thing, then the columns whose change counts.';

COMMENT ON FUNCTION "private"."begin_end"(uuid, text, uuid) IS 'Closes an organisation to the public at once and lets it be erased in 30 days. For its owner, who types its name, or for the operator (no name, no user). Call it after private.lock_billing. Errors: TV106, TV107, TV108, as end_organization.';

COMMENT ON FUNCTION "private"."buy_with_points"(uuid, uuid[], uuid, integer, uuid, text) IS 'Spends what given entries of the ledger hold on a reward of the catalogue, with its code. The request is new, and the people''s rows are locked. Outcomes: spent, points_reward_gone (inactive, deleted, another merchant''s, or the organisation is closed), points_cost_changed, points_missing, points_sold_out; refusals change nothing.';

COMMENT ON FUNCTION "private"."campaign_words"(uuid, uuid) IS 'What is translated of a campaign''s texts, which customers read in their language: names of its rewards, archived as well, and texts of its wheel. A list of {text, translations}; the shape is merchantWords of _shared/domain.';

COMMENT ON FUNCTION "private"."check_campaign_may_run"() IS 'Refuses an active campaign that is archived (error TV061) or whose store is (error TV060).';

COMMENT ON FUNCTION "private"."code_at"(uuid, uuid, text) IS 'What a code of an organisation is at one of its stores, whatever its case and spaces: available, used, expired, held, cancelled, other_store (never for a store that was archived), test, unknown (other merchants'' codes too).';

COMMENT ON FUNCTION "private"."cost_now"(uuid, date, date) IS 'What an organisation''s used rewards cost from one day up to another, which is left out. Each counts at its present value; uses of rewards without a value are counted apart.';

COMMENT ON FUNCTION "private"."count_attempt"(text[], integer[], interval) IS 'Counts an attempt of each key in the present window of time. Answers null while each has its limit or fewer, else the seconds until the next window. Soft: other connections may let a few more through.';

COMMENT ON FUNCTION "private"."count_auth_attempt"(text[], integer[], interval) IS 'Counts an attempt to sign in, sign up or get a message under one key after the other (keyed hashes), up to the first beyond its limit. Answers nulls while all are within theirs, else the seconds until the next window, that key, and the milliseconds that are left, rounded down.';

COMMENT ON FUNCTION "private"."customer_page"(uuid, jsonb, uuid, uuid, text, boolean, integer) IS 'Customers of a page of the list, from the last one up where is_back says so. Whether there are pages before and after it, and how many customers pass the filters, null without any: customer_list words them.';

COMMENT ON FUNCTION "private"."deactivate_campaigns"() IS 'A store that is archived has no campaign running: its QR codes say so.';

COMMENT ON FUNCTION "private"."expire_points"(integer) IS 'Job: removes points whose last instant has passed, and gives back those of a code that expired unused. Of these the next run removes what has ended meanwhile.';

COMMENT ON FUNCTION "private"."find_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) IS 'Reviews whose words, or whose customer, a search finds, and that pass the filters of the inbox: as many as asked for, from the newest one on, or after a moment and an identifier, or before them. All of them for a name that many have (private.walk_reviews). Else the newest 300 by their words, and the newest 20 of each of the newest 300 customers.';

COMMENT ON FUNCTION "private"."fold_days"(integer) IS 'Job: makes one row of each day that is over in its store''s time zone. Adds it to the sums of campaigns and of organisations'' and stores'' days (decision 001).';

COMMENT ON FUNCTION "private"."judge_spins"(integer) IS 'Job: reads where the latest spins came from and gives the prizes that were won so their reasons (private.check_groups), with the number of losing spins beside them.';

COMMENT ON FUNCTION "private"."mark_codes"(uuid, uuid, text, text, integer, uuid[], integer, integer) IS 'Gives codes a reason: puts those that lack it into the open group of that reason, made when there is none. p_losses are the losing spins that a new group begins with, p_new_losses those that an open one has not counted. Nothing for what somebody called normal.';

COMMENT ON FUNCTION "private"."mark_quiet_use"(public.redemptions, text) IS 'Marks a code that is used while the store is closed: by local time, and by the hours at which the store usually uses codes.';

COMMENT ON FUNCTION "private"."my_org_ids"(text) IS 'Organisations in which the signed-in user has a permission (any role when null); for a reading key of the API its own. Such a key reads shops, campaigns and customers, never the team or billing. Policies call it as any (array(select …)), so that it runs once a statement and the index on org_id serves. Errors of my_user_id(); TV085 or TV190 (private.refuse_closed) for a permission to write, TV120 for one to read 30 days after the end of a plan.';

COMMENT ON FUNCTION "private"."my_user_id"() IS 'The signed-in user, for whom policies and functions act; null without one, and for a key of the API. Errors: TV010 when the user has a second factor that this session has not used; TV011 when the session was ended; 42501 and errors of my_api_key() for keys. Takes the place of auth.uid() everywhere.';

COMMENT ON FUNCTION "private"."next_steps"(uuid, boolean, boolean) IS 'What deserves a merchant''s attention: bad reviews that nobody has seen, rewards that run out, groups of prizes to check (for whoever sees codes). Whether every active campaign is over. A campaign, running or about to, in which nothing can be won, and a store with one that has no public reviews page. Whose the reviews are where asked, and by which identifier codes are looked for.';

COMMENT ON FUNCTION "private"."notify_winner"(public.redemptions, text) IS 'Writes the mail that tells a winner what becomes of a prize; it waits ten minutes for an undo. Answers its identifier, null without an address or after five such mails a day.';

COMMENT ON FUNCTION "private"."period_return"(uuid, date, date) IS 'What an organisation''s days from one up to another, which is left out, brought and cost, in euros. Visits brought back (codes used), their worth at each store''s average basket, and visits of stores without one (unestimated). The share of them that the merchant counts (return_share, a hundredth). The used rewards at their present value, uses without a value (unpriced), the 5 stores to look at, and the plan.';

COMMENT ON FUNCTION "private"."public_rating"(uuid, uuid, integer) IS 'What a store''s public page showed on the first day that was typed in, and on the newest ones, oldest first. Each has the reviews that were collected here after the first day, up to that one. collected counts up to today; first is null where nothing was typed in.';

COMMENT ON FUNCTION "private"."recent_days"(uuid, date, integer, date) IS 'Figures of an organisation''s p_days days that end with p_last, read once: their totals (of all days before p_until) and those of as many days before. Each of the days, oldest first, and how far customers came in them. The spins of the last day''s month, where both periods together hold all of it.';

COMMENT ON FUNCTION "private"."redraw_wheel"(uuid, uuid, jsonb) IS 'Makes a campaign''s wheel what an editor sends, in order (private.read_segments). Errors: TV063 the weights do not sum to 100 (detail: their sum); TV064 not a list of at most 100 different segments; TV065 a reward of another organisation; 23514 or 23502 a segment is not well formed.';

COMMENT ON FUNCTION "private"."review_gesture"(public.pre_spin_reviews) IS 'The code that was given with a review (the code itself for whoever reads codes). Else the rewards that the signed-in user could give a code for: 100 at most, those of its campaign first; null without the rights (private.may_give_goodwill), and once the customer is erased.';

COMMENT ON FUNCTION "private"."rules_content"(public.campaigns) IS 'What the rules of a campaign say now: organiser, store, dates, interval between two spins. Of each prize its number (null: unlimited), value, validity and odds in percent. The odds of losing (null: nobody loses), and how presence is shown where it is asked for.';

COMMENT ON FUNCTION "private"."send_invitation"(private.invitations, integer) IS 'Writes the mail of an invitation, with a new link that takes the place of the one before, for 7 days. Refuses with 429 and TV103 beyond its limits. An hour: 20 of an organisation, 20 of who invites, 30 of an address of the network. A day: 30 of an organisation (200 where the plan has no limit of users), 60 of who invites, 5 to one mailbox.';

COMMENT ON FUNCTION "private"."sweep_accounts"(integer) IS 'Job: deletes used refresh tokens after 7 days, and sessions that ended or were not refreshed for 180 days. Tokens, sign-ins and challenges of factors and passkeys that nobody finished go after a day.';

COMMENT ON FUNCTION "private"."sweep_outbox"(integer) IS 'Job: deletes messages that were sent, captured or given up a week ago. Before that, the data of those that were given up and have expired, unless they last (private.is_lasting).';

COMMENT ON FUNCTION "private"."unseen_reviews"(uuid, boolean, boolean) IS 'The newest 3 reviews of 3 stars or fewer within 7 days that nobody marked as seen. How many there are, counted up to 100. Who wrote them, and the beginning of their words (400 characters), where asked; under an alias for whoever may not see codes.';

COMMENT ON FUNCTION "private"."walk_reviews"(uuid, jsonb, uuid, timestamp with time zone, uuid, boolean, integer) IS 'Reviews that pass the filters of the inbox and whose words, or whose customer, a search finds. Read by date among the next 3,000 that pass the filters: as many as asked for, from the newest one on, or after a moment and an identifier, or before them. Whole when there are no others: either enough were found, or no more reviews pass the filters.';

COMMENT ON FUNCTION "public"."accept_invitation"(text) IS 'Makes the signed-in user a member, once, when the invitation is theirs: the address of their account is the invited one and is confirmed. A repeat by the same person answers the same. Errors: TV098 no such link, or used; TV099 taken back; TV100 expired; TV101 another address; TV102 the address is not confirmed; TV020 member of an organisation already; TV002 the plan has fewer users by now.';

COMMENT ON FUNCTION "public"."begin_export"(uuid, uuid, text, text, uuid) IS 'Whether a user may export customers (customers.read) or redemptions (codes.read) of an organisation now, with the session and the assurance level of their token. Whether customers may be named to them. The place is held until the transaction ends. Outcomes: started, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (none that exports), busy (another export runs).';

COMMENT ON FUNCTION "public"."campaign_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s campaigns in use, or archived, whose name or store''s name contains a text. Newest first or sorted (name, store, scans, reviews, spins, redemptions, created_at; private.sort_key), with the figures above the list (specification, section 2.13); the shape is campaignList of _shared/domain. Error 42501 without the permission campaigns.read there.';

COMMENT ON FUNCTION "public"."campaign_poster"(uuid) IS 'What a campaign''s posters show: address, names, and its wheel''s segments of a weight above zero, in order, with their prizes. The three best prizes (by what they cost, then by how rare they are), and what is translated (private.campaign_words). Whether the product''s name stays away (white_label), and the merchant''s brand. The shape is campaignPoster of _shared/domain. Null for whoever may not read the campaign, when it was archived, and when its store is gone.';

COMMENT ON FUNCTION "public"."campaign_rules_page"(text, integer) IS 'The rules of a campaign''s draw by present or former slug: the version in force, or the one asked for, with a list of the 50 newest. The pictures of its rewards and what is translated of its texts (private.campaign_words); null when there is none, or when the campaign neither runs nor was ever played. The shape is rulesPage of _shared/domain.';

COMMENT ON FUNCTION "public"."create_api_key"(text, text, uuid, timestamp with time zone) IS 'Makes a key for the API of the signed-in user''s organisation and answers it, this once: scope read or redeem, the latter at one store or at all, with or without an end. The shape is newApiKey of _shared/domain. Errors: 42501 without the permission api.manage or what the key would open, or for a store that is not in use there; TV111 the plan does not include the API; TV112 there are 20 keys; 23514 or 23502 no name, scope or future.';

COMMENT ON FUNCTION "public"."create_organization"(text, text) IS 'Makes an organisation with its owner, free trial and notification preferences: all of it or nothing, and one a user, whatever happens at once; a member of one that waits to be erased leaves it, its owner goes on with the trial begun there. Errors: 42501 without a confirmed address or number; TV020 already a member; 23505 the slug is taken; 23514 or 23502 name or slug are not well formed; TV021 the membership and TV022 the subscription failed.';

COMMENT ON FUNCTION "public"."create_store"(text, text, text, text, text, text) IS 'Adds a store to the signed-in member''s organisation. Errors: TV050 the organisation could not be looked up; TV023 member of none; 42501 without the permission stores.write; 23505 the organisation has a store with that slug; TV003 the plan has one store; 23514 or 23502 something is not well formed; TV170 the reviews link leads to no known platform and its host (the detail) is not the one confirmed.';

COMMENT ON FUNCTION "public"."duplicate_campaign"(uuid, text) IS 'Copies a campaign with its wheel and its rewards (with the stock that is left). The name gets a number where it is taken, the slug is its own: inactive, without history, without dates that are over. Answers id and name. Errors: 42501 when it is not a campaign that one may copy, 22023 when the name has nothing that can be seen.';

COMMENT ON FUNCTION "public"."erase_customer"(uuid) IS 'Forgets a person (right to erasure): the customer, their note and points are deleted. Their visits, spins and codes stay without name, contact and words, so that figures hold and codes that they have stay valid. Error 42501 without the permission customers.delete there.';

COMMENT ON FUNCTION "public"."export_organization"(uuid) IS 'Tables of an export of all of an organisation''s data: each with its columns and the query that reads its rows as JSON, in the order of the key. Read from the catalog, so that no table is forgotten.';

COMMENT ON FUNCTION "public"."invite_member"(text, text, uuid) IS 'Invites an address into the signed-in user''s team, by mail, with a role, and a store for a role of the till. Nobody learns whether the address has an account. Errors: TV096 belongs to this team already; TV097 invited already; TV002 the plan''s users are used up (limit as detail); TV103 too many mails (seconds as detail); 23514 or 23502 no address; 42501 without the permission team.manage, an owner invited by another role, a role or store that is none.';

COMMENT ON FUNCTION "public"."monthly_report"(uuid, uuid, text, uuid, date) IS 'Report of one of the last 12 months that are over, by its first day. For a user, with the session and the assurance level of their token; the shape is monthlyReport of _shared/domain. Outcomes: made, or why not: session_ended, second_factor_required, forbidden, closed (the plan ended 30 days ago), plan (without advanced analytics), month (another day, or another month).';

COMMENT ON FUNCTION "public"."my_workspace"() IS 'What every screen starts from: organisation, role, permissions, stores, plan and progress of the signed-in user. How many bad reviews they have to read, and how many groups of prizes to check. A cashier reads the names of the stores here and in no table. Errors TV010 and TV011 tell a page where to send the person.';

COMMENT ON FUNCTION "public"."period_figures"(uuid, date, date) IS 'Figures of an organisation''s days from one to another, both counted, beside those of as many days before; the shape is periodFigures of _shared/domain. Errors: 42501 without the permission activity.read there or a plan with advanced_analytics; 22023 (period_invalid) when the last day is before the first one, or there are more than 366.';

COMMENT ON FUNCTION "public"."points_catalogue"(uuid) IS 'Rewards that an organisation gives for points, cheapest first. How many of each its customers could have now and how many they have had, and what it owes: points that can be spent, of how many customers, and codes that wait. earns tells whether a reward in use wins points. The shape is pointsCatalogue of _shared/domain. Error 42501 without the permissions rewards.read and activity.read there.';

COMMENT ON FUNCTION "public"."presence_board"(uuid) IS 'What the screen at the till of a store shows: for each running campaign that asks for it the codes of the next five minutes, or the word of the day. How long they are good; the shape is presenceBoard of _shared/domain. Error 42501 to whoever may not redeem codes at that store; errors of my_user_id().';

COMMENT ON FUNCTION "public"."public_rating_question"(uuid, uuid, text, uuid) IS 'Whether Google may be asked now for a store''s public page, and by which identifier. For a user, with the session and the assurance level of their token. Outcomes: ask, or why not: session_ended, second_factor_required, forbidden (without the permission activity.read there), closed (the plan ended 30 days ago), no_place, typed (today''s figures were typed in), paused (it failed just now), too_many (6 a store and 60 an organisation in a day).';

COMMENT ON FUNCTION "public"."remove_campaign"(uuid, boolean) IS 'Archives a campaign, which then is inactive, or deletes it when it has no history. Its wheel, the rewards that no other shares and its former addresses go with it. Error TV067 when it has one: then nothing is changed. Error 42501 without the permission campaigns.delete there.';

COMMENT ON FUNCTION "public"."resend_invitation"(uuid) IS 'Sends an invitation again, for 7 more days; the link of the mail before opens nothing any more. Errors: TV085 the plan is over; TV098 it is not open; TV002 it had expired and its seat is taken; TV103 too many mails; 42501 as invite_member.';

COMMENT ON FUNCTION "public"."reward_codes"(uuid, text, integer, text, text) IS 'A page of a reward''s codes, newest first or sorted (created_at, expires_at; private.sort_key). A text is found in the code, or in its customer''s e-mail or name. Of one state (available, used, expired, held, cancelled; any when null; error 22023 for another), with the counters above the list (specification, section 2.17); the shape is rewardCodes of _shared/domain. Without the permission customers.read nobody is named, and a text is found where a code begins with it. Null when there is no such reward for the signed-in user, who needs the permission codes.read.';

COMMENT ON FUNCTION "public"."reward_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s rewards in use, or archived, whose name or campaign''s name contains a text. Newest first or sorted (name, stock, wins, redemptions, rate, max, validity, state, created_at; private.sort_key), with the figures above the list (specification, section 2.17); the shape is rewardList of _shared/domain. Error 42501 without the permissions rewards.read and activity.read there.';

COMMENT ON FUNCTION "public"."save_brand_color"(uuid, text) IS 'Sets the colour that an organisation''s customers see (#rrggbb; null: the product''s own). Errors: 42501 without the permission organization.update there; TV085 the plan is no longer in force; TV150 it does not include a brand; 23514 it is no colour.';

COMMENT ON FUNCTION "public"."save_campaign"(uuid, integer, text, text, uuid, boolean, integer, text, timestamp with time zone, timestamp with time zone, jsonb) IS 'Saves a version of a campaign and, unless p_segments is null, its wheel (private.redraw_wheel): all of it or nothing. Answers the new version, and the slug, which got a suffix where another merchant has it. Errors: 42501 not a campaign that one may change; TV062 somebody saved a newer version (detail); TV061 it is archived; TV060 active in an archived store; TV001 beyond the plan''s active campaigns; 23505 the organisation has a campaign of that name; TV066 one with that slug; TV063 to TV065 of the wheel; 23503 not a store of the organisation; 23514 or 23502 not well formed.';

COMMENT ON FUNCTION "public"."save_role"(text, text, text[], text) IS 'Makes or changes a role of the signed-in owner''s organisation, with a name, a description and permissions, which bring those that they need. Whoever has the role may at once do what it says. Answers the role. Errors: TV114 the plan includes none; TV085 it is no longer in force; TV115 there are 20; 23505 the name is taken; 23514 or 23502 no name; 42501 to others, for another''s role, without any permission, and for one that is the owner''s alone.';

COMMENT ON FUNCTION "public"."stale_logo_files"(uuid) IS 'Files of an organisation in the bucket logos that are not its logo. They are removed before the transaction ends, which keeps others from changing it meanwhile; none while somebody does.';

COMMENT ON FUNCTION "public"."start_campaign"(uuid, uuid, text, text, boolean, jsonb, uuid, integer, text, timestamp with time zone, timestamp with time zone, boolean) IS 'Makes a campaign with its prizes and its wheel: all of it or nothing. p_segments is a list of {label, color, weight, translations (may be missing), prize}, where prize is null for a segment that loses, else {type, cost_cents (null: not entered), picture and translations (may be missing)}; each prize becomes a reward named like its segment. With p_source_id the wheel and the interval are those of that campaign instead. Its rewards are copied with the stock p_stock (-1: unlimited, null: what is left), or, with p_is_shared, shared with one stock for both. p_id is chosen by the caller: a second call with it changes nothing. The slug is made from p_slug, else from the name, with a number where it is taken. Answers id. Errors: 42501 not a store where one may do that; TV068 nothing can be won; TV063 and TV064 of the wheel; TV060 active in an archived store; TV001 beyond the plan''s active campaigns; 23505 the organisation has a campaign of that name; 23514 or 23502 something is not well formed.';

COMMENT ON FUNCTION "public"."store_list"(uuid, text, boolean, integer, text) IS 'A page of an organisation''s stores in use, or archived, whose name or address contains a text. Newest first or sorted (name, scans, reviews, rating, created_at; private.sort_key), with the figures above the list (specification, section 2.18); the shape is storeList of _shared/domain. Error 42501 without the permissions stores.read and activity.read there.';

COMMENT ON FUNCTION "public"."team"(uuid) IS 'Members of an organisation, the invitations that wait (for whoever may manage the team) and its roles. Whether its plan includes roles of its own, and how many seats of how many are taken; the shape is team of _shared/domain. Error 42501 without the permission team.read there.';

REVOKE ALL ON FUNCTION "private"."notify_winner"(public.redemptions, text) FROM PUBLIC;
