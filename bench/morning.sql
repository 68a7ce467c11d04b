-- A franchise on the plan Pro: 500 stores with a campaign each, whose wheel has a gift of limited stock, a coupon and a losing segment.
-- Identifiers are made of a number, as in seed.sql.
create or replace function pg_temp.bench_id(p_kind integer, p_number integer) returns uuid
language sql immutable
return (lpad(p_kind::text, 8, '0') || '-0000-4000-8000-' || lpad(p_number::text, 12, '0'))::uuid;

insert into public.organizations (id, name, slug) values (pg_temp.bench_id(1, 500), 'Franchise', 'franchise');
insert into public.subscriptions (org_id, plan) values (pg_temp.bench_id(1, 500), 'pro');
insert into public.stores (id, org_id, name, slug, address, google_review_url)
select pg_temp.bench_id(2, 1000 + n), pg_temp.bench_id(1, 500), 'Magasin ' || n, 'magasin-' || n, n || ' rue du Banc',
  'https://g.page/r/avis'
from generate_series(0, 499) n;
insert into public.campaigns (id, org_id, store_id, name, slug)
select pg_temp.bench_id(3, 1000 + n), pg_temp.bench_id(1, 500), pg_temp.bench_id(2, 1000 + n), 'Matin ' || n, 'matin-' || n
from generate_series(0, 499) n;
insert into public.rewards (id, org_id, campaign_id, name, type, stock)
select pg_temp.bench_id(4, 10000 + n * 2 + r), pg_temp.bench_id(1, 500), pg_temp.bench_id(3, 1000 + n), 'Cadeau ' || r,
  case r when 0 then 'gift' else 'coupon' end, case r when 0 then 1000000 else -1 end
from generate_series(0, 499) n, generate_series(0, 1) r;
insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
select pg_temp.bench_id(1, 500), pg_temp.bench_id(3, 1000 + n), pg_temp.bench_id(4, 10000 + n * 2 + r), 'Cadeau ' || r,
  '#8B5CF6', 20, r
from generate_series(0, 499) n, generate_series(0, 1) r;
insert into public.wheel_segments (org_id, campaign_id, label, color, weight, position)
select pg_temp.bench_id(1, 500), pg_temp.bench_id(3, 1000 + n), 'Pas de chance', '#6B7280', 60, 2
from generate_series(0, 499) n;
-- Only what has rows: a plan for a table that was counted while it was empty reads all of it, until it is counted again.
analyze public.organizations, public.stores, public.campaigns, public.rewards, public.wheel_segments;
