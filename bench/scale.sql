-- A platform at its design size: 1,000 organisations and 10 million events of a year, 40% of them and 200,000 customers in
-- one organisation, one that is empty, and one that has a page of everything. Sizes are multiplied by the setting bench.size, the owners are the
-- settings bench.owner, bench.newcomer and bench.page_owner. Rows are what the triggers would leave: those are off here, and each figure is counted from the events.
-- Secondary indexes are made after the rows, which takes a third of the time.
set session_replication_role = replica;
set maintenance_work_mem = '384MB';
set work_mem = '128MB';
set synchronous_commit = off;

create function pg_temp.id(p_kind integer, p_number bigint) returns uuid
language sql immutable
return (lpad((p_kind + 50)::text, 8, '0') || '-0000-4000-8000-' || lpad(p_number::text, 12, '0'))::uuid;
create function pg_temp.size(p_full bigint, p_least bigint default 1) returns bigint
language sql stable
return greatest((p_full * current_setting('bench.size')::numeric)::bigint, p_least);
create function pg_temp.pick(p_list text[], p_number bigint) returns text
language sql immutable
return p_list[1 + p_number % array_length(p_list, 1)];
-- A number below p_of that goes with its event or customer: remainders would tie campaigns to kinds of events, and consent to stars.
create function pg_temp.lot(p_number bigint, p_seed bigint, p_of integer) returns integer
language sql immutable
return abs(hashint8extended(p_number, p_seed) % p_of)::integer;

create function pg_temp.say(p_done text) returns void
language plpgsql
as $$
begin
  raise notice 'planting: % after % s', p_done, extract(epoch from clock_timestamp() - now())::integer;
end;
$$;

-- Emptied in the transaction that fills them, they need no second copy in PostgreSQL's log (wal_level minimal).
truncate public.customers, public.scan_events, public.pre_spin_reviews, public.spins, public.redemptions,
  public.redemption_events, public.campaign_daily_stats, public.audit_events cascade;

create temp table put_aside as
select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
where indrelid in ('public.customers'::regclass, 'public.scan_events'::regclass, 'public.pre_spin_reviews'::regclass,
    'public.spins'::regclass, 'public.redemptions'::regclass)
  and not exists (select from pg_constraint c where c.conindid = indexrelid);
do $$
begin
  execute (select string_agg('drop index ' || name, '; ') from put_aside);
end;
$$;

-- Organisation 0 is the large one, 999 has one page of each list whatever the size, the last one is empty.
create temp table orgs as
select o as number, pg_temp.id(1, o) as id, case when o = 0 then 20 else 1 end as stores,
  case when o = 0 then 100 else 2 end as campaigns, case when o = 0 then 500 else 10 end as rewards,
  case when o = 0 then pg_temp.size(200000, 1000) else pg_temp.size(300, 5) end as customers,
  case when o = 0 then pg_temp.size(4000000) else pg_temp.size(6000000) / pg_temp.size(998, 8) end as events,
  interval '365 days' as age, 0 as named_from
from generate_series(0, pg_temp.size(998, 8)) o
-- Sixty customers in two kinds, so that filters find a page as well; names that a search for those of the large organisation finds.
union all select 999, pg_temp.id(1, 999), 20, 20, 24, 60, 2400, interval '60 days', 1;
insert into public.organizations (id, name, slug, created_at)
select id, 'Enseigne ' || number, 'enseigne-' || number, now() - age from orgs
union all select pg_temp.id(1, 999999), 'Jeune pousse', 'jeune-pousse', now();
insert into public.subscriptions (org_id, plan, status) select id, 'pro', 'active' from public.organizations
on conflict do nothing;
insert into public.organization_members (org_id, user_id, role) values
  (pg_temp.id(1, 0), current_setting('bench.owner')::uuid, 'owner'),
  (pg_temp.id(1, 999), current_setting('bench.page_owner')::uuid, 'owner'),
  (pg_temp.id(1, 999999), current_setting('bench.newcomer')::uuid, 'owner');
insert into public.stores (id, org_id, name, slug, address, created_at)
select pg_temp.id(2, number * 100 + s), id, 'Boutique ' || number || '-' || s, 'boutique-' || s, s || ' rue du Banc, Lyon',
  now() - age + s * interval '1 minute'
from orgs, generate_series(0, stores - 1) s;
insert into public.public_ratings (org_id, store_id, day, rating, reviews)
select id, pg_temp.id(2, number * 100 + s), current_date - 7 * w, 4.2 + 0.1 * (w % 5), 600 - 10 * w
from orgs, generate_series(0, stores - 1) s, generate_series(0, 51) w;
insert into public.campaigns (id, org_id, store_id, name, slug, created_at)
select pg_temp.id(3, number * 1000 + c), id, pg_temp.id(2, number * 100 + c % stores), 'Campagne ' || named_from * 70 + c,
  'campagne-' || number || '-' || c, now() - age + c * interval '1 minute'
from orgs, generate_series(0, campaigns - 1) c;
insert into public.rewards (id, org_id, campaign_id, name, type, reward_type, value, stock, created_at)
select pg_temp.id(4, number * 10000 + r), id,
  -- Campaign 7 has five rewards in both.
  pg_temp.id(3, number * 1000 + case when number = 999 and r >= campaigns then 7 else r % campaigns end),
  'Cadeau ' || named_from * 400 + r, 'gift', 'gift', 3,
  case when r % 2 = 0 then 500 else -1 end, now() - age + r * interval '1 minute'
from orgs, generate_series(0, rewards - 1) r;
insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
select r.org_id, r.campaign_id, r.id, r.name, '#8B5CF6', 10, row_number() over (partition by r.campaign_id order by r.id) - 1
from public.rewards r join orgs o on o.id = r.org_id
union all
select o.id, pg_temp.id(3, o.number * 1000 + c), null, 'Pas de chance', '#6B7280', 50, 5
from orgs o, generate_series(0, campaigns - 1) c;

-- What the empty organisation made on its first day.
insert into public.stores (id, org_id, name, slug, address)
values (pg_temp.id(2, 999999999), pg_temp.id(1, 999999), 'Jeune pousse', 'jeune-pousse', '1 rue du Banc, Lyon');
insert into public.campaigns (id, org_id, store_id, name, slug)
values (pg_temp.id(3, 999999999), pg_temp.id(1, 999999), pg_temp.id(2, 999999999), 'Ouverture', 'ouverture-banc');
insert into public.rewards (id, org_id, campaign_id, name, type, reward_type, value)
values (pg_temp.id(4, 999999999), pg_temp.id(1, 999999), pg_temp.id(3, 999999999), 'Café', 'gift', 'gift', 3);
insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
values (pg_temp.id(1, 999999), pg_temp.id(3, 999999999), pg_temp.id(4, 999999999), 'Café', '#8B5CF6', 100, 0);
insert into public.customers (id, org_id, store_id, name, email)
values (pg_temp.id(5, 999999999), pg_temp.id(1, 999999), pg_temp.id(2, 999999999), 'Camille', 'camille@exemple.fr');

-- A team, and what it did.
insert into auth.users (id, email, raw_user_meta_data, email_confirmed_at, created_at)
select pg_temp.id(11, o * 1000 + n), 'collegue' || o * 1000 + n || '@exemple.fr', jsonb_build_object('full_name', 'Collègue ' || n), now(), now()
from generate_series(1, 30) n, (values (0), (999)) shop (o);
insert into public.organization_members (org_id, user_id, role)
select pg_temp.id(1, o), pg_temp.id(11, o * 1000 + n), case when n % 3 = 0 then 'admin' else 'member' end
from generate_series(1, 30) n, (values (0), (999)) shop (o);
insert into public.audit_events (org_id, id, user_id, actor_name, action, subject_type, subject_id, detail, created_at)
select pg_temp.id(1, 0), pg_temp.id(12, n), pg_temp.id(11, 1 + n % 30), 'Collègue ' || 1 + n % 30,
  pg_temp.pick('{reward.updated,campaign.updated,campaign.activated,customer.updated,store.updated,member.invited}', n),
  'reward', pg_temp.id(4, n % 500), jsonb_build_object('name', 'Cadeau ' || n % 500),
  now() - interval '365 days' * (1 - n::double precision / pg_temp.size(100000))
from generate_series(1, pg_temp.size(100000)) n;
insert into public.audit_events (org_id, id, user_id, actor_name, action, subject_type, subject_id, detail, created_at)
select pg_temp.id(1, 999), pg_temp.id(12, 999000000 + n), pg_temp.id(11, 999000 + who), 'Collègue ' || who,
  case when n % 2 = 0 then 'store.updated'
    else pg_temp.pick('{reward.updated,campaign.updated,campaign.activated,customer.updated,store.updated,member.invited}', n / 2) end,
  'reward', pg_temp.id(4, 9990000 + n % 24), jsonb_build_object('name', 'Cadeau ' || 400 + n % 24), now() - n * interval '1 day'
from generate_series(1, 60) n, lateral (select case when n % 2 = 0 then 7 else 1 + n % 30 end as who) w;
-- As many in both, since these lists have no pages.
insert into private.api_keys (org_id, id, name, scope, prefix, key_hash, created_by)
select pg_temp.id(1, o), pg_temp.id(13, o * 1000 + n), 'Caisse ' || n, 'redeem', 'tv_live_banc' || n % 10,
  sha256(convert_to('banc ' || o * 1000 + n, 'UTF8')), pg_temp.id(11, o * 1000 + n)
from generate_series(1, 20) n, (values (0), (999)) shop (o);
insert into public.roles (role, org_id, name)
select pg_temp.id(14, o * 1000 + n)::text, pg_temp.id(1, o), 'Métier ' || n from generate_series(1, 15) n, (values (0), (999)) shop (o);
insert into public.role_permissions (role, org_id, permission)
select r.role, r.org_id, p.permission from public.roles r
join public.role_permissions p on p.role = 'member' where r.org_id in (pg_temp.id(1, 0), pg_temp.id(1, 999));

-- A seventh of the events of the large organisation are those of its campaign 7, whose first reward is won most.
create temp table events as
select e.*, o.id as org_id, o.number * 100000000::bigint + e.n as number,
  pg_temp.id(2, o.number * 100 + e.campaign % o.stores) as store_id,
  pg_temp.id(3, o.number * 1000 + e.campaign) as campaign_id,
  pg_temp.id(4, o.number * 10000 + e.campaign
    + case when o.number = 999 then 0 else o.campaigns * greatest(pg_temp.lot(e.n, 3, 8) - 3, 0) end) as reward_id,
  o.number * 1000000 + (e.n * 7919) % o.customers as customer,
  case when e.lot < 50 then 's' when e.lot < 72 then 'r' when e.lot < 92 then 'p' else 'w' end as kind,
  1 + pg_temp.lot(e.n, 4, 5) as rating, pg_temp.lot(e.n, 5, 2) = 0 as is_used,
  now() - o.age * (1 - e.n::double precision / o.events) as at
from orgs o cross join lateral (
  select o.number as org, n, l.lot,
    case
      when o.number <> 999 then case when pg_temp.lot(n, 1, 7) = 0 then 7 % o.campaigns else n % o.campaigns end
      -- All codes are of one reward, and a third of the reviews of each of two campaigns.
      when l.lot >= 92 or pg_temp.lot(n, 1, 3) = 0 then 7
      when pg_temp.lot(n, 1, 3) = 1 then 3
      else n % o.campaigns
    end as campaign
  from generate_series(1, o.events) n cross join lateral (select pg_temp.lot(n, 2, 100) as lot) l
) e;
select pg_temp.say('events');

insert into public.customers (id, org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, consent_at,
  last_activity_at, created_at, review_count, rating_sum, spin_count)
select pg_temp.id(5, o.number * 1000000 + n), o.id, pg_temp.id(2, o.number * 100 + n % o.stores), f.name, l.name,
  f.name || ' ' || l.name, private.slugify(f.name || '.' || l.name) || n || '@exemple.fr',
  case when n % 3 = 0 then '06' || lpad((n * 7919 % 100000000)::text, 8, '0') end,
  pg_temp.lot(n, 6, 5) < 2, case when pg_temp.lot(n, 6, 5) < 2 then now() - interval '30 days' end,
  now() - interval '365 days' * (n * 31 % 1000) / 1000.0, now() - interval '365 days' * n / o.customers,
  n % 4, (n % 4) * (1 + pg_temp.lot(n, 7, 5)), n % 3
from (select * from orgs where number <> 999) o, generate_series(0, o.customers - 1) n,
  lateral (select pg_temp.pick('{Camille,Anaïs,Léa,Hugo,Inès,Jules,Chloé,Louis,Manon,Noé,Sarah,Théo,Zoé,Élodie,Bruno,Adrien}', n) as name) f,
  lateral (select pg_temp.pick('{Martin,Bernard,Dubois,Petit,Durand,Leroy,Moreau,Simon,Laurent,Lefèvre,Michel,Garcia,Roux,Le Goff,Fournier,Girard,Bonnet,Dupont,Lambert,Fontaine,Rousseau,Vincent,Muller}', n / 16) as name) l;
-- Half of them pass every filter that is measured, half of them hardly any.
insert into public.customers (id, org_id, store_id, first_name, last_name, name, email, phone, consent_marketing, consent_at,
  last_activity_at, created_at, review_count, rating_sum, spin_count)
select pg_temp.id(5, 999000000 + n), pg_temp.id(1, 999), pg_temp.id(2, 99900 + case when f.passes then 3 else n % 20 end), f.name, f.last,
  f.name || ' ' || f.last, private.slugify(f.name || '.' || f.last) || 7700 + n || '@exemple.fr',
  case when f.passes then '0612' || lpad(n::text, 6, '0') end, f.passes, case when f.passes then now() - interval '30 days' end,
  now() - case when f.passes then n * interval '1 hour' else interval '100 days' end, now() - n * interval '1 day',
  case when f.passes then 3 else 0 end, case when f.passes then 15 else 0 end, 2
from generate_series(0, 59) n, lateral (
  select n % 2 = 0 as passes, case when n % 2 = 0 then 'Martin' else 'Bernard' end as last,
    pg_temp.pick('{Camille,Anaïs,Léa,Hugo,Inès,Jules,Chloé,Louis,Manon,Noé,Sarah,Théo,Zoé,Élodie,Bruno,Adrien}', n) as name
) f;
select pg_temp.say('customers');
insert into public.scan_events (id, org_id, campaign_id, store_id, created_at)
select pg_temp.id(6, number), org_id, campaign_id, store_id, at from events where kind = 's';
select pg_temp.say('scans');
insert into public.pre_spin_reviews (id, org_id, campaign_id, store_id, customer_id, visit_id, customer_name, rating, review_text, created_at, submitted_at)
select pg_temp.id(7, number), org_id, campaign_id, store_id, pg_temp.id(5, customer), pg_temp.id(7, number), 'Camille Martin', rating,
  case when rating < 3 then 'Une attente un peu longue au comptoir.' end, at, at
from events where kind = 'r';
select pg_temp.say('reviews');
insert into public.spins (id, org_id, campaign_id, store_id, customer_id, play_id, segment_id, reward_id, end_user_name, result_type,
  nonce, rules_version, result, created_at)
select pg_temp.id(8, number), org_id, campaign_id, store_id, pg_temp.id(5, customer), pg_temp.id(8, number), pg_temp.id(9, 0),
  case when kind = 'w' then reward_id end, 'Camille Martin', case when kind = 'w' then 'reward' else 'lose' end,
  pg_temp.id(8, number), 1, '{}', at
from events where kind in ('p', 'w');
select pg_temp.say('spins');
insert into public.redemptions (id, org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, status, reward_name,
  end_user_email, end_user_name, expires_at, used_at, used_store_id, created_at)
select pg_temp.id(10, e.number), e.org_id, e.campaign_id, e.store_id, e.reward_id, pg_temp.id(8, e.number), c.id,
  -- An odd factor: no two numbers of an organisation make the same code.
  'WIN' || upper(lpad(to_hex(e.number % 4294967296 * 1640531527 % 4294967296), 8, '0')),
  s.status, 'Cadeau', c.email, c.name, e.at + interval '30 days',
  case when s.status = 'used' then e.at + interval '5 minutes' end, case when s.status = 'used' then e.store_id end, e.at
from events e
join public.customers c on c.org_id = e.org_id and c.id = pg_temp.id(5, e.customer),
  lateral (select case when e.is_used then 'used' when e.at < now() - interval '30 days' then 'expired' else 'available' end as status) s
where e.kind = 'w';
select pg_temp.say('codes');

insert into public.redemption_events (org_id, redemption_id, action, store_id, created_at)
select r.org_id, r.id, 'used', r.used_store_id, r.used_at from public.redemptions r where r.status = 'used';

-- Prizes to check, three a group: 40 groups that wait and 200 that were dealt with, or a page of ten and one more of each. Half of the page's
-- customers have points, and a twelfth of the large organisation's.
create temp table checked as
select o as org, n, n <= waiting as waits, o * 1000 + n as number, pg_temp.id(1, o) as org_id
from (values (0, 40, 240), (999, 11, 22)) shop (o, waiting, groups), generate_series(1, groups) n;
insert into private.check_groups (org_id, id, campaign_id, kind, group_key, names, opened_at, last_at, closed_at, closed_by)
select org_id, pg_temp.id(15, number), pg_temp.id(3, org * 1000 + n % case when org = 0 then 100 else 20 end),
  pg_temp.pick('{device,network,disposable,quiet_hours}', n), 'banc-' || n, 7, now() - n * interval '1 hour', now() - n * interval '1 hour',
  case when not waits then now() - n * interval '30 minutes' end, case when not waits then 'Banc' end
from checked;
insert into private.check_codes (org_id, group_id, redemption_id)
select c.org_id, pg_temp.id(15, c.number), r.id
from checked c join (
  select d.org_id, d.id, row_number() over (partition by d.org_id order by d.created_at desc, d.id) - 1 as place
  from public.redemptions d where d.org_id in (pg_temp.id(1, 0), pg_temp.id(1, 999))
) r on r.org_id = c.org_id and 1 + r.place / 3 = c.n;
insert into public.points_rewards (id, org_id, name, cost)
select pg_temp.id(16, o * 1000 + n), pg_temp.id(1, o), 'Cadeau à points ' || n, 50 * n
from generate_series(1, 10) n, (values (0), (999)) shop (o);
insert into public.points_ledger (org_id, customer_id, kind, points, remaining, expires_at, created_at)
select c.org_id, c.id, 'earned', 60, 60, now() + interval '100 days', now() - interval '10 days'
from public.customers c where c.org_id in (pg_temp.id(1, 0), pg_temp.id(1, 999)) and c.spin_count = 2 and c.review_count = 0;

-- Figures, counted. Days before the store's today are folded; today has eight shards.
create temp table figures as
select org_id, campaign_id, (at at time zone 'Europe/Paris')::date as day,
  case when (at at time zone 'Europe/Paris')::date < (now() at time zone 'Europe/Paris')::date then 16 else number % 8 end as shard,
  store_id, count(*) filter (where kind = 's') as scans, count(*) filter (where kind = 'r') as reviews,
  coalesce(sum(rating) filter (where kind = 'r'), 0) as rating_sum,
  count(*) filter (where kind = 'r' and rating = 1) as one, count(*) filter (where kind = 'r' and rating = 2) as two,
  count(*) filter (where kind = 'r' and rating = 3) as three, count(*) filter (where kind = 'r' and rating = 4) as four,
  count(*) filter (where kind = 'r' and rating = 5) as five, count(*) filter (where kind in ('p', 'w')) as spins,
  count(*) filter (where kind = 'w') as wins, count(*) filter (where kind = 'w' and is_used) as redemptions
from events group by 1, 2, 3, 4, 5;
insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews,
  two_star_reviews, three_star_reviews, four_star_reviews, five_star_reviews, spins, wins, redemptions)
select * from figures;
insert into private.folded_campaigns
select org_id, campaign_id, store_id, sum(scans), sum(reviews), sum(rating_sum), sum(one), sum(two), sum(three), sum(four), sum(five),
  0, sum(spins), sum(wins), sum(redemptions)
from figures where shard = 16 group by 1, 2, 3;
insert into private.folded_days
select org_id, day, sum(scans), sum(reviews), sum(rating_sum), sum(one), sum(two), sum(three), sum(four), sum(five),
  0, sum(spins), sum(wins), sum(redemptions)
from figures where shard = 16 group by 1, 2;
insert into public.campaign_reward_totals (org_id, campaign_id, reward_id, shard, redemptions)
select org_id, campaign_id, reward_id, number % 8, count(*) from events where kind = 'w' and is_used group by 1, 2, 3, 4;
insert into public.reward_daily_stats (org_id, reward_id, day, wins, redemptions)
select org_id, reward_id, (at at time zone 'Europe/Paris')::date, count(*), count(*) filter (where is_used)
from events where kind = 'w' group by 1, 2, 3;
insert into private.folded_store_days
select org_id, store_id, day, sum(scans), sum(reviews), sum(spins), sum(redemptions) from figures where shard = 16 group by 1, 2, 3;
insert into private.folded_store_months
select org_id, store_id, date_trunc('month', day)::date, sum(reviews), sum(redemptions) from figures where shard = 16 group by 1, 2, 3;
insert into private.folded_reward_months
select org_id, reward_id, date_trunc('month', day)::date, sum(redemptions) from public.reward_daily_stats where redemptions <> 0
group by 1, 2, 3 order by 1, 3, 2;
insert into private.folded_costs
select d.org_id, d.day, sum(d.redemptions * r.value), 0
from public.reward_daily_stats d join public.rewards r on r.org_id = d.org_id and r.id = d.reward_id
where d.redemptions <> 0 group by 1, 2;
insert into public.reward_totals (org_id, reward_id, wins, codes, redemptions, expirations, best_day)
select s.org_id, s.reward_id, count(*), count(r.id), count(*) filter (where r.status = 'used'), count(*) filter (where r.status = 'expired'),
  (select max(d.wins) from public.reward_daily_stats d where d.org_id = s.org_id and d.reward_id = s.reward_id)
from public.redemptions r join public.spins s on s.org_id = r.org_id and s.id = r.spin_id group by 1, 2;
insert into public.customer_totals (org_id, customers, consents, participants)
select org_id, count(*), count(*) filter (where consent_marketing), count(*) filter (where spin_count > 0)
from public.customers group by 1;
select pg_temp.say('figures');

-- The last minute is not folded yet.
insert into private.recent_figures (org_id, reward_id, day, wins, codes)
select pg_temp.id(1, 0), pg_temp.id(4, n), current_date, 1, 1 from generate_series(1, 200) n;
insert into private.recent_figures (org_id, customers, participants)
select pg_temp.id(1, 0), 0, 0 from generate_series(1, 200) n;

do $$
declare
  v_definition text;
begin
  for v_definition in select definition from put_aside loop
    execute v_definition;
  end loop;
end;
$$;
select pg_temp.say('indexes');
reset session_replication_role;
