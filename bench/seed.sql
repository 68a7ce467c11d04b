-- A merchant on the plan Pro with 100 campaigns, each with four rewards of limited stock and a losing
-- segment. Identifiers are made of a number, so that every load generator can name a campaign.
create or replace function pg_temp.bench_id(p_kind integer, p_number integer) returns uuid
language sql immutable
return (lpad(p_kind::text, 8, '0') || '-0000-4000-8000-' || lpad(p_number::text, 12, '0'))::uuid;

insert into public.organizations (id, name, slug) values (pg_temp.bench_id(1, 0), 'Banc d''essai', 'banc-d-essai');
insert into public.subscriptions (org_id, plan) values (pg_temp.bench_id(1, 0), 'pro');
insert into public.stores (id, org_id, name, slug, address, google_review_url)
values (pg_temp.bench_id(2, 0), pg_temp.bench_id(1, 0), 'Café du banc', 'cafe', '1 rue du Banc', 'https://g.page/r/avis');
insert into public.campaigns (id, org_id, store_id, name, slug)
select pg_temp.bench_id(3, n), pg_temp.bench_id(1, 0), pg_temp.bench_id(2, 0), 'Campagne ' || n, 'banc-' || n
from generate_series(0, 99) n;
insert into public.rewards (id, org_id, campaign_id, name, type, stock)
select pg_temp.bench_id(4, n * 10 + r), pg_temp.bench_id(1, 0), pg_temp.bench_id(3, n), 'Cadeau ' || r, 'gift', 1000000
from generate_series(0, 99) n, generate_series(0, 3) r;
insert into public.wheel_segments (org_id, campaign_id, reward_id, label, color, weight, position)
select pg_temp.bench_id(1, 0), pg_temp.bench_id(3, n), pg_temp.bench_id(4, n * 10 + r), 'Cadeau ' || r, '#8B5CF6', 10, r
from generate_series(0, 99) n, generate_series(0, 3) r;
insert into public.wheel_segments (org_id, campaign_id, label, color, weight, position)
select pg_temp.bench_id(1, 0), pg_temp.bench_id(3, n), 'Pas de chance', '#6B7280', 60, 4
from generate_series(0, 99) n;
-- Only what has rows: a plan for a table that was counted while it was empty reads all of it, until it is counted again.
analyze public.organizations, public.stores, public.campaigns, public.rewards, public.wheel_segments;
