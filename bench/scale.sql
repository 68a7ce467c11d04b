-- A platform at its design size: 1,000 organisations and 10 million events of a year, 40% of them and 200,000 customers in
-- one organisation, and one that is empty. Sizes are multiplied by the setting bench.size, the two owners are the settings bench.owner and
-- bench.newcomer. Rows are what the triggers would leave: those are off here, and each figure is counted from the events.
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

-- Organisation 0 is the large one, the last one is empty.
create temp table orgs as
select o as number, pg_temp.id(1, o) as id, case when o = 0 then 20 else 1 end as stores,
  case when o = 0 then 100 else 2 end as campaigns,
  case when o = 0 then pg_temp.size(200000, 1000) else pg_temp.size(300, 5) end as customers,
  case when o = 0 then pg_temp.size(4000000) else pg_temp.size(6000000) / pg_temp.size(998, 8) end as events
from generate_series(0, pg_temp.size(998, 8)) o;
insert into public.organizations (id, name, slug, created_at)
select id, 'Enseigne ' || number, 'enseigne-' || number, now() - interval '1 year' from orgs
union all select pg_temp.id(1, 999999), 'Jeune pousse', 'jeune-pousse', now();
insert into public.subscriptions (org_id, plan, status) select id, 'pro', 'active' from public.organizations
on conflict do nothing;
insert into public.organization_members (org_id, user_id, role) values
  (pg_temp.id(1, 0), current_setting('bench.owner')::uuid, 'owner'),
  (pg_temp.id(1, 999999), current_setting('bench.newcomer')::uuid, 'owner');
insert into public.stores (id, org_id, name, slug, address, created_at)
select pg_temp.id(2, number * 100 + s), id, 'Boutique ' || number || '-' || s, 'boutique-' || s, s || ' rue du Banc, Lyon',
  now() - interval '1 year' + s * interval '1 minute'
from orgs, generate_series(0, stores - 1) s;
insert into public.public_ratings (org_id, store_id, day, rating, reviews)
select id, pg_temp.id(2, number * 100 + s), current_date - 7 * w, 4.2 + 0.1 * (w % 5), 600 - 10 * w
from orgs, generate_series(0, stores - 1) s, generate_series(0, 51) w;
insert into public.campaigns (id, org_id, store_id, name, slug, created_at)
select pg_temp.id(3, number * 1000 + c), id, pg_temp.id(2, number * 100 + c % stores), 'Campagne ' || c,
  'campagne-' || number || '-' || c, now() - interval '1 year' + c * interval '1 minute'
from orgs, generate_series(0, campaigns - 1) c;
insert into public.rewards (id, org_id, campaign_id, name, type, reward_type, value, stock, created_at)
select pg_temp.id(4, number * 10000 + r), id, pg_temp.id(3, number * 1000 + r % campaigns), 'Cadeau ' || r, 'gift', 'gift', 3,
  case when r % 2 = 0 then 500 else -1 end, now() - interval '1 year' + r * interval '1 minute'
from orgs, generate_series(0, campaigns * 5 - 1) r;
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
select pg_temp.id(11, n), 'collegue' || n || '@exemple.fr', jsonb_build_object('full_name', 'Collègue ' || n), now(), now()
from generate_series(1, 30) n;
insert into public.organization_members (org_id, user_id, role)
select pg_temp.id(1, 0), pg_temp.id(11, n), case when n % 3 = 0 then 'admin' else 'member' end from generate_series(1, 30) n;
insert into public.audit_events (org_id, id, user_id, actor_name, action, subject_type, subject_id, detail, created_at)
select pg_temp.id(1, 0), pg_temp.id(12, n), pg_temp.id(11, 1 + n % 30), 'Collègue ' || 1 + n % 30,
  pg_temp.pick('{reward.updated,campaign.updated,campaign.activated,customer.updated,store.updated,member.invited}', n),
  'reward', pg_temp.id(4, n % 500), jsonb_build_object('name', 'Cadeau ' || n % 500),
  now() - interval '365 days' * (1 - n::double precision / pg_temp.size(100000))
from generate_series(1, pg_temp.size(100000)) n;
insert into private.api_keys (org_id, id, name, scope, prefix, key_hash, created_by)
select pg_temp.id(1, 0), pg_temp.id(13, n), 'Caisse ' || n, 'redeem', 'tv_live_banc' || n % 10, sha256(convert_to('banc ' || n, 'UTF8')),
  pg_temp.id(11, n)
from generate_series(1, 20) n;
insert into public.roles (role, org_id, name)
select pg_temp.id(14, n)::text, pg_temp.id(1, 0), 'Métier ' || n from generate_series(1, 15) n;
insert into public.role_permissions (role, org_id, permission)
select r.role, r.org_id, p.permission from public.roles r
join public.role_permissions p on p.role = 'member' where r.org_id = pg_temp.id(1, 0);

-- A seventh of the events of the large organisation are those of its campaign 7, whose first reward is won most.
create temp table events as
select e.*, o.id as org_id, o.number * 100000000::bigint + e.n as number,
  pg_temp.id(2, o.number * 100 + e.campaign % o.stores) as store_id,
  pg_temp.id(3, o.number * 1000 + e.campaign) as campaign_id,
  pg_temp.id(4, o.number * 10000 + e.campaign + o.campaigns * greatest(pg_temp.lot(e.n, 3, 8) - 3, 0)) as reward_id,
  o.number * 1000000 + (e.n * 7919) % o.customers as customer,
  case when e.lot < 50 then 's' when e.lot < 72 then 'r' when e.lot < 92 then 'p' else 'w' end as kind,
  1 + pg_temp.lot(e.n, 4, 5) as rating, pg_temp.lot(e.n, 5, 2) = 0 as is_used,
  now() - interval '365 days' * (1 - e.n::double precision / o.events) as at
from orgs o cross join lateral (
  select o.number as org, n, pg_temp.lot(n, 2, 100) as lot,
    case when pg_temp.lot(n, 1, 7) = 0 then 7 % o.campaigns else n % o.campaigns end as campaign
  from generate_series(1, o.events) n
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
from orgs o, generate_series(0, o.customers - 1) n,
  lateral (select pg_temp.pick('{Camille,Anaïs,Léa,Hugo,Inès,Jules,Chloé,Louis,Manon,Noé,Sarah,Théo,Zoé,Élodie,Bruno,Adrien}', n) as name) f,
  lateral (select pg_temp.pick('{Martin,Bernard,Dubois,Petit,Durand,Leroy,Moreau,Simon,Laurent,Lefèvre,Michel,Garcia,Roux,Le Goff,Fournier,Girard,Bonnet,Dupont,Lambert,Fontaine,Rousseau,Vincent,Muller}', n / 16) as name) l;
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

-- Prizes to check, three a group: 40 groups that wait and 200 that were dealt with. A twelfth of the customers have points.
insert into private.check_groups (org_id, id, campaign_id, kind, group_key, names, opened_at, last_at, closed_at, closed_by)
select pg_temp.id(1, 0), pg_temp.id(15, n), pg_temp.id(3, n % 100), pg_temp.pick('{device,network,disposable,quiet_hours}', n),
  'banc-' || n, 7, now() - n * interval '1 hour', now() - n * interval '1 hour',
  case when n > 40 then now() - n * interval '30 minutes' end, case when n > 40 then 'Banc' end
from generate_series(1, 240) n;
insert into private.check_codes (org_id, group_id, redemption_id)
select pg_temp.id(1, 0), pg_temp.id(15, 1 + r.place / 3), r.id
from (
  select d.id, row_number() over (order by d.created_at desc, d.id) - 1 as place from public.redemptions d
  where d.org_id = pg_temp.id(1, 0) order by d.created_at desc, d.id limit 720
) r;
insert into public.points_rewards (id, org_id, name, cost)
select pg_temp.id(16, n), pg_temp.id(1, 0), 'Cadeau à points ' || n, 50 * n from generate_series(1, 10) n;
insert into public.points_ledger (org_id, customer_id, kind, points, remaining, expires_at, created_at)
select c.org_id, c.id, 'earned', 60, 60, now() + interval '100 days', now() - interval '10 days'
from public.customers c where c.org_id = pg_temp.id(1, 0) and c.spin_count = 2 and c.review_count = 0;

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
