-- Why: prizes that look like cheating are marked with their reasons, and a merchant holds or cancels them.

set check_function_bodies = off;

DROP TRIGGER "drop_prize_reminder" ON "public"."redemptions";

ALTER TABLE "public"."redemption_events" DROP CONSTRAINT "redemption_events_action_check";

CREATE TABLE "private"."check_codes" ("org_id" uuid NOT NULL, "group_id" uuid NOT NULL, "redemption_id" uuid NOT NULL, CONSTRAINT "check_codes_pkey" PRIMARY KEY (org_id, group_id, redemption_id));

ALTER TABLE "private"."check_codes" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."check_groups" ("org_id" uuid NOT NULL, "campaign_id" uuid NOT NULL, "kind" text NOT NULL, "group_key" text NOT NULL, "names" integer NOT NULL DEFAULT 1, "opened_at" timestamp with time zone NOT NULL, "last_at" timestamp with time zone NOT NULL, "closed_at" timestamp with time zone, "is_normal" boolean NOT NULL DEFAULT false, "closed_by" text, CONSTRAINT "check_groups_check" CHECK (((closed_at IS NOT NULL) OR ((NOT is_normal) AND (closed_by IS NULL)))), CONSTRAINT "check_groups_closed_by_check" CHECK ((length(closed_by) <= 200)), CONSTRAINT "check_groups_kind_check" CHECK ((kind = ANY (ARRAY['device'::text, 'network'::text, 'disposable'::text, 'quiet_hours'::text]))), CONSTRAINT "check_groups_names_check" CHECK ((names > 0)), "id" uuid NOT NULL DEFAULT private.uuid_v7(), CONSTRAINT "check_groups_pkey" PRIMARY KEY (org_id, id));

ALTER TABLE "private"."check_groups" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."check_settings" ("org_id" uuid NOT NULL, "campaign_id" uuid NOT NULL, "device_daily_limit" smallint, "device_names" smallint NOT NULL DEFAULT 6, "network_names" smallint NOT NULL DEFAULT 8, "marks_disposable" boolean NOT NULL DEFAULT true, "quiet_from" time without time zone DEFAULT '02:00:00'::time without time zone, "quiet_to" time without time zone DEFAULT '05:00:00'::time without time zone, CONSTRAINT "check_settings_check1" CHECK ((quiet_from <> quiet_to)), CONSTRAINT "check_settings_check" CHECK (((quiet_from IS NULL) = (quiet_to IS NULL))), CONSTRAINT "check_settings_device_daily_limit_check" CHECK (((device_daily_limit >= 1) AND (device_daily_limit <= 500))), CONSTRAINT "check_settings_device_names_check" CHECK (((device_names >= 2) AND (device_names <= 500))), CONSTRAINT "check_settings_network_names_check" CHECK (((network_names >= 3) AND (network_names <= 500))), CONSTRAINT "check_settings_pkey" PRIMARY KEY (org_id, campaign_id));

ALTER TABLE "private"."check_settings" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."code_verdicts" ("org_id" uuid NOT NULL, "redemption_id" uuid NOT NULL, "mail_id" uuid, "decided_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "code_verdicts_pkey" PRIMARY KEY (org_id, redemption_id));

ALTER TABLE "private"."code_verdicts" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."device_customers" ("org_id" uuid NOT NULL, "campaign_id" uuid NOT NULL, "device_key" text NOT NULL, "customer_id" uuid NOT NULL, "first_at" timestamp with time zone NOT NULL, "last_at" timestamp with time zone NOT NULL, CONSTRAINT "device_customers_pkey" PRIMARY KEY (org_id, campaign_id, device_key, customer_id));

ALTER TABLE "private"."device_customers" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."disposable_domains" ("domain" text NOT NULL, CONSTRAINT "disposable_domains_domain_check" CHECK (((domain = lower(domain)) AND (domain ~ '^[a-z0-9.-]+\.[a-z]+$'::text))), CONSTRAINT "disposable_domains_pkey" PRIMARY KEY (domain));

ALTER TABLE "private"."disposable_domains" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."network_turns" ("org_id" uuid NOT NULL, "spin_id" uuid NOT NULL, "campaign_id" uuid NOT NULL, "customer_id" uuid NOT NULL, "network_key" text NOT NULL, "created_at" timestamp with time zone NOT NULL, CONSTRAINT "network_turns_pkey" PRIMARY KEY (org_id, spin_id));

ALTER TABLE "private"."network_turns" ENABLE ROW LEVEL SECURITY;

CREATE TABLE "private"."spin_origins" ("org_id" uuid NOT NULL, "spin_id" uuid NOT NULL, "campaign_id" uuid NOT NULL, "customer_id" uuid NOT NULL, "device_key" text NOT NULL, "network_key" text NOT NULL, "created_at" timestamp with time zone NOT NULL DEFAULT now(), CONSTRAINT "spin_origins_pkey" PRIMARY KEY (org_id, spin_id));

ALTER TABLE "private"."spin_origins" ENABLE ROW LEVEL SECURITY;

ALTER TABLE "public"."redemptions" ADD COLUMN "verdict" text;

CREATE OR REPLACE FUNCTION private.check_redemption_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  if (old.status = 'available' and new.status = 'used')
    or (old.status = 'available' and new.status = 'expired' and old.expires_at <= now())
    or (old.status = 'used' and new.status = 'available' and old.used_at > now() - interval '10 minutes')
    or (old.status = 'available' and new.status = 'expired' and new.verdict = 'cancelled')
    or (old.status = 'expired' and new.status = 'available' and old.verdict is not null and new.verdict is null)
  then
    return new;
  end if;
  raise exception 'redemption_transition_refused' using errcode = '23514',
    constraint = 'redemptions_status_transition', detail = old.status || ' -> ' || new.status;
end;
$function$;

CREATE OR REPLACE FUNCTION private.check_settings_of(p_org_id uuid, p_campaign_id uuid)
 RETURNS private.check_settings
 LANGUAGE plpgsql
 STABLE
 SET search_path TO ''
AS $function$
declare
  v_settings private.check_settings;
begin
  select * into v_settings from private.check_settings s where s.org_id = p_org_id and s.campaign_id = p_campaign_id;
  if not found then
    v_settings := (p_org_id, p_campaign_id, null, 6, 8, true, time '02:00', time '05:00');
  end if;
  return v_settings;
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
      -- A store that was put away has no till: its codes are good at any other.
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

CREATE OR REPLACE FUNCTION private.count_code_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
begin
  insert into private.recent_figures (org_id, reward_id, day, redemptions, expirations)
  select new.org_id, new.reward_id, (coalesce(new.used_at, old.used_at) at time zone s.timezone)::date,
    (new.status = 'used')::integer - (old.status = 'used')::integer,
    (new.status = 'expired')::integer - (old.status = 'expired')::integer
  from public.stores s where s.org_id = new.org_id and s.id = new.store_id;
  return null;
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
    values (p_code.org_id, p_code.id, private.tell_winner(p_code, 'prize_held'));
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
    values (p_code.org_id, p_code.id, private.tell_winner(p_code, 'prize_cancelled'));
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
      perform private.tell_winner(p_code, 'prize_released');
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

CREATE OR REPLACE FUNCTION private.describe_check(p_group private.check_groups, p_is_named boolean)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
 SET search_path TO ''
AS $function$
  select jsonb_build_object(
    'id', p_group.id, 'kind', p_group.kind, 'names', p_group.names,
    'campaign', (select jsonb_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = p_group.org_id and c.id = p_group.campaign_id),
    'label', case when p_group.kind in ('disposable', 'quiet_hours') then split_part(p_group.group_key, ' ', 1) end,
    'opened_at', p_group.opened_at, 'last_at', p_group.last_at,
    'closed_at', p_group.closed_at, 'closed_by', p_group.closed_by, 'is_normal', p_group.is_normal,
    'total', (select count(*) from private.check_codes m where m.org_id = p_group.org_id and m.group_id = p_group.id),
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'code', d.code, 'reward', d.reward_name, 'reward_id', d.reward_id,
        'customer', case when p_is_named then coalesce(nullif(btrim(d.end_user_name), ''), d.end_user_email) end,
        'state', case when d.status = 'used' then 'used' else coalesce(d.verdict, private.code_state(d)) end,
        'created_at', d.created_at, 'used_at', d.used_at,
        'reasons', (
          select jsonb_agg(distinct g.kind order by g.kind) from private.check_codes m
          join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
          where m.org_id = d.org_id and m.redemption_id = d.id)) order by d.created_at desc, d.id desc)
      from (
        select d.* from private.check_codes m
        join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
        where m.org_id = p_group.org_id and m.group_id = p_group.id
        order by m.redemption_id desc limit 50
      ) d), '[]'::jsonb));
$function$;

CREATE OR REPLACE FUNCTION private.drop_verdict_mail(p_code public.redemptions)
 RETURNS boolean
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_mail_id uuid;
begin
  delete from private.code_verdicts v where v.org_id = p_code.org_id and v.redemption_id = p_code.id
  returning v.mail_id into v_mail_id;
  if v_mail_id is null then
    return true;
  end if;
  update private.outbox o set state = 'failed', last_error = 'decision_undone', data = '{}', settled_at = now()
  where o.id = v_mail_id and o.state = 'queued' and o.attempts = 0;
  return found;
end;
$function$;

CREATE OR REPLACE FUNCTION private.judge_spins(p_limit integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_origins private.spin_origins[];
  v_origin record;
  v_settings private.check_settings;
  v_day integer;
  v_month integer;
  v_count integer;
begin
  -- Two at once would each see a part of the names.
  perform pg_advisory_xact_lock(hashtextextended('judge_spins', 0));
  with claimed as (
    delete from private.spin_origins o
    where (o.org_id, o.spin_id) in (
      select d.org_id, d.spin_id from private.spin_origins d limit p_limit for update skip locked
    )
    returning o.*
  )
  -- Whoever was erased meanwhile leaves nothing behind.
  select array_agg(o order by o.created_at, o.spin_id) into v_origins
  from claimed o join public.customers c on c.org_id = o.org_id and c.id = o.customer_id;
  v_count := coalesce(array_length(v_origins, 1), 0);
  if v_count = 0 then
    return 0;
  end if;

  insert into private.device_customers as k (org_id, campaign_id, device_key, customer_id, first_at, last_at)
  select o.org_id, o.campaign_id, o.device_key, o.customer_id, min(o.created_at), max(o.created_at)
  from unnest(v_origins) o group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (org_id, campaign_id, device_key, customer_id)
  do update set last_at = greatest(k.last_at, excluded.last_at);
  insert into private.network_turns (org_id, spin_id, campaign_id, customer_id, network_key, created_at)
  select o.org_id, o.spin_id, o.campaign_id, o.customer_id, o.network_key, o.created_at from unnest(v_origins) o;

  -- Many names on one device. A spin and its code bear one instant: the codes that were won on it are known by it.
  for v_origin in select distinct o.org_id, o.campaign_id, o.device_key from unnest(v_origins) o order by 1, 2, 3 loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    select count(*) filter (where k.last_at > now() - interval '24 hours'), count(*) into v_day, v_month
    from private.device_customers k
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > now() - interval '30 days';
    continue when v_day < v_settings.device_names and v_month < 2 * v_settings.device_names;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'device', v_origin.device_key,
      case when v_month >= 2 * v_settings.device_names then v_month else v_day end, array(
      select d.id
      from private.device_customers k
      join public.redemptions d on d.org_id = k.org_id and d.customer_id = k.customer_id
        and d.campaign_id = k.campaign_id and d.created_at between k.first_at and k.last_at
      where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
        and k.last_at > now() - case when v_month >= 2 * v_settings.device_names then interval '30 days'
          else interval '24 hours' end
    ));
  end loop;

  -- Many new names at once from one network: each spin is seen with the ten minutes before it.
  for v_origin in select o.* from unnest(v_origins) o order by o.created_at, o.spin_id loop
    select count(distinct t.customer_id) into v_day
    from private.network_turns t
    join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
    where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
      and t.created_at > v_origin.created_at - interval '10 minutes' and t.created_at <= v_origin.created_at
      and c.created_at > t.created_at - interval '1 hour';
    continue when v_day < 3;
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    continue when v_day < v_settings.network_names;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'network', v_origin.network_key, v_day, array(
      select d.id
      from private.network_turns t
      join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
      join public.redemptions d on d.org_id = t.org_id and d.spin_id = t.spin_id
      where t.org_id = v_origin.org_id and t.campaign_id = v_origin.campaign_id and t.network_key = v_origin.network_key
        and t.created_at > v_origin.created_at - interval '10 minutes' and t.created_at <= v_origin.created_at
        and c.created_at > t.created_at - interval '1 hour'
    ));
  end loop;

  for v_origin in
    select d.org_id, d.campaign_id, m.domain, array_agg(d.id order by d.id) as codes, count(distinct d.customer_id)::integer as names
    from unnest(v_origins) o
    join public.redemptions d on d.org_id = o.org_id and d.spin_id = o.spin_id
    cross join lateral (select lower(split_part(d.end_user_email, '@', -1)) as name) a
    join private.disposable_domains m on m.domain in (a.name, regexp_replace(a.name, '^[^.]+\.', ''))
    group by 1, 2, 3 order by 1, 2, 3
  loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    continue when not v_settings.marks_disposable;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'disposable', v_origin.domain, v_origin.names, v_origin.codes);
  end loop;
  return v_count;
end;
$function$;

CREATE OR REPLACE FUNCTION private.mark_codes(p_org_id uuid, p_campaign_id uuid, p_kind text, p_key text, p_names integer, p_codes uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_group_id uuid;
  v_first timestamptz;
  v_last timestamptz;
begin
  -- What is marked already says nothing new, unless the marks were taken back as normal.
  if coalesce(array_length(p_codes, 1), 0) = 0 or exists (
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
  if v_first is null then
    return;
  end if;
  insert into private.check_groups as g (org_id, campaign_id, kind, group_key, names, opened_at, last_at)
  values (p_org_id, p_campaign_id, p_kind, p_key, greatest(p_names, 1), v_first, v_last)
  on conflict (org_id, campaign_id, kind, group_key) where closed_at is null
  do update set last_at = greatest(g.last_at, excluded.last_at), names = greatest(g.names, excluded.names)
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

CREATE OR REPLACE FUNCTION private.mark_quiet_use(p_code public.redemptions, p_timezone text)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_settings constant private.check_settings := private.check_settings_of(p_code.org_id, p_code.campaign_id);
  v_at constant timestamp := p_code.used_at at time zone p_timezone;
begin
  if (v_settings.quiet_from < v_settings.quiet_to
      and v_at::time >= v_settings.quiet_from and v_at::time < v_settings.quiet_to)
    -- Over midnight.
    or (v_settings.quiet_from > v_settings.quiet_to
      and (v_at::time >= v_settings.quiet_from or v_at::time < v_settings.quiet_to))
  then
    perform private.mark_codes(p_code.org_id, p_code.campaign_id, 'quiet_hours', to_char(v_at, 'YYYY-MM-DD'), 1, array[p_code.id]);
  end if;
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
    where d.status = 'available' and d.verdict is null and d.expires_at > now() and d.expires_at < now() + interval '5 days'
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
    -- What cannot be won (stopped, put away, weight 0) leaves its odds to the losing segments, else to the other prizes;
    -- an empty stock is no part of the rules: they say what happens then.
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
      'labels', p.labels) order by p.place), '[]'::jsonb)
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
  -- A burst is over after an hour, and so is what is known of its network.
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

CREATE OR REPLACE FUNCTION private.tell_winner(p_code public.redemptions, p_template text)
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
      'name', nullif(split_part(btrim(t.end_user_name), ' ', 1), ''),
      'facts', jsonb_build_object(
        -- What a merchant has named like an address of the web is left out of a mail that bears our name.
        'prize', case when p_code.reward_name !~* '://|www\.|[a-z0-9]\.[a-z]{2,}' then p_code.reward_name end,
        'store', s.name))),
    now() + interval '1 day', now() + interval '10 minutes')
  from public.spins t
  join public.stores s on s.org_id = t.org_id and s.id = t.store_id
  join public.campaigns g on g.org_id = t.org_id and g.id = t.campaign_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
end;
$function$;

CREATE OR REPLACE FUNCTION private.use_code(p_state text, p_redemption public.redemptions, p_user_id uuid, p_key_id uuid, p_code text, p_store_id uuid, p_request_id uuid, OUT outcome text, OUT body jsonb)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO ''
AS $function$
declare
  v_redemption public.redemptions := p_redemption;
  v_timezone text;
begin
  outcome := p_state;
  if outcome = 'unknown' then
    select u.outcome, u.body into outcome, body
    from private.use_points_code(p_user_id, p_key_id, p_code, p_store_id, p_request_id) u;
    if body is not null then
      return;
    end if;
    outcome := p_state;
  end if;
  if outcome = 'available' then
    update public.redemptions r
    set status = 'used', used_at = now(), used_by = p_user_id, used_store_id = p_store_id
    where r.org_id = v_redemption.org_id and r.id = v_redemption.id and r.status = 'available' and r.verdict is null
    returning * into v_redemption;
    if found then
      outcome := 'redeemed';
      insert into public.redemption_events (org_id, redemption_id, action, user_id, api_key_id, store_id, request_id)
      values (v_redemption.org_id, v_redemption.id, 'used', p_user_id, p_key_id, p_store_id, p_request_id);
      -- The customer before the figures, as everywhere: two orders would make deadlocks.
      update public.customers c set last_activity_at = now()
      where c.org_id = v_redemption.org_id and c.id = v_redemption.customer_id;
      select s.timezone into v_timezone from public.stores s
      where s.org_id = v_redemption.org_id and s.id = v_redemption.store_id;
      perform private.count_event(v_redemption.org_id, v_redemption.campaign_id, v_redemption.store_id,
        private.now_in(v_timezone)::date, p_redemptions => 1, p_is_free => private.is_free_win(v_redemption));
      perform private.mark_quiet_use(v_redemption, v_timezone);
    else
      -- Another till was faster, or a colleague who holds it back.
      select * into v_redemption from public.redemptions r
      where r.org_id = p_redemption.org_id and r.id = p_redemption.id;
      outcome := coalesce(v_redemption.verdict, v_redemption.status);
    end if;
  end if;
  -- The use that counts now is this very request's, whose answer was lost.
  if outcome = 'used' and exists (
    select 1 from public.redemption_events e
    where e.org_id = v_redemption.org_id and e.redemption_id = v_redemption.id and e.action = 'used'
      and e.created_at = v_redemption.used_at and e.request_id = p_request_id and e.store_id = p_store_id
      and (e.user_id = p_user_id or e.api_key_id = p_key_id)
  ) then
    outcome := 'redeemed';
  end if;
  body := private.describe_code(outcome, p_code, v_redemption);
end;
$function$;

CREATE OR REPLACE FUNCTION public.check_groups(p_org_id uuid, p_is_closed boolean DEFAULT false, p_after uuid DEFAULT NULL::uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 10;
  v_is_named boolean;
  v_after private.check_groups;
  v_groups private.check_groups[];
begin
  if p_org_id is null or p_org_id <> all (array(select private.my_org_ids('codes.read'))) then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  v_is_named := private.may_name_customers(p_org_id);
  select * into v_after from private.check_groups g where g.org_id = p_org_id and g.id = p_after;
  -- One more than is shown tells whether there is a next page.
  if coalesce(p_is_closed, false) then
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is not null
        and (v_after.id is null or (g.closed_at, g.id) < (v_after.closed_at, v_after.id))
      order by g.closed_at desc, g.id desc limit v_page_size + 1);
  else
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is null
        and (v_after.id is null or (g.last_at, g.id) < (v_after.last_at, v_after.id))
      order by g.last_at desc, g.id desc limit v_page_size + 1);
  end if;
  return jsonb_build_object(
    'open', (select count(*) from (
      select 1 from private.check_groups g where g.org_id = p_org_id and g.closed_at is null limit 100) o),
    'closed', exists (select 1 from private.check_groups g where g.org_id = p_org_id and g.closed_at is not null),
    'has_next', coalesce(array_length(v_groups, 1), 0) > v_page_size,
    'items', coalesce((
      select jsonb_agg(private.describe_check(v_groups[n], v_is_named) order by n)
      from generate_series(1, least(coalesce(array_length(v_groups, 1), 0), v_page_size)) n
    ), '[]'::jsonb));
end;
$function$;

CREATE OR REPLACE FUNCTION public.check_settings(p_campaign_id uuid)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('campaigns.read')));
  if not found then
    return null;
  end if;
  return to_jsonb(private.check_settings_of(v_org_id, p_campaign_id)) - 'org_id' - 'campaign_id';
end;
$function$;

CREATE OR REPLACE FUNCTION public.decide_check(p_id uuid, p_action text, p_codes uuid[] DEFAULT NULL::uuid[])
 RETURNS jsonb
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_group private.check_groups;
  v_code public.redemptions;
  v_changed integer := 0;
  v_left integer := 0;
begin
  select g.* into v_group from private.check_groups g
  where g.id = p_id and g.org_id = any (array(
    select private.my_org_ids('rewards.write') intersect select private.my_org_ids('codes.read')))
  for no key update of g;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_action is null or p_action not in ('hold', 'cancel', 'release', 'clear', 'reopen') then
    raise exception 'action_unknown' using errcode = '22023';
  end if;

  if p_action <> 'reopen' then
    -- In one order, whoever else decides on another group of the same codes; a till that was faster has its prize.
    for v_code in
      select d.* from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
      order by d.reward_id, d.id for no key update of d
    loop
      continue when p_action = 'clear' and v_code.verdict is distinct from 'held';
      if private.decide_code(v_code, case p_action when 'clear' then 'release' else p_action end, v_user_id) then
        v_changed := v_changed + 1;
      elsif p_action = 'release' and v_code.verdict is not null or p_action in ('hold', 'cancel') and v_code.status = 'used' then
        v_left := v_left + 1;
      end if;
    end loop;
  end if;

  if p_action = 'clear' or (p_action = 'cancel' and p_codes is null) then
    update private.check_groups g
    set closed_at = coalesce(g.closed_at, now()), is_normal = p_action = 'clear',
      closed_by = left(private.user_name(v_user_id), 200)
    where g.org_id = v_group.org_id and g.id = p_id;
  elsif v_group.closed_at is not null and (p_action = 'reopen' or (p_action = 'release' and v_changed > 0)) then
    update private.check_groups g
    set closed_at = null, is_normal = false, closed_by = null,
      -- What came later has a group of its own.
      group_key = case when exists (
        select 1 from private.check_groups o
        where o.org_id = g.org_id and o.campaign_id = g.campaign_id and o.kind = g.kind and o.group_key = g.group_key
          and o.closed_at is null
      ) then split_part(g.group_key, ' ', 1) || ' ' || g.id else g.group_key end
    where g.org_id = v_group.org_id and g.id = p_id;
  end if;
  if v_changed > 0 or p_action = 'clear' and v_group.closed_at is null
    or p_action = 'reopen' and v_group.closed_at is not null
  then
    perform private.audit(v_group.org_id, case p_action when 'hold' then 'check.held' when 'cancel' then 'check.cancelled'
      when 'release' then 'check.released' when 'clear' then 'check.cleared' else 'check.reopened' end, 'campaign', v_group.campaign_id, (
      select jsonb_build_object('name', c.name, 'count', v_changed) from public.campaigns c
      where c.org_id = v_group.org_id and c.id = v_group.campaign_id));
  end if;
  return jsonb_build_object('changed', v_changed, 'left', v_left);
end;
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
    'prize', (
      select s.result::jsonb || jsonb_build_object('expires_at', v_code.expires_at)
      from public.spins s
      where s.org_id = v_code.org_id and s.id = v_code.spin_id));
end;
$function$;

CREATE OR REPLACE FUNCTION public.reward_codes(p_id uuid, p_search text DEFAULT ''::text, p_page integer DEFAULT 1)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO ''
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
declare
  v_page_size constant integer := 25;
  -- Whoever looks further back has better luck with the search.
  v_page constant integer := least(greatest(coalesce(p_page, 1), 1), 400);
  v_reward public.rewards;
  v_is_named boolean;
  v_pattern text;
  v_prefix text;
  v_items jsonb;
begin
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
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', shown.id, 'code', shown.code, 'store_id', shown.store_id,
    'status', case when shown.status = 'available' and shown.expires_at <= now() then 'expired' else shown.status end,
    'customer', case when v_is_named then coalesce(nullif(btrim(shown.end_user_name), ''), shown.end_user_email) end,
    'created_at', shown.created_at, 'used_at', shown.used_at, 'expires_at', shown.expires_at,
    'can_undo', shown.status = 'used' and private.may_restore(shown.used_at), 'verdict', shown.verdict,
    'trace', private.code_trace(v_reward.org_id, shown.id)) order by shown.created_at desc, shown.id desc), '[]'::jsonb)
  into v_items
  from (
    -- One more than is shown tells whether there is a next page.
    select r.* from public.redemptions r
    where r.org_id = v_reward.org_id and r.reward_id = p_id and (v_pattern is null or r.words like v_pattern)
      -- The range is what the unique index of codes can answer, whatever the order of letters of the database.
      and (v_prefix is null or (r.code_key >= v_prefix and r.code_key <= v_prefix || repeat('Z', 32)
        and r.code_key like v_prefix || '%'))
    order by r.created_at desc, r.id desc
    limit v_page_size + 1 offset (v_page - 1) * v_page_size
  ) shown;

  return jsonb_build_object(
    'reward', jsonb_build_object('id', v_reward.id, 'name', v_reward.name, 'type', v_reward.type),
    'counts', private.code_counts(v_reward.org_id, p_id),
    'can_export', (select l.csv_export from public.subscriptions s join public.plan_limits l on l.plan = s.plan
                   where s.org_id = v_reward.org_id),
    'page', v_page, 'has_next', jsonb_array_length(v_items) > v_page_size and v_page < 400,
    'items', case when jsonb_array_length(v_items) > v_page_size then v_items - v_page_size else v_items end);
end;
$function$;

CREATE OR REPLACE FUNCTION public.save_check_settings(p_campaign_id uuid, p_device_names integer, p_network_names integer, p_marks_disposable boolean, p_device_daily_limit integer DEFAULT NULL::integer, p_quiet_from time without time zone DEFAULT NULL::time without time zone, p_quiet_to time without time zone DEFAULT NULL::time without time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO ''
AS $function$
declare
  v_campaign public.campaigns;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (array(select private.my_org_ids('campaigns.write')));
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  insert into private.check_settings as s (
    org_id, campaign_id, device_daily_limit, device_names, network_names, marks_disposable, quiet_from, quiet_to
  ) values (
    v_campaign.org_id, p_campaign_id, p_device_daily_limit, p_device_names, p_network_names, p_marks_disposable,
    p_quiet_from, p_quiet_to
  )
  on conflict (org_id, campaign_id) do update set
    device_daily_limit = excluded.device_daily_limit, device_names = excluded.device_names,
    network_names = excluded.network_names, marks_disposable = excluded.marks_disposable,
    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to;
  perform private.audit(v_campaign.org_id, 'check.updated', 'campaign', p_campaign_id,
    jsonb_build_object('name', v_campaign.name));
end;
$function$;

CREATE OR REPLACE FUNCTION public.spin_wheel(p_campaign_id uuid, p_review_id uuid, p_play_id uuid, p_name text, p_email text, p_phone text, p_device_hash text, p_address_hash text, OUT outcome text, OUT body text, OUT retry_at timestamp with time zone)
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

  -- The person, whose row is locked: two turns of one person take turns, and what follows counts what they did.
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
    -- Whoever is new is written down with this turn: writing the row twice would cost a tenth of the whole.
    v_person := private.find_or_create_customer(v_campaign.org_id, v_campaign.store_id, null, null,
      p_name, p_email, p_phone, false, p_spins => 1);
    v_customer_id := v_person.customer_id;
    v_is_new := v_person.is_new;
  end if;
  v_today := private.now_in(v_campaign.timezone)::date;

  -- May this person play? One turn in so many calendar days of the store; without an interval, 30 an hour.
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
    update public.customers c set last_activity_at = now(), spin_count = c.spin_count + 1
    where c.org_id = v_campaign.org_id and c.id = v_customer_id;
  end if;

  perform private.count_event(v_campaign.org_id, p_campaign_id, v_campaign.store_id, v_today,
    p_spins => 1, p_wins => (v_reward.id is not null)::integer, p_is_free => p_review_id is null);
  if v_campaign.monthly_spins > 0 and (v_used + 1) * 100 >= v_campaign.monthly_spins * 80 then
    insert into public.usage_alerts (org_id, month, threshold)
    select v_campaign.org_id, date_trunc('month', v_today)::date, t from unnest('{80,100}'::smallint[]) t
    where (v_used + 1) * 100 >= v_campaign.monthly_spins * t
    on conflict do nothing;
  end if;
  outcome := 'spun';
end;
$function$;

ALTER TABLE "private"."check_codes" ADD CONSTRAINT "check_codes_org_id_redemption_id_fkey" FOREIGN KEY (org_id, redemption_id) REFERENCES public.redemptions(org_id, id) ON DELETE CASCADE;

ALTER TABLE "private"."check_groups" ADD CONSTRAINT "check_groups_org_id_campaign_id_fkey" FOREIGN KEY (org_id, campaign_id) REFERENCES public.campaigns(org_id, id) ON DELETE CASCADE;

ALTER TABLE "private"."check_settings" ADD CONSTRAINT "check_settings_org_id_campaign_id_fkey" FOREIGN KEY (org_id, campaign_id) REFERENCES public.campaigns(org_id, id) ON DELETE CASCADE;

ALTER TABLE "private"."code_verdicts" ADD CONSTRAINT "code_verdicts_org_id_redemption_id_fkey" FOREIGN KEY (org_id, redemption_id) REFERENCES public.redemptions(org_id, id) ON DELETE CASCADE;

ALTER TABLE "private"."device_customers" ADD CONSTRAINT "device_customers_org_id_campaign_id_fkey" FOREIGN KEY (org_id, campaign_id) REFERENCES public.campaigns(org_id, id) ON DELETE CASCADE;

ALTER TABLE "private"."device_customers" ADD CONSTRAINT "device_customers_org_id_customer_id_fkey" FOREIGN KEY (org_id, customer_id) REFERENCES public.customers(org_id, id) ON DELETE CASCADE;

ALTER TABLE "public"."redemption_events" ADD CONSTRAINT "redemption_events_action_check" CHECK ((action = ANY (ARRAY['used'::text, 'restored'::text, 'expired'::text, 'held'::text, 'cancelled'::text, 'released'::text])));

ALTER TABLE "public"."redemptions" ADD CONSTRAINT "redemptions_check2" CHECK (((verdict IS NULL) OR ((status <> 'used'::text) AND ((verdict = 'held'::text) OR (status = 'expired'::text)))));

ALTER TABLE "public"."redemptions" ADD CONSTRAINT "redemptions_verdict_check" CHECK ((verdict = ANY (ARRAY['held'::text, 'cancelled'::text])));

CREATE INDEX check_codes_redemption_idx ON private.check_codes USING btree (org_id, redemption_id);

CREATE INDEX check_groups_key_idx ON private.check_groups USING btree (org_id, campaign_id, kind, group_key);

CREATE INDEX check_groups_last_idx ON private.check_groups USING btree (last_at);

CREATE UNIQUE INDEX check_groups_open_key ON private.check_groups USING btree (org_id, campaign_id, kind, group_key) WHERE (closed_at IS NULL);

CREATE INDEX device_customers_customer_idx ON private.device_customers USING btree (org_id, customer_id);

CREATE INDEX device_customers_last_idx ON private.device_customers USING btree (last_at);

CREATE INDEX network_turns_created_idx ON private.network_turns USING btree (created_at);

CREATE INDEX network_turns_network_idx ON private.network_turns USING btree (org_id, campaign_id, network_key, created_at);

CREATE INDEX redemptions_cancelled_idx ON public.redemptions USING btree (org_id, reward_id) WHERE (verdict = 'cancelled'::text);

CREATE TRIGGER drop_prize_reminder AFTER UPDATE OF status, verdict ON public.redemptions FOR EACH ROW WHEN ((((old.status = 'available'::text) AND (new.status = 'used'::text)) OR ((old.verdict IS NULL) AND (new.verdict IS NOT NULL)))) EXECUTE FUNCTION private.drop_prize_reminder();

COMMENT ON COLUMN "private"."check_codes"."group_id" IS 'Group.';

COMMENT ON COLUMN "private"."check_codes"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."check_codes"."redemption_id" IS 'Code.';

COMMENT ON COLUMN "private"."check_groups"."campaign_id" IS 'Campaign.';

COMMENT ON COLUMN "private"."check_groups"."closed_at" IS 'When somebody dealt with it; null before.';

COMMENT ON COLUMN "private"."check_groups"."closed_by" IS 'Who dealt with it, by their name at the time.';

COMMENT ON COLUMN "private"."check_groups"."group_key" IS 'What they share: keyed hash of the device or, for an hour, of the network; domain; day at the store. Never shown but for a domain or a day.';

COMMENT ON COLUMN "private"."check_groups"."is_normal" IS 'Whether somebody said that all is well: then what they share, a network aside, is not marked again in this campaign.';

COMMENT ON COLUMN "private"."check_groups"."kind" IS 'Reason: device (many names on one device), network (many new names at once from one network), disposable (addresses that last a few minutes) or quiet_hours (used when the store is closed).';

COMMENT ON COLUMN "private"."check_groups"."last_at" IS 'When the latest was.';

COMMENT ON COLUMN "private"."check_groups"."names" IS 'How many people are concerned, as far as is known.';

COMMENT ON COLUMN "private"."check_groups"."opened_at" IS 'When the first of them was won, or used.';

COMMENT ON COLUMN "private"."check_groups"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."check_settings"."campaign_id" IS 'Campaign.';

COMMENT ON COLUMN "private"."check_settings"."device_daily_limit" IS 'Spins that a device has in a day of the store; null for no limit.';

COMMENT ON COLUMN "private"."check_settings"."device_names" IS 'From how many names in 24 hours on a device its prizes are marked, or from twice as many in 30 days.';

COMMENT ON COLUMN "private"."check_settings"."marks_disposable" IS 'Whether disposable addresses are marked.';

COMMENT ON COLUMN "private"."check_settings"."network_names" IS 'From how many new names in 10 minutes from one network their prizes are marked.';

COMMENT ON COLUMN "private"."check_settings"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."check_settings"."quiet_from" IS 'From when, by the clock of the store, a prize that is used is marked; null for never.';

COMMENT ON COLUMN "private"."check_settings"."quiet_to" IS 'Until when.';

COMMENT ON COLUMN "private"."code_verdicts"."decided_at" IS 'Since when it cannot be used; a prize given back is valid for as many days longer.';

COMMENT ON COLUMN "private"."code_verdicts"."mail_id" IS 'Mail to the winner, which waits ten minutes for an undo; null where none was written.';

COMMENT ON COLUMN "private"."code_verdicts"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."code_verdicts"."redemption_id" IS 'Code.';

COMMENT ON COLUMN "private"."device_customers"."campaign_id" IS 'Campaign.';

COMMENT ON COLUMN "private"."device_customers"."customer_id" IS 'Who played on it.';

COMMENT ON COLUMN "private"."device_customers"."device_key" IS 'Keyed hash of the device.';

COMMENT ON COLUMN "private"."device_customers"."first_at" IS 'The first spin of that person on that device.';

COMMENT ON COLUMN "private"."device_customers"."last_at" IS 'The latest one.';

COMMENT ON COLUMN "private"."device_customers"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."disposable_domains"."domain" IS 'Domain of such addresses; its subdomains count as well.';

COMMENT ON COLUMN "private"."network_turns"."campaign_id" IS 'Campaign.';

COMMENT ON COLUMN "private"."network_turns"."created_at" IS 'When.';

COMMENT ON COLUMN "private"."network_turns"."customer_id" IS 'Who played.';

COMMENT ON COLUMN "private"."network_turns"."network_key" IS 'Keyed hash of the network address.';

COMMENT ON COLUMN "private"."network_turns"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."network_turns"."spin_id" IS 'Spin.';

COMMENT ON COLUMN "private"."spin_origins"."campaign_id" IS 'Campaign.';

COMMENT ON COLUMN "private"."spin_origins"."created_at" IS 'When.';

COMMENT ON COLUMN "private"."spin_origins"."customer_id" IS 'Who played.';

COMMENT ON COLUMN "private"."spin_origins"."device_key" IS 'Keyed hash of the device, as limits count it.';

COMMENT ON COLUMN "private"."spin_origins"."network_key" IS 'Keyed hash of the network address, as limits count it.';

COMMENT ON COLUMN "private"."spin_origins"."org_id" IS 'Organisation.';

COMMENT ON COLUMN "private"."spin_origins"."spin_id" IS 'Spin.';

COMMENT ON COLUMN "public"."redemption_events"."action" IS 'used, restored (undone by staff), expired (by time), or what a check led to: held, cancelled, released.';

COMMENT ON COLUMN "public"."redemptions"."verdict" IS 'held while the team checks it, cancelled by the team (28_checks.sql); null otherwise. Neither can be used.';

COMMENT ON FUNCTION "private"."check_redemption_status"() IS 'A code goes from available to used (staff) or expired (time, or cancelled), and back from used within 10 minutes, or from a decision that is taken back; nothing else. Error 23514, constraint redemptions_status_transition.';

COMMENT ON FUNCTION "private"."check_settings_of"(uuid, uuid) IS 'What a campaign marks: its own settings, or the usual ones.';

COMMENT ON FUNCTION "private"."code_at"(uuid, uuid, text) IS 'What a code of an organisation is at one of its stores, whatever its case and spaces: available, used, expired, held, cancelled, other_store (never for a store that was put away), test, unknown (other merchants'' codes too).';

COMMENT ON FUNCTION "private"."count_code_change"() IS 'Counts a code that is used, given back (on the day of its use), expired or valid again for its reward.';

COMMENT ON FUNCTION "private"."decide_code"(public.redemptions, text, uuid) IS 'Holds back a prize that waits, cancels it (the stock gets it back), or releases it again: for a code whose row the caller has locked. False when there was nothing to do, or no stock left to give the prize back from.';

COMMENT ON FUNCTION "private"."describe_check"(private.check_groups, boolean) IS 'A group of prizes to check with its newest 50 codes and all their reasons; names only where asked.';

COMMENT ON FUNCTION "private"."drop_prize_reminder"() IS 'Takes back the reminder of a code that is used, held or cancelled while the mail still waits.';

COMMENT ON FUNCTION "private"."drop_verdict_mail"(public.redemptions) IS 'Takes back the mail about a decision while it waits. False when its winner was notified.';

COMMENT ON FUNCTION "private"."inspect_code"(uuid, text, uuid) IS 'What a code is to a user at the till of a store, whatever its case and spaces: available, used, expired, held, cancelled, other_store, test, unknown (other merchants'' codes too), forbidden (not a till of theirs), too_many_attempts.';

COMMENT ON FUNCTION "private"."judge_spins"(integer) IS 'Job: reads where the latest spins came from and gives the prizes that were won so their reasons (private.check_groups).';

COMMENT ON FUNCTION "private"."mark_codes"(uuid, uuid, text, text, integer, uuid[]) IS 'Gives codes a reason: puts those that lack it into the open group of that reason, made when there is none. Nothing for what somebody called normal.';

COMMENT ON FUNCTION "private"."mark_quiet_use"(public.redemptions, text) IS 'Marks a code that is used while the store is closed, by the clock of a time zone.';

COMMENT ON FUNCTION "private"."sweep_checks"(integer) IS 'Job: networks go after an hour; devices and groups after 13 months (specification, section 9).';

COMMENT ON FUNCTION "private"."tell_winner"(public.redemptions, text) IS 'Writes the mail that tells a winner what becomes of a prize; it waits ten minutes for an undo. Answers its identifier, null without an address or after five such mails a day.';

COMMENT ON FUNCTION "public"."check_groups"(uuid, boolean, uuid) IS 'A page of the groups of prizes to check, newest first, or of those that were dealt with: the one after a group; the shape is checkGroups of _shared/domain. Names are null without the permission customers.read. Error 42501 without the permission codes.read there.';

COMMENT ON FUNCTION "public"."check_settings"(uuid) IS 'What a campaign marks: the shape is checkSettings of _shared/domain. Null when there is no such campaign for the signed-in user, who needs the permission campaigns.read.';

COMMENT ON FUNCTION "public"."decide_check"(uuid, text, uuid[]) IS 'What becomes of a group of prizes, or of some of its codes: hold, cancel (the group is dealt with), release (both taken back), clear (all is well: what was held is released, and the same is not marked again) or reopen. Answers how many codes changed, and how many could not (used meanwhile, no stock left). Repeated, it changes nothing. Winners are notified by mail ten minutes later. Errors: 42501 without the permissions rewards.write and codes.read there, 22023 another action.';

COMMENT ON FUNCTION "public"."redeem_code"(uuid, uuid, text, text, uuid, uuid) IS 'Uses a code at the till of a store, once (specification, section 7.2), for a user whose token names a session and an assurance level. Outcomes: redeemed, used, expired, held, cancelled, other_store, test, unknown, forbidden, too_many_attempts, second_factor_required, session_ended; body is what the till shows, null for the last two. A request that is repeated with its identifier, since its answer was lost, is answered as the first time.';

COMMENT ON FUNCTION "public"."save_check_settings"(uuid, integer, integer, boolean, integer, time without time zone, time without time zone) IS 'Decides what a campaign marks and how many spins a device has a day (null: no limit). Errors: 42501 without the permission campaigns.write there, 23514 or 23502 values out of bounds.';

COMMENT ON TABLE "private"."check_codes" IS 'The reasons of a prize: the groups that it belongs to.';

COMMENT ON TABLE "private"."check_groups" IS 'Prizes that have one reason to be checked. Kept for 13 months.';

COMMENT ON TABLE "private"."check_settings" IS 'What a campaign marks, where its merchant has decided otherwise than usual.';

COMMENT ON TABLE "private"."code_verdicts" IS 'Codes that are held or cancelled: since when, and the mail that says so.';

COMMENT ON TABLE "private"."device_customers" IS 'Under which names a device played in a campaign. Kept for 13 months after the last time, or until the customer is erased.';

COMMENT ON TABLE "private"."disposable_domains" IS 'Services that give an address for a few minutes: those that people meet in France, kept by hand. A mark, never a refusal.';

COMMENT ON TABLE "private"."network_turns" IS 'Spins of the last hour by network; the job sweep_checks deletes what is older.';

COMMENT ON TABLE "private"."spin_origins" IS 'Where the latest spins came from, until the job judge_spins has read it: a minute. No references, which every spin would pay for.';

REVOKE ALL ON FUNCTION "private"."check_settings_of"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."decide_code"(public.redemptions, text, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."describe_check"(private.check_groups, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."drop_verdict_mail"(public.redemptions) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."judge_spins"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_codes"(uuid, uuid, text, text, integer, uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."mark_quiet_use"(public.redemptions, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."sweep_checks"(integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_winner"(public.redemptions, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "public"."check_groups"(uuid, boolean, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."check_groups"(uuid, boolean, uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."check_settings"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."check_settings"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."decide_check"(uuid, text, uuid[]) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."decide_check"(uuid, text, uuid[]) TO "authenticated";

REVOKE ALL ON FUNCTION "public"."save_check_settings"(uuid, integer, integer, boolean, integer, time without time zone, time without time zone) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."save_check_settings"(uuid, integer, integer, boolean, integer, time without time zone, time without time zone) TO "authenticated";

ALTER TABLE "private"."check_codes" ADD CONSTRAINT "check_codes_org_id_group_id_fkey" FOREIGN KEY (org_id, group_id) REFERENCES private.check_groups(org_id, id) ON DELETE CASCADE;

CREATE INDEX check_groups_closed_idx ON private.check_groups USING btree (org_id, closed_at DESC, id DESC) WHERE (closed_at IS NOT NULL);

CREATE INDEX check_groups_open_idx ON private.check_groups USING btree (org_id, last_at DESC, id DESC) WHERE (closed_at IS NULL);

COMMENT ON COLUMN "private"."check_groups"."id" IS 'Identifier.';

insert into private.disposable_domains (domain) values
  ('10minutemail.com'), ('10minutemail.net'), ('1secmail.com'), ('1secmail.net'), ('1secmail.org'), ('20minutemail.com'),
  ('33mail.com'), ('anonbox.net'), ('anonymbox.com'), ('burnermail.io'), ('byom.de'), ('cool.fr.nf'), ('courriel.fr.nf'),
  ('courrieltemporaire.com'), ('cuvox.de'), ('dayrep.com'), ('deadaddress.com'), ('discard.email'), ('discardmail.com'),
  ('dispostable.com'), ('dropmail.me'), ('einrot.com'), ('email-temp.com'), ('emailfake.com'), ('emailondeck.com'),
  ('emailtemporaire.com'), ('emailtemporaire.fr'), ('fakeinbox.com'), ('fakemail.net'), ('fakemailgenerator.com'),
  ('filzmail.com'), ('fleckens.hu'), ('getairmail.com'), ('getnada.com'), ('gishpuppy.com'), ('grr.la'),
  ('guerrillamail.biz'), ('guerrillamail.com'), ('guerrillamail.de'), ('guerrillamail.info'), ('guerrillamail.net'),
  ('guerrillamail.org'), ('guerrillamailblock.com'), ('gustr.com'), ('haltospam.com'), ('harakirimail.com'),
  ('hulapla.de'), ('inboxbear.com'), ('inboxkitten.com'), ('incognitomail.com'), ('incognitomail.org'), ('internxt.email'),
  ('jetable.com'), ('jetable.fr.nf'), ('jetable.net'), ('jetable.org'), ('jourrapide.com'), ('kasmail.com'),
  ('klzlk.com'), ('link2mail.net'), ('linshiyouxiang.net'), ('mail-temp.com'), ('mail-temporaire.com'),
  ('mail-temporaire.fr'), ('mail-tester.com'), ('mailcatch.com'), ('maildrop.cc'), ('mailexpire.com'), ('mailinator.com'),
  ('mailinator.net'), ('mailinator2.com'), ('mailjetable.com'), ('mailnesia.com'), ('mailnull.com'), ('mailpoof.com'),
  ('mailsac.com'), ('mailtemporaire.com'), ('mailtemporaire.fr'), ('mailto.plus'), ('mega.zik.dj'), ('meltmail.com'),
  ('mintemail.com'), ('minuteinbox.com'), ('moakt.cc'), ('moakt.com'), ('moakt.ws'), ('moncourrier.fr.nf'),
  ('monemail.fr.nf'), ('monmail.fr.nf'), ('mt2015.com'), ('mvrht.com'), ('mytemp.email'), ('mytrashmail.com'),
  ('nada.email'), ('no-spam.ws'), ('nomail.xl.cx'), ('nospam.ze.tc'), ('owlymail.com'), ('pokemail.net'), ('rhyta.com'),
  ('rootfest.net'), ('sharklasers.com'), ('spam4.me'), ('spambog.com'), ('spambox.us'), ('spamdecoy.net'), ('spamex.com'),
  ('spamgourmet.com'), ('speed.1s.fr'), ('superrito.com'), ('teleworm.us'), ('temp-mail.io'), ('temp-mail.org'),
  ('tempail.com'), ('tempinbox.com'), ('tempmail.com'), ('tempmail.de'), ('tempmail.net'), ('tempmail.plus'),
  ('tempmailaddress.com'), ('tempmailo.com'), ('tempomail.fr'), ('temporaryemail.net'), ('temporarymail.com'),
  ('tempr.email'), ('throwawaymail.com'), ('tmail.ws'), ('tmailor.com'), ('tmpmail.net'), ('tmpmail.org'),
  ('trash-mail.com'), ('trashmail.com'), ('trashmail.de'), ('trashmail.fr'), ('trashmail.me'), ('trashmail.net'),
  ('trashmail.ws'), ('trbvm.com'), ('vomoto.com'), ('wegwerfmail.de'), ('yepmail.net'), ('yop.ze.cx'), ('yopmail.com'),
  ('yopmail.fr'), ('yopmail.net'), ('zetmail.com');

insert into private.jobs (name, run_every) values ('judge_spins', interval '1 minute'), ('sweep_checks', interval '5 minutes');
