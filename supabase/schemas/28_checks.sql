-- Prizes to check: what looks like cheating, and what the merchant does about it.
--
-- A spin only writes down where it came from; a job judges it within a minute, so that no customer waits for it. A mark
-- refuses nothing: a person of the team looks, holds a prize back, cancels it, or says that all is well, and takes that back.
-- A device is the keyed hash that the limits use, kept for 13 months and forgotten with its customer; a network is kept for the
-- hour in which attempts are counted, and no longer. Nothing here is on the phone, and no customer is refused by a mark.

create table private.spin_origins (
  org_id uuid not null,
  spin_id uuid not null,
  campaign_id uuid not null,
  customer_id uuid not null,
  device_key text not null,
  network_key text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, spin_id)
);
comment on table private.spin_origins is
  'Where the latest spins came from, until the job judge_spins has read it: a minute. No references, which every spin would pay for.';
comment on column private.spin_origins.org_id is 'Organisation.';
comment on column private.spin_origins.spin_id is 'Spin.';
comment on column private.spin_origins.campaign_id is 'Campaign.';
comment on column private.spin_origins.customer_id is 'Player.';
comment on column private.spin_origins.device_key is 'Keyed hash of the device, as limits count it.';
comment on column private.spin_origins.network_key is 'Keyed hash of the network address, as limits count it.';
comment on column private.spin_origins.created_at is 'When.';

create table private.device_customers (
  org_id uuid not null,
  campaign_id uuid not null,
  device_key text not null,
  customer_id uuid not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (org_id, campaign_id, device_key, customer_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade,
  foreign key (org_id, customer_id) references public.customers (org_id, id) on delete cascade
);
create index device_customers_customer_idx on private.device_customers (org_id, customer_id);
create index device_customers_last_idx on private.device_customers (last_at);
comment on table private.device_customers is
  'Under which names a device played in a campaign. Kept for 13 months after the last time, or until the customer is erased.';
comment on column private.device_customers.org_id is 'Organisation.';
comment on column private.device_customers.campaign_id is 'Campaign.';
comment on column private.device_customers.device_key is 'Keyed hash of the device.';
comment on column private.device_customers.customer_id is 'Player on this device.';
comment on column private.device_customers.first_at is 'The first spin of that person on that device.';
comment on column private.device_customers.last_at is 'The latest one.';

create table private.network_turns (
  org_id uuid not null,
  spin_id uuid not null,
  campaign_id uuid not null,
  customer_id uuid not null,
  network_key text not null,
  created_at timestamptz not null,
  primary key (org_id, spin_id)
);
create index network_turns_network_idx on private.network_turns (org_id, campaign_id, network_key, created_at);
create index network_turns_created_idx on private.network_turns (created_at);
comment on table private.network_turns is 'Spins of the last hour by network; the job sweep_checks deletes what is older.';
comment on column private.network_turns.org_id is 'Organisation.';
comment on column private.network_turns.spin_id is 'Spin.';
comment on column private.network_turns.campaign_id is 'Campaign.';
comment on column private.network_turns.customer_id is 'Player.';
comment on column private.network_turns.network_key is 'Keyed hash of the network address.';
comment on column private.network_turns.created_at is 'When.';

create table private.disposable_domains (
  domain text primary key check (domain = lower(domain) and domain ~ '^[a-z0-9.-]+\.[a-z]+$')
);
comment on table private.disposable_domains is
  'Services that give an address for a few minutes: those that people meet in France, kept by hand. A mark, never a refusal.';
comment on column private.disposable_domains.domain is 'Domain of such addresses; its subdomains count as well.';
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

create table private.check_settings (
  org_id uuid not null,
  campaign_id uuid not null,
  device_daily_limit smallint check (device_daily_limit between 1 and 500),
  device_names smallint not null default 6 check (device_names between 2 and 500),
  network_names smallint not null default 8 check (network_names between 3 and 500),
  marks_disposable boolean not null default true,
  quiet_from time default '02:00',
  quiet_to time default '05:00',
  presence text check (presence in ('turning', 'word', 'receipt')),
  presence_key bytea not null default private.new_secret() check (length(presence_key) = 32),
  primary key (org_id, campaign_id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade,
  check ((quiet_from is null) = (quiet_to is null)),
  check (quiet_from <> quiet_to),
  -- Fields of forms know no end of a day but the begin of the next.
  check (quiet_from < '24:00' and quiet_to < '24:00')
);
comment on table private.check_settings is 'Checks of a campaign whose merchant has decided otherwise than usual.';
comment on column private.check_settings.org_id is 'Organisation.';
comment on column private.check_settings.campaign_id is 'Campaign.';
comment on column private.check_settings.device_daily_limit is 'Spins that a device has in a day of the store; null for no limit.';
comment on column private.check_settings.device_names is
  'From how many names in 24 hours on a device its prizes are marked, or from twice as many in 30 days.';
comment on column private.check_settings.network_names is
  'From how many new names in 10 minutes from one network their prizes are marked.';
comment on column private.check_settings.marks_disposable is 'Whether disposable addresses are marked.';
comment on column private.check_settings.quiet_from is
  'From when, by the clock of the store, a prize that is used is marked; null for never.';
comment on column private.check_settings.quiet_to is 'Until when: 00:00 is midnight, never 24:00.';
comment on column private.check_settings.presence is
  'Proof that a customer is in the store: a code that is another one every 30 seconds on the till''s screen, the word of the '
  'day, or the last digits of a receipt; null where nothing is asked.';
comment on column private.check_settings.presence_key is
  'Secret of what is shown in the store and of the passes that it gives (private.presence_code). No function answers it.';

create table private.check_groups (
  org_id uuid not null,
  campaign_id uuid not null,
  kind text not null check (kind in ('device', 'network', 'disposable', 'quiet_hours')),
  group_key text not null,
  names integer not null default 1 check (names > 0),
  opened_at timestamptz not null,
  last_at timestamptz not null,
  closed_at timestamptz,
  is_normal boolean not null default false,
  closed_by text check (length(closed_by) <= 200),
  id uuid not null default private.uuid_v7(),
  losses integer not null default 0 check (losses >= 0),
  primary key (org_id, id),
  foreign key (org_id, campaign_id) references public.campaigns (org_id, id) on delete cascade,
  check (closed_at is not null or (not is_normal and closed_by is null))
);
create unique index check_groups_open_key on private.check_groups (org_id, campaign_id, kind, group_key)
  where closed_at is null;
create index check_groups_key_idx on private.check_groups (org_id, campaign_id, kind, group_key);
create index check_groups_open_idx on private.check_groups (org_id, last_at desc, id desc) where closed_at is null;
create index check_groups_closed_idx on private.check_groups (org_id, closed_at desc, id desc) where closed_at is not null;
create index check_groups_last_idx on private.check_groups (last_at);
create index check_groups_network_idx on private.check_groups (last_at) where kind = 'network' and group_key not like 'over %';
comment on table private.check_groups is 'Prizes that have one reason to be checked. Kept for 13 months.';
comment on column private.check_groups.org_id is 'Organisation.';
comment on column private.check_groups.id is 'Identifier.';
comment on column private.check_groups.campaign_id is 'Campaign.';
comment on column private.check_groups.kind is
  'Reason: device (many names on one device), network (many new names at once from one network), disposable (addresses that '
  'last a few minutes) or quiet_hours (used when the store is closed).';
comment on column private.check_groups.group_key is
  'Common trait of the group: keyed hash of the device or, for an hour, of the network; domain; day at the store. Never shown '
  'but for a domain or a day.';
comment on column private.check_groups.names is 'How many people are concerned, as far as is known.';
comment on column private.check_groups.opened_at is 'When the first of them was won, or used.';
comment on column private.check_groups.last_at is 'When the latest was.';
comment on column private.check_groups.closed_at is 'When somebody dealt with it; null before.';
comment on column private.check_groups.is_normal is
  'Whether somebody said that all is well: then what they share, a network aside, is not marked again in this campaign.';
comment on column private.check_groups.closed_by is 'Member who dealt with it, by their name at the time.';
comment on column private.check_groups.losses is 'Losing spins that share the reason: those of the device, the network or the domain beside its prizes.';

create table private.check_codes (
  org_id uuid not null,
  group_id uuid not null,
  redemption_id uuid not null,
  primary key (org_id, group_id, redemption_id),
  foreign key (org_id, group_id) references private.check_groups (org_id, id) on delete cascade,
  foreign key (org_id, redemption_id) references public.redemptions (org_id, id) on delete cascade
);
create index check_codes_redemption_idx on private.check_codes (org_id, redemption_id);
comment on table private.check_codes is 'The reasons of a prize: the groups that it belongs to.';
comment on column private.check_codes.org_id is 'Organisation.';
comment on column private.check_codes.group_id is 'Group.';
comment on column private.check_codes.redemption_id is 'Code.';

create table private.code_verdicts (
  org_id uuid not null,
  redemption_id uuid not null,
  mail_id uuid,
  decided_at timestamptz not null default now(),
  is_notified boolean not null default false,
  primary key (org_id, redemption_id),
  foreign key (org_id, redemption_id) references public.redemptions (org_id, id) on delete cascade
);
comment on table private.code_verdicts is 'Codes that are held or cancelled: since when, and the mail that says so.';
comment on column private.code_verdicts.org_id is 'Organisation.';
comment on column private.code_verdicts.redemption_id is 'Code.';
comment on column private.code_verdicts.mail_id is
  'Mail to the winner, which waits ten minutes for an undo; null where none was written.';
comment on column private.code_verdicts.decided_at is
  'Since when it cannot be used, held and then cancelled alike; a prize given back is valid for as many days longer.';
comment on column private.code_verdicts.is_notified is 'Whether its winner was mailed that it was held, before it was cancelled.';

create function private.check_settings_of(p_org_id uuid, p_campaign_id uuid) returns private.check_settings
language plpgsql stable set search_path = ''
as $$
declare
  v_settings private.check_settings;
begin
  select * into v_settings from private.check_settings s where s.org_id = p_org_id and s.campaign_id = p_campaign_id;
  if not found then
    v_settings := (p_org_id, p_campaign_id, null, 6, 8, true, time '02:00', time '05:00', null, null);
  end if;
  return v_settings;
end;
$$;
comment on function private.check_settings_of(uuid, uuid) is 'Checks of a campaign: its own settings, or the usual ones.';

create function private.copy_checks(p_org_id uuid, p_source_id uuid, p_campaign_id uuid) returns void
language sql volatile set search_path = ''
as $$
  insert into private.check_settings (org_id, campaign_id, device_daily_limit, device_names, network_names, marks_disposable,
    quiet_from, quiet_to, presence)
  select s.org_id, p_campaign_id, s.device_daily_limit, s.device_names, s.network_names, s.marks_disposable,
    s.quiet_from, s.quiet_to, s.presence
  from private.check_settings s where s.org_id = p_org_id and s.campaign_id = p_source_id;
$$;
comment on function private.copy_checks(uuid, uuid, uuid) is
  'Gives a new campaign the checks of another one, with a secret of its own for the proof of presence.';

create function private.mark_series(
  p_org_id uuid, p_campaign_id uuid, p_kind text, p_key text, p_codes uuid[], p_instants timestamptz[], p_steps integer[],
  p_names integer[], p_losses integer[], p_new_losses integer[]
) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_group_id uuid;
  v_codes uuid[];
  v_first_step integer;
  v_first timestamptz;
  v_last timestamptz;
  v_names integer;
  v_new_losses integer;
begin
  if exists (
    select 1 from private.check_groups g
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key and g.is_normal
  ) then
    return;
  end if;
  -- A group that was dealt with keeps its prizes; what comes later is a group of its own. Each code is looked up by itself: a plan for
  -- all of them would read the whole group, which a busy network makes longer with every portion.
  with lacking as (
    select c.id, c.at, c.step
    from unnest(p_codes, p_instants, p_steps) c (id, at, step)
    left join lateral (
      select true as is_marked from private.check_codes m
      join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
      where m.org_id = p_org_id and m.redemption_id = c.id and g.kind = p_kind and g.group_key = p_key
      limit 1
    ) m on true
    where m.is_marked is null
  )
  select array_agg(l.id order by l.step, l.id), min(l.step), max(l.at), max(p_names[l.step]),
    min(l.at) filter (where l.step = (select min(f.step) from lacking f))
  into v_codes, v_first_step, v_last, v_names, v_first
  from lacking l;
  v_new_losses := (select sum(n) from unnest(p_new_losses) n);
  -- No new prize: losing spins are added to a group that is open, but open none.
  if v_first_step is null then
    update private.check_groups g set losses = g.losses + v_new_losses
    where g.org_id = p_org_id and g.campaign_id = p_campaign_id and g.kind = p_kind and g.group_key = p_key
      and g.closed_at is null and v_new_losses > 0;
    return;
  end if;
  insert into private.check_groups as g (org_id, campaign_id, kind, group_key, names, opened_at, last_at, losses)
  values (p_org_id, p_campaign_id, p_kind, p_key, greatest(v_names, 1), v_first, v_last,
    -- A new group begins with the step that opens it; one that was dealt with has counted the losing spins before.
    case when exists (
      select 1 from private.check_groups b
      where b.org_id = p_org_id and b.campaign_id = p_campaign_id and b.kind = p_kind and b.group_key = p_key
    ) then p_new_losses[v_first_step] else p_losses[v_first_step] end
    + (select coalesce(sum(n), 0) from unnest(p_new_losses[v_first_step + 1:]) n))
  on conflict (org_id, campaign_id, kind, group_key) where closed_at is null
  do update set last_at = greatest(g.last_at, excluded.last_at), names = greatest(g.names, excluded.names),
    losses = g.losses + v_new_losses
  returning g.id into v_group_id;
  insert into private.check_codes (org_id, group_id, redemption_id)
  select p_org_id, v_group_id, c from unnest(v_codes) c
  on conflict do nothing;
end;
$$;
comment on function private.mark_series(uuid, uuid, text, text, uuid[], timestamptz[], integer[], integer[], integer[], integer[]) is
  'Gives codes a reason: puts those that lack it into the open group of that reason, made when there is none, and writes that group '
  'once. The codes came in steps, numbered from 1: p_instants and p_steps are those of each code, p_names and p_losses (losing spins '
  'that a group opened by that step begins with) and p_new_losses (those that an open group has not counted) those of each step. '
  'Nothing for what somebody called normal.';

create function private.mark_codes(
  p_org_id uuid, p_campaign_id uuid, p_kind text, p_key text, p_names integer, p_codes uuid[],
  p_losses integer default 0, p_new_losses integer default 0
) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_codes uuid[];
  v_instants timestamptz[];
begin
  select array_agg(d.id), array_agg(d.at) into v_codes, v_instants
  from unnest(p_codes) c (id)
  cross join lateral (
    select r.id, coalesce(r.used_at, r.created_at) as at from public.redemptions r where r.org_id = p_org_id and r.id = c.id offset 0
  ) d;
  perform private.mark_series(p_org_id, p_campaign_id, p_kind, p_key, v_codes, v_instants,
    array_fill(1, array[coalesce(cardinality(v_codes), 0)]), array[p_names], array[p_losses], array[p_new_losses]);
end;
$$;
comment on function private.mark_codes(uuid, uuid, text, text, integer, uuid[], integer, integer) is
  'Gives codes a reason in one step (private.mark_series).';

create function private.judge_spins(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_origins private.spin_origins[];
  v_origin record;
  v_settings private.check_settings;
  v_losses integer;
  v_new_losses integer;
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
  select array_agg(o), count(*) into v_origins, v_count from claimed o;
  -- Codes before the customers, as whoever erases them: two orders would make deadlocks.
  perform 1 from public.redemptions d
  where (d.org_id, d.customer_id) in (select o.org_id, o.customer_id from unnest(v_origins) o)
  order by d.reward_id, d.id for key share;
  perform 1 from public.customers c
  where (c.org_id, c.id) in (select o.org_id, o.customer_id from unnest(v_origins) o)
  order by c.id for key share;
  -- Customers who were erased meanwhile leave nothing behind.
  select array_agg(o order by o.created_at, o.spin_id) into v_origins
  from unnest(v_origins) o join public.customers c on c.org_id = o.org_id and c.id = o.customer_id;
  if v_origins is null then
    return v_count;
  end if;

  insert into private.device_customers as k (org_id, campaign_id, device_key, customer_id, first_at, last_at)
  select o.org_id, o.campaign_id, o.device_key, o.customer_id, min(o.created_at), max(o.created_at)
  from unnest(v_origins) o group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (org_id, campaign_id, device_key, customer_id)
  do update set last_at = greatest(k.last_at, excluded.last_at);
  insert into private.network_turns (org_id, spin_id, campaign_id, customer_id, network_key, created_at)
  select o.org_id, o.spin_id, o.campaign_id, o.customer_id, o.network_key, o.created_at from unnest(v_origins) o;

  -- Many names on one device. A spin and its code bear one instant: the codes that were won on it are known by it.
  for v_origin in
    with devices as (
      select o.org_id, o.campaign_id, o.device_key, max(o.created_at) as last_at from unnest(v_origins) o group by 1, 2, 3
    ), settings as materialized (
      select c.org_id, c.campaign_id, (private.check_settings_of(c.org_id, c.campaign_id)).device_names
      from (select distinct n.org_id, n.campaign_id from devices n) c
    )
    select n.*, k.month >= 2 * s.device_names as is_month,
      case when k.month >= 2 * s.device_names then k.month else k.day end::integer as names
    from devices n
    join settings s on s.org_id = n.org_id and s.campaign_id = n.campaign_id
    cross join lateral (
      select count(*) filter (where k.last_at > n.last_at - interval '24 hours') as day, count(*) as month
      from private.device_customers k
      where k.org_id = n.org_id and k.campaign_id = n.campaign_id and k.device_key = n.device_key
        and k.last_at > n.last_at - interval '30 days'
    ) k
    where k.day >= s.device_names or k.month >= 2 * s.device_names
    order by n.org_id, n.campaign_id, n.device_key
  loop
    select count(*), count(*) filter (where s.id = any (array(select o.spin_id from unnest(v_origins) o)))
    into v_losses, v_new_losses
    from private.device_customers k
    join public.spins s on s.org_id = k.org_id and s.customer_id = k.customer_id and s.campaign_id = k.campaign_id
      and s.created_at between k.first_at and k.last_at and s.result_type = 'lose'
    where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
      and k.last_at > v_origin.last_at - case when v_origin.is_month then interval '30 days' else interval '24 hours' end;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'device', v_origin.device_key,
      v_origin.names, array(
      select d.id
      from private.device_customers k
      join public.redemptions d on d.org_id = k.org_id and d.customer_id = k.customer_id and d.spin_id is not null
        and d.campaign_id = k.campaign_id and d.created_at between k.first_at and k.last_at
      where k.org_id = v_origin.org_id and k.campaign_id = v_origin.campaign_id and k.device_key = v_origin.device_key
        and k.last_at > v_origin.last_at - case when v_origin.is_month then interval '30 days' else interval '24 hours' end
    ), v_losses, v_new_losses);
  end loop;

  -- Many new names at once from one network: each spin is seen with the ten minutes, and with the hour, before it. A network of which
  -- a prize has reached the till within the hour is the store's own: three times as many are usual there. Names on one device count
  -- once: they have a reason of their own. All networks are read at once, each spin as what it adds to the counts, and later takes from
  -- them. A query for each spin would read a busy network's hour as often as it has spins. Each one is looked up by itself: without
  -- statistics, as after a crash, a plan might read all codes for each of them. Suspicious spins are the steps of a series, and a code
  -- belongs to the first step whose window it is in: among those that see an hour that is the first since the code or none, and so it is
  -- among those that see ten minutes.
  for v_origin in
    with networks as (
      select o.org_id, o.campaign_id, o.network_key, min(o.created_at) - interval '1 hour' as since from unnest(v_origins) o group by 1, 2, 3
    ), turns as materialized (
      select t.org_id, t.campaign_id, t.network_key, t.created_at, t.spin_id, t.customer_id, s.lost, d.used_at, d.id as code_id,
        coalesce(d.used_at, d.created_at) as code_at
      from networks n
      cross join lateral (
        select * from private.network_turns t
        where t.org_id = n.org_id and t.campaign_id = n.campaign_id and t.network_key = n.network_key and t.created_at > n.since offset 0
      ) t
      cross join lateral (
        select from public.customers c
        where c.org_id = t.org_id and c.id = t.customer_id and c.created_at > t.created_at - interval '1 hour' offset 0
      ) c
      cross join lateral (
        select (s.result_type = 'lose')::integer as lost from public.spins s where s.org_id = t.org_id and s.id = t.spin_id offset 0
      ) s
      left join lateral (
        select d.id, d.used_at, d.created_at from public.redemptions d where d.org_id = t.org_id and d.spin_id = t.spin_id offset 0
      ) d on true
    ), on_devices as materialized (
      select t.*, k.device_key, lead(t.created_at) over (
        partition by t.org_id, t.campaign_id, t.network_key, k.device_key order by t.created_at, t.spin_id) as again_at
      from turns t
      join private.device_customers k on k.org_id = t.org_id and k.campaign_id = t.campaign_id and k.customer_id = t.customer_id
    ), changes as (
      select d.org_id, d.campaign_id, d.network_key, h.at, h.minutes, h.hour, h.used, 0 as minutes_lost, 0 as hour_lost,
        null::uuid as spin_id
      from on_devices d
      cross join lateral (values
        (d.created_at, 1, 1, 0),
        (least(d.again_at, d.created_at + interval '10 minutes'), -1, 0, 0),
        (least(d.again_at, d.created_at + interval '1 hour'), 0, -1, 0),
        (case when d.used_at < d.created_at + interval '1 hour' then greatest(d.used_at, d.created_at) end, 0, 0, 1),
        (case when d.used_at < d.created_at + interval '1 hour' then d.created_at + interval '1 hour' end, 0, 0, -1)
      ) h (at, minutes, hour, used)
      where h.at is not null
      union all
      select t.org_id, t.campaign_id, t.network_key, h.at, 0, 0, 0, h.minutes, h.hour, null
      from turns t
      cross join lateral (values
        (t.created_at, 1, 1), (t.created_at + interval '10 minutes', -1, 0), (t.created_at + interval '1 hour', 0, -1)
      ) h (at, minutes, hour)
      where t.lost = 1
      union all
      select o.org_id, o.campaign_id, o.network_key, o.created_at, 0, 0, 0, 0, 0, o.spin_id from unnest(v_origins) o
    ), counted as (
      select c.org_id, c.campaign_id, c.network_key, c.at, c.spin_id, sum(c.minutes) over before as in_minutes,
        sum(c.hour) over before as in_hour, sum(c.used) over before as used, sum(c.minutes_lost) over before as lost_in_minutes,
        sum(c.hour_lost) over before as lost_in_hour
      from changes c
      -- All that happens at one instant counts for it.
      window before as (partition by c.org_id, c.campaign_id, c.network_key order by c.at)
    ), suspect as (
      select c.org_id, c.campaign_id, c.network_key, c.at, w.is_slow,
        case when w.is_slow then c.in_hour else c.in_minutes end::integer as names,
        case when w.is_slow then c.lost_in_hour else c.lost_in_minutes end::integer as losses,
        coalesce(t.lost, 0) as lost,
        row_number() over (partition by c.org_id, c.campaign_id, c.network_key order by c.at, c.spin_id)::integer as step
      from counted c
      join (
        select n.org_id, n.campaign_id, (private.check_settings_of(n.org_id, n.campaign_id)).network_names
        from networks n group by n.org_id, n.campaign_id
      ) s on s.org_id = c.org_id and s.campaign_id = c.campaign_id
      cross join lateral (select s.network_names * case when c.used > 0 then 3 else 1 end as names) f
      cross join lateral (select c.in_hour * 2 >= f.names * 3 as is_slow) w
      left join turns t on t.org_id = c.org_id and t.spin_id = c.spin_id
      where c.spin_id is not null and c.in_hour >= 3 and (c.in_minutes >= f.names or w.is_slow)
    ), steps as (
      select u.org_id, u.campaign_id, u.network_key, array_agg(u.names order by u.step) as names,
        array_agg(u.losses order by u.step) as losses, array_agg(u.lost order by u.step) as lost
      from suspect u group by 1, 2, 3
    ), meeting as (
      select u.org_id, u.campaign_id, u.network_key, u.at, u.step, u.is_slow, null::uuid as code_id, null::timestamptz as code_at
      from suspect u
      union all
      select t.org_id, t.campaign_id, t.network_key, t.created_at, null, null, t.code_id, t.code_at
      from turns t where t.code_id is not null
    ), seen as (
      select m.org_id, m.campaign_id, m.network_key, m.at, m.code_id, m.code_at,
        min(m.at) filter (where m.is_slow) over since as slow_at, min(m.step) filter (where m.is_slow) over since as slow_step,
        min(m.at) filter (where not m.is_slow) over since as fast_at, min(m.step) filter (where not m.is_slow) over since as fast_step
      from meeting m
      window since as (partition by m.org_id, m.campaign_id, m.network_key order by m.at desc)
    ), marked as (
      select m.org_id, m.campaign_id, m.network_key, array_agg(m.code_id) as codes, array_agg(m.code_at) as instants,
        array_agg(m.step) as steps
      from (
        select e.*, least(case when e.slow_at - interval '1 hour' < e.at then e.slow_step end,
          case when e.fast_at - interval '10 minutes' < e.at then e.fast_step end) as step
        from seen e where e.code_id is not null
      ) m
      where m.step is not null
      group by 1, 2, 3
    )
    select p.*, m.codes, m.instants, m.steps
    from steps p
    left join marked m on m.org_id = p.org_id and m.campaign_id = p.campaign_id and m.network_key = p.network_key
    order by p.org_id, p.campaign_id, p.network_key
  loop
    perform private.mark_series(v_origin.org_id, v_origin.campaign_id, 'network', v_origin.network_key, v_origin.codes,
      v_origin.instants, v_origin.steps, v_origin.names, v_origin.losses, v_origin.lost);
  end loop;

  for v_origin in
    select o.org_id, o.campaign_id, m.domain, array_agg(d.id order by d.id) filter (where d.id is not null) as codes,
      count(distinct d.customer_id)::integer as names, count(*) filter (where s.result_type = 'lose')::integer as losses
    from unnest(v_origins) o
    join public.spins s on s.org_id = o.org_id and s.id = o.spin_id
    left join public.redemptions d on d.org_id = o.org_id and d.spin_id = o.spin_id
    cross join lateral (select lower(split_part(s.end_user_email, '@', -1)) as name) a
    join private.disposable_domains m on m.domain = a.name or a.name like '%.' || m.domain
    group by 1, 2, 3 order by 1, 2, 3
  loop
    v_settings := private.check_settings_of(v_origin.org_id, v_origin.campaign_id);
    continue when not v_settings.marks_disposable;
    perform private.mark_codes(v_origin.org_id, v_origin.campaign_id, 'disposable', v_origin.domain, v_origin.names, v_origin.codes,
      v_origin.losses, v_origin.losses);
  end loop;
  return v_count;
end;
$$;
comment on function private.judge_spins(integer) is
  'Job: reads where the latest spins came from and gives the prizes that were won so their reasons (private.check_groups), with the '
  'number of losing spins beside them. Answers how many it took, also of customers who were erased meanwhile.';
insert into private.jobs (name, run_every) values ('judge_spins', interval '1 minute');

create function private.sweep_checks(p_limit integer) returns integer
language plpgsql volatile set search_path = ''
as $$
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
  -- A burst is over after an hour, and its network is forgotten, however long this job did not run.
  update private.check_groups g set group_key = 'over ' || g.id
  where g.kind = 'network' and g.group_key not like 'over %' and g.last_at < now() - interval '1 hour';
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
$$;
comment on function private.sweep_checks(integer) is
  'Job: networks go after an hour; devices and groups after 13 months (specification, section 9).';
insert into private.jobs (name, run_every) values ('sweep_checks', interval '5 minutes');

create function private.is_unusual_time(p_org_id uuid, p_store_id uuid, p_at timestamp, p_timezone text) returns boolean
language sql stable set search_path = ''
as $$
  -- The distance of two times of day, the shorter way around the clock.
  select count(*) >= 100 and count(*) filter (where least(u.apart, 86400 - u.apart) <= 5400) * 100 <= count(*)
  from (
    select abs(extract(epoch from (r.used_at at time zone p_timezone)::time - p_at::time)) as apart
    from public.redemptions r
    where r.org_id = p_org_id and r.used_store_id = p_store_id
      -- Codes that were marked for their hour do not count as usual, unless the team said that they are.
      and not exists (
        select 1 from private.check_codes m
        join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
        where m.org_id = r.org_id and m.redemption_id = r.id and g.kind = 'quiet_hours' and not g.is_normal
      )
    order by r.used_at desc limit 300
  ) u;
$$;
comment on function private.is_unusual_time(uuid, uuid, timestamp, text) is
  'Whether a prize is used when the store is usually closed: of its latest 300 uses (100 at least) no more than one in a hundred was '
  'within 90 minutes of that time of day.';

create function private.mark_quiet_use(p_code public.redemptions, p_timezone text) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  v_settings constant private.check_settings := private.check_settings_of(p_code.org_id, p_code.campaign_id);
  v_at constant timestamp := p_code.used_at at time zone p_timezone;
begin
  if v_settings.quiet_from is null then
    return;
  end if;
  if (v_settings.quiet_from < v_settings.quiet_to
      and v_at::time >= v_settings.quiet_from and v_at::time < v_settings.quiet_to)
    -- Over midnight.
    or (v_settings.quiet_from > v_settings.quiet_to
      and (v_at::time >= v_settings.quiet_from or v_at::time < v_settings.quiet_to))
    or private.is_unusual_time(p_code.org_id, p_code.used_store_id, v_at, p_timezone)
  then
    perform private.mark_codes(p_code.org_id, p_code.campaign_id, 'quiet_hours', to_char(v_at, 'YYYY-MM-DD'), 1, array[p_code.id]);
  end if;
end;
$$;
comment on function private.mark_quiet_use(public.redemptions, text) is
  'Marks a code that is used while the store is closed: by local time, and by the hours at which the store usually uses '
  'codes.';

create function private.winner_address(p_code public.redemptions) returns text
language sql stable set search_path = ''
as $$
  select coalesce(t.end_user_email, c.email)
  from public.spins t
  left join public.customers c on c.org_id = t.org_id and c.id = t.customer_id
  where t.org_id = p_code.org_id and t.id = p_code.spin_id;
$$;
comment on function private.winner_address(public.redemptions) is 'Where a code''s winner gets mail; null without an address.';

create function private.verdict_key(p_address text) returns text
language sql stable set search_path = ''
return 'prize verdict to ' || encode(sha256(convert_to(private.normalize_email(p_address), 'UTF8')), 'hex');
comment on function private.verdict_key(text) is 'Name of the count of mails about decisions to an address.';

create function private.notify_winners(p_org_id uuid, p_codes uuid[], p_template text) returns uuid[]
language plpgsql volatile set search_path = ''
as $$
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
$$;
comment on function private.notify_winners(uuid, uuid[], text) is
  'Writes the mails that tell winners what becomes of their prizes: held and cancelled wait ten minutes for an undo, released shows '
  'the code at once. Answers their identifiers in the order of the codes, null without an address or after five such mails a day.';

create function private.drop_verdict_mails(p_org_id uuid, p_codes uuid[]) returns void
language sql volatile set search_path = ''
as $$
  with dropped as (
    update private.outbox o set state = 'failed', last_error = 'decision_undone', data = '{}', settled_at = now()
    from unnest(p_codes) c (id)
    join private.code_verdicts v on v.org_id = p_org_id and v.redemption_id = c.id
    where o.id = v.mail_id and o.state = 'queued' and o.attempts = 0
    returning o.id
  )
  update private.code_verdicts v
  set mail_id = null,
    is_notified = v.is_notified or (v.mail_id is not null and v.mail_id not in (select d.id from dropped d))
  from unnest(p_codes) c (id)
  where v.org_id = p_org_id and v.redemption_id = c.id;
$$;
comment on function private.drop_verdict_mails(uuid, uuid[]) is
  'Deletes the queued mails about decisions on codes, and notes whose winners were notified already.';

create function private.decide_codes(p_codes public.redemptions[], p_action text, p_user_id uuid) returns integer
language plpgsql volatile set search_path = ''
as $$
declare
  v_codes public.redemptions[];
  v_ids uuid[];
  v_org_id uuid;
begin
  v_codes := array(
    select d from unnest(p_codes) d
    where case p_action
      when 'hold' then d.verdict is null and private.code_state(d) = 'available'
      -- A code that expired without being held back is not cancelled: nothing would change for its winner or for the stock.
      when 'cancel' then d.status <> 'used' and d.verdict is distinct from 'cancelled'
        and (d.verdict is not null or private.code_state(d) <> 'expired')
      else d.verdict is not null end
    order by d.reward_id, d.id);
  if p_action <> 'hold' then
    -- After the codes, and in one order as well: a reward's stock changes once, however many codes it has here.
    perform 1 from public.rewards r
    where (r.org_id, r.id) in (select d.org_id, d.reward_id from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled')
    order by r.id for no key update;
  end if;
  if p_action = 'release' then
    -- Stock that was given back may have been won since: then the prize stays cancelled.
    v_codes := array(
      select o.code
      from (
        select d as code, d.verdict, d.org_id, d.reward_id, d.id,
          row_number() over (partition by d.reward_id, d.verdict order by d.id) as turn
        from unnest(v_codes) d
      ) o
      where o.verdict = 'held' or exists (
        select 1 from public.rewards r
        where r.org_id = o.org_id and r.id = o.reward_id and (r.stock < 0 or o.turn <= r.stock))
      order by o.reward_id, o.id);
  end if;
  if cardinality(v_codes) = 0 then
    return 0;
  end if;
  v_org_id := (v_codes[1]).org_id;
  v_ids := array(select d.id from unnest(v_codes) d order by d.reward_id, d.id);
  if p_action <> 'hold' then
    -- The campaigns of all rewards at once: each reward by itself would lock them in its own order.
    perform private.lock_sharing_campaigns(v_org_id, null, array(
      select distinct d.reward_id from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled'));
    update public.rewards r set stock = r.stock + n.given
    from (
      select d.org_id, d.reward_id, case p_action when 'cancel' then count(*) else -count(*) end::integer as given
      from unnest(v_codes) d where p_action = 'cancel' or d.verdict = 'cancelled' group by 1, 2
    ) n
    where r.org_id = n.org_id and r.id = n.reward_id and r.stock >= 0;
    perform private.drop_verdict_mails(v_org_id, v_ids);
  end if;
  if p_action = 'release' then
    -- Valid for as many days longer as it could not be used.
    update public.redemptions d set status = 'available', verdict = null, expires_at = e.expires_at
    from (
      select c.id, private.day_end((c.expires_at at time zone s.timezone)::date + (
        private.now_in(s.timezone)::date - (coalesce(v.decided_at, now()) at time zone s.timezone)::date), s.timezone) as expires_at
      from unnest(v_codes) c
      join public.stores s on s.org_id = c.org_id and s.id = c.store_id
      left join private.code_verdicts v on v.org_id = c.org_id and v.redemption_id = c.id
    ) e
    where d.org_id = v_org_id and d.id = e.id;
    perform private.notify_winners(v_org_id, array(
      select c.id from unnest(v_ids) with ordinality c (id, place)
      join private.code_verdicts v on v.org_id = v_org_id and v.redemption_id = c.id
      where v.is_notified order by c.place
    ), 'prize_released');
    delete from private.code_verdicts v using unnest(v_ids) c (id) where v.org_id = v_org_id and v.redemption_id = c.id;
  else
    update public.redemptions d
    set status = case p_action when 'cancel' then 'expired' else d.status end,
      verdict = case p_action when 'cancel' then 'cancelled' else 'held' end
    from unnest(v_ids) c (id) where d.org_id = v_org_id and d.id = c.id;
    insert into private.code_verdicts (org_id, redemption_id, mail_id)
    select v_org_id, c.id, c.mail_id
    from unnest(v_ids, private.notify_winners(v_org_id, v_ids, case p_action when 'cancel' then 'prize_cancelled' else 'prize_held' end))
      c (id, mail_id)
    -- Held before: since then it cannot be used.
    on conflict (org_id, redemption_id) do update set mail_id = excluded.mail_id;
  end if;
  insert into public.redemption_events (org_id, redemption_id, action, user_id)
  select v_org_id, c.id, case p_action when 'hold' then 'held' when 'cancel' then 'cancelled' else 'released' end, p_user_id
  from unnest(v_ids) with ordinality c (id, place) order by c.place;
  -- One message, however many they are: each open screen reads anew what it shows.
  perform realtime.send(jsonb_build_object('kind', 'code', 'campaign_id', (v_codes[1]).campaign_id),
    'change', 'organization:' || v_org_id || ':codes', true);
  return cardinality(v_codes);
end;
$$;
comment on function private.decide_codes(public.redemptions[], text, uuid) is
  'Holds back prizes that wait, cancels them (the stock gets them back), or releases them again: for codes of one organisation whose '
  'rows the caller has locked, and tells open screens. Answers how many changed: not those where there was nothing to do, or no stock left to give back from.';

create function public.decide_check(p_id uuid, p_action text, p_codes uuid[] default null) returns jsonb
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_user_id constant uuid := (select private.my_user_id());
  v_org_ids uuid[];
  v_group private.check_groups;
  v_codes public.redemptions[];
  v_changed integer := 0;
  v_left integer := 0;
begin
  if v_user_id is not null and not private.hold_account(v_user_id) then
    raise exception 'session_ended' using errcode = 'TV011';
  end if;
  if p_action = 'release' then
    -- Tills take what was won whatever the plan is: a prize that was held back wrongly can be given back as well.
    v_org_ids := array(
      select m.org_id from public.organization_members m
      where m.user_id = v_user_id and private.role_may(m.role, 'rewards.write'));
  else
    v_org_ids := array(select private.my_org_ids('rewards.write'));
  end if;
  select g.* into v_group from private.check_groups g
  where g.id = p_id and g.org_id = any (array(select unnest(v_org_ids) intersect select private.my_org_ids('codes.read')))
  for no key update of g;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  elsif p_action is null or p_action not in ('hold', 'cancel', 'release', 'clear', 'reopen') then
    raise exception 'action_unknown' using errcode = '22023';
  end if;

  if p_action <> 'reopen' then
    perform private.hold_counts(array(
      select private.verdict_key(private.winner_address(d)) from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
    ), interval '1 day');
    -- In one order, whoever else decides on another group of the same codes; a till that was faster has its prize.
    v_codes := array(
      select d from private.check_codes m
      join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
      where m.org_id = v_group.org_id and m.group_id = p_id and (p_codes is null or d.id = any (p_codes))
      order by d.reward_id, d.id for no key update of d);
    if p_action = 'clear' then
      v_codes := array(select d from unnest(v_codes) d where d.verdict = 'held' order by d.reward_id, d.id);
    end if;
    v_changed := private.decide_codes(v_codes, case p_action when 'clear' then 'release' else p_action end, v_user_id);
    v_left := (
      select count(*) from unnest(v_codes) d
      where case p_action when 'release' then d.verdict is not null else d.status = 'used' and p_action <> 'clear' end
    ) - case p_action when 'release' then v_changed else 0 end;
  end if;

  if p_action = 'clear' or (p_action = 'cancel' and p_codes is null) then
    update private.check_groups g
    set closed_at = coalesce(g.closed_at, now()), is_normal = p_action = 'clear',
      closed_by = left(private.user_name(v_user_id), 200)
    where g.org_id = v_group.org_id and g.id = p_id;
  elsif v_group.closed_at is not null and (p_action = 'reopen' or (p_action = 'release' and v_changed > 0)) then
    begin
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null
      where g.org_id = v_group.org_id and g.id = p_id;
    exception when unique_violation then
      -- Spins that came later have a group of their own, which the job may have made at this instant.
      update private.check_groups g
      set closed_at = null, is_normal = false, closed_by = null, group_key = split_part(g.group_key, ' ', 1) || ' ' || g.id
      where g.org_id = v_group.org_id and g.id = p_id;
    end;
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
$$;
comment on function public.decide_check(uuid, text, uuid[]) is
  'Decision on a group of prizes, or on some of its codes: hold, cancel (the group is dealt with), release (both taken back), '
  'clear (all is well: what was held is released, and the same is not marked again) or reopen. Answers how many codes '
  'changed, and how many could not (used meanwhile, no stock left). Repeated, it changes nothing. Winners are notified by '
  'mail ten minutes later. Errors: 42501 without the permissions rewards.write and codes.read there, 22023 another action; those of '
  'private.refuse_closed, except to release, which goes on as long as codes can be read (TV120).';
grant execute on function public.decide_check(uuid, text, uuid[]) to authenticated;

create function private.open_checks(p_org_id uuid) returns integer
language sql stable set search_path = ''
as $$
  select count(*)::integer from (
    select 1 from private.check_groups g where g.org_id = p_org_id and g.closed_at is null limit 100) o;
$$;
comment on function private.open_checks(uuid) is
  'Groups of prizes to check that nobody of an organisation has dealt with, counted up to 100.';

create function private.describe_checks(p_groups private.check_groups[], p_is_named boolean) returns jsonb
language sql stable set search_path = ''
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'kind', p.kind, 'names', p.names, 'losses', p.losses,
    'campaign', (select jsonb_build_object('id', c.id, 'name', c.name) from public.campaigns c
      where c.org_id = p.org_id and c.id = p.campaign_id),
    'label', case when p.kind in ('disposable', 'quiet_hours') then split_part(p.group_key, ' ', 1) end,
    'opened_at', p.opened_at, 'last_at', p.last_at,
    'closed_at', p.closed_at, 'closed_by', p.closed_by, 'is_normal', p.is_normal,
    'total', (select count(*) from private.check_codes m where m.org_id = p.org_id and m.group_id = p.id),
    'codes', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', d.id, 'code', d.code, 'reward', d.reward_name, 'reward_id', d.reward_id,
        'customer', case when p_is_named then private.name_or_email(d.end_user_name, d.end_user_email) end,
        'state', case when d.status = 'used' then 'used' else coalesce(d.verdict, private.code_state(d)) end,
        'created_at', d.created_at, 'used_at', d.used_at,
        'reasons', (
          select jsonb_agg(distinct g.kind order by g.kind) from private.check_codes m
          join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
          where m.org_id = d.org_id and m.redemption_id = d.id)) order by d.created_at desc, d.id desc)
      from (
        select m.redemption_id from private.check_codes m where m.org_id = p.org_id and m.group_id = p.id
        order by m.redemption_id desc limit 50
      ) m
      -- One by one, by their key: a plan kept for any group might read all codes.
      cross join lateral (select r.* from public.redemptions r where r.org_id = p.org_id and r.id = m.redemption_id offset 0) d
    ), '[]'::jsonb)) order by p.ordinality), '[]'::jsonb)
  from unnest(p_groups) with ordinality p;
$$;
comment on function private.describe_checks(private.check_groups[], boolean) is
  'Groups of prizes to check in their order, each with its newest 50 codes and all their reasons; names only where asked.';

create function public.check_groups(p_org_id uuid, p_is_closed boolean default false, p_after uuid default null) returns jsonb
language plpgsql stable security definer set search_path = '' set plan_cache_mode = 'force_generic_plan'
as $$
declare
  v_page_size constant integer := 10;
  v_held text[];
  v_last_at timestamptz;
  v_last_id uuid;
  v_groups private.check_groups[];
begin
  select r.held into v_held
  from private.my_reading_rights('{codes.read,customers.read}', 'codes.read') r
  where r.org_id = p_org_id and p_org_id is not null and r.held <> '{}';
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  select case when coalesce(p_is_closed, false) then g.closed_at else g.last_at end, g.id into v_last_at, v_last_id
  from private.check_groups g where g.org_id = p_org_id and g.id = p_after;
  if not found then
    v_last_at := 'infinity';
    v_last_id := 'ffffffff-ffff-ffff-ffff-ffffffffffff';
  end if;
  -- One more than is shown tells whether there is a next page. Each side of the list has its index.
  if coalesce(p_is_closed, false) then
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is not null and (g.closed_at, g.id) < (v_last_at, v_last_id)
      order by g.closed_at desc, g.id desc limit v_page_size + 1);
  else
    v_groups := array(
      select g from private.check_groups g
      where g.org_id = p_org_id and g.closed_at is null and (g.last_at, g.id) < (v_last_at, v_last_id)
      order by g.last_at desc, g.id desc limit v_page_size + 1);
  end if;
  return jsonb_build_object(
    'open', private.open_checks(p_org_id),
    'closed', exists (select 1 from private.check_groups g where g.org_id = p_org_id and g.closed_at is not null),
    'has_next', coalesce(array_length(v_groups, 1), 0) > v_page_size,
    'items', private.describe_checks(v_groups[1:v_page_size], 'customers.read' = any (v_held)));
end;
$$;
comment on function public.check_groups(uuid, boolean, uuid) is
  'A page of the groups of prizes to check, newest first, or of those that were dealt with: the one after a group; the shape is '
  'checkGroups of _shared/domain. Names are null without the permission customers.read. Error 42501 without the permission '
  'codes.read there.';
grant execute on function public.check_groups(uuid, boolean, uuid) to authenticated;

create function public.check_settings(p_campaign_id uuid) returns jsonb
language plpgsql stable security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.read'));
  v_org_id uuid;
begin
  select c.org_id into v_org_id from public.campaigns c where c.id = p_campaign_id and c.org_id = any (v_org_ids);
  if not found then
    return null;
  end if;
  return to_jsonb(private.check_settings_of(v_org_id, p_campaign_id)) - array['org_id', 'campaign_id', 'presence_key'];
end;
$$;
comment on function public.check_settings(uuid) is
  'Checks of a campaign: the shape is checkSettings of _shared/domain. Null when there is no such campaign for the signed-in '
  'user, who needs the permission campaigns.read.';
grant execute on function public.check_settings(uuid) to authenticated;

create function public.save_check_settings(
  p_campaign_id uuid, p_device_names integer, p_network_names integer, p_marks_disposable boolean,
  p_device_daily_limit integer default null, p_quiet_from time default null, p_quiet_to time default null,
  p_presence text default null
) returns void
language plpgsql volatile security definer set search_path = ''
as $$
declare
  v_org_ids constant uuid[] := array(select private.my_org_ids('campaigns.write'));
  v_campaign public.campaigns;
begin
  select * into v_campaign from public.campaigns c
  where c.id = p_campaign_id and c.org_id = any (v_org_ids)
  for no key update;
  if not found then
    raise exception 'forbidden' using errcode = '42501';
  end if;
  -- The rules of the game say how presence is shown, and two who save take turns.
  update public.campaigns c set rules_stale = true
  where c.org_id = v_campaign.org_id and c.id = p_campaign_id
    and (private.check_settings_of(c.org_id, c.id)).presence is distinct from p_presence;
  insert into private.check_settings as s (
    org_id, campaign_id, device_daily_limit, device_names, network_names, marks_disposable, quiet_from, quiet_to, presence
  ) values (
    v_campaign.org_id, p_campaign_id, p_device_daily_limit, p_device_names, p_network_names, p_marks_disposable,
    p_quiet_from, p_quiet_to, p_presence
  )
  on conflict (org_id, campaign_id) do update set
    device_daily_limit = excluded.device_daily_limit, device_names = excluded.device_names,
    network_names = excluded.network_names, marks_disposable = excluded.marks_disposable,
    quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, presence = excluded.presence;
  perform private.audit(v_campaign.org_id, 'check.updated', 'campaign', p_campaign_id,
    jsonb_build_object('name', v_campaign.name));
end;
$$;
comment on function public.save_check_settings(uuid, integer, integer, boolean, integer, time, time, text) is
  'Decides what a campaign marks, how many spins a device has a day (null: no limit) and how presence is shown (null: not at all). Errors: 42501 without the permission '
  'campaigns.write there, 23514 or 23502 values out of bounds.';
grant execute on function public.save_check_settings(uuid, integer, integer, boolean, integer, time, time, text) to authenticated;

-- Permissions -------------------------------------------------------------------------------------

alter table private.spin_origins enable row level security;

alter table private.device_customers enable row level security;

alter table private.network_turns enable row level security;

alter table private.disposable_domains enable row level security;

alter table private.check_settings enable row level security;

alter table private.check_groups enable row level security;

alter table private.check_codes enable row level security;

alter table private.code_verdicts enable row level security;
