-- Three months in the life of the demo shop, so that every screen shows something at the first start. Always the same
-- events, told back from the day of that start: the dice are hashes of what they decide. Rows go in set by set; what
-- triggers count of them is left to the triggers, the figures of the days are counted here, and a test rebuilds all of it.

create function pg_temp.dice(p_what text, p_number bigint) returns double precision
language sql immutable
return (hashtextextended(p_what || ' ' || p_number, 20261121) & 1048575) / 1048576.0;
create function pg_temp.demo_id(p_what text, p_number bigint) returns uuid
language sql immutable
-- With the digits that say which sort of UUID it is: readers of our answers refuse one that is none (RFC 9562).
return overlay(overlay(md5('tournavis demo ' || p_what || ' ' || p_number) placing '8' from 13) placing '8' from 17)::uuid;
create function pg_temp.pick(p_list text[], p_dice double precision) returns text
language sql immutable
return p_list[1 + floor(p_dice * array_length(p_list, 1))::integer];

create temp table demo_shop on commit drop as
select c.org_id, c.id as campaign_id, c.store_id, s.timezone, c.rules_version, m.user_id as owner_id
from public.campaigns c
join public.stores s on s.org_id = c.org_id and s.id = c.store_id
join public.organization_members m on m.org_id = c.org_id
where c.slug = 'demo' and m.user_id = current_setting('demo.owner')::uuid;

-- The shop is as old as its first visit.
update public.organizations o set created_at = now() - interval '93 days' from demo_shop d where o.id = d.org_id;
update public.stores s set created_at = now() - interval '93 days' from demo_shop d where s.org_id = d.org_id;
update public.campaigns c set created_at = now() - interval '92 days' from demo_shop d where c.org_id = d.org_id;
update public.rewards r set created_at = now() - interval '92 days' + interval '1 minute' * (
  select count(*) from public.rewards o where o.org_id = r.org_id and (o.created_at, o.id) < (r.created_at, r.id))
from demo_shop d where r.org_id = d.org_id;

-- Scans: quiet on Mondays, full on Saturdays, a little more from week to week, between 8 and 19 o'clock.
create temp table demo_scans on commit drop as
select row_number() over (order by v.at) as number, v.at
from (
  select (day.date + interval '8 hours'
    + interval '11 hours' * (pg_temp.dice('hour', n) + pg_temp.dice('hour of', n)) / 2) at time zone shop.timezone as at
  from demo_shop shop,
    generate_series(0, 91) ago,
    lateral (select (now() at time zone shop.timezone)::date - ago as date) day,
    lateral (select round(26 * (array[0.6, 0.8, 1, 1, 1.2, 1.6, 1.1])[extract(isodow from day.date)::integer]
      * (1.15 - ago * 0.005) * (0.8 + 0.4 * pg_temp.dice('day', ago)))::integer as scans) busy,
    lateral generate_series(ago * 1000, ago * 1000 + busy.scans - 1) n
) v
where v.at < now() - interval '4 minutes';

-- Visits: about half of the scans lead to a rating, a few straight to the wheel; one in four is somebody who comes back.
create temp table demo_visits on commit drop as
with taking_part as (
  select row_number() over (order by s.number) as number, s.number as scan, s.at,
    pg_temp.dice('rates', s.number) < 0.5 as rates
  from demo_scans s where pg_temp.dice('rates', s.number) < 0.54
)
select t.number, t.at + interval '1 minute' as at, t.rates,
  case when t.number > 20 and pg_temp.dice('returns', t.number) < 0.27
    then 1 + floor(pg_temp.dice('who', t.number) * t.number * 0.8)::bigint else t.number end as customer,
  case when not t.rates then null
    when pg_temp.dice('stars', t.number) < 0.58 then 5 when pg_temp.dice('stars', t.number) < 0.82 then 4
    when pg_temp.dice('stars', t.number) < 0.91 then 3 when pg_temp.dice('stars', t.number) < 0.96 then 2 else 1 end as rating,
  not t.rates or pg_temp.dice('plays', t.number) < 0.93 as plays
from taking_part t;

-- The numbers that start with 06 39 98 are kept for films and examples, and so is the domain example.org.
create temp table demo_people on commit drop as
select v.customer, pg_temp.demo_id('customer', v.customer) as id, f.name as first_name, l.name as last_name,
  private.slugify(f.name || '.' || l.name) || v.customer || '@example.org' as email,
  case when pg_temp.dice('phone', v.customer) < 0.35 then '06 39 98 ' || to_char(v.customer / 100, 'FM00') || ' '
    || to_char(v.customer % 100, 'FM00') end as phone,
  pg_temp.dice('consent', v.customer) < 0.46 as consents,
  min(v.at) as first_at, max(v.at) as last_at, count(*) filter (where v.plays) as spins
from demo_visits v,
  lateral (select pg_temp.pick('{Camille,Anaïs,Léa,Hugo,Inès,Jules,Chloé,Louis,Manon,Noé,Sarah,Théo,Zoé,Élodie,Bruno,Adrien,Yasmine,Karim,Sophie,Nicolas,Aurélie,Baptiste,Fatou,Maëlle,Thierry,Odile,Rachid,Clémence,Étienne,Valérie}',
    pg_temp.dice('first', v.customer)) as name) f,
  lateral (select pg_temp.pick('{Martin,Bernard,Dubois,Petit,Durand,Leroy,Moreau,Simon,Laurent,Lefèvre,Michel,Garcia,Roux,Le Goff,Fournier,Girard,Bonnet,Dupont,Lambert,Fontaine,Rousseau,Vincent,Muller,Benali,Diallo,Nguyen,Da Silva,Mercier,Blanc,Guérin}',
    pg_temp.dice('last', v.customer)) as name) l
group by v.customer, f.name, l.name;
analyze demo_scans, demo_visits, demo_people;

insert into public.customers (id, org_id, store_id, first_name, last_name, name, email, phone, consent_marketing,
  last_activity_at, created_at, spin_count)
select p.id, d.org_id, d.store_id, p.first_name, p.last_name, p.first_name || ' ' || p.last_name, p.email, p.phone, p.consents,
  p.last_at, p.first_at, p.spins
from demo_people p, demo_shop d;
update public.customers c set consent_at = c.created_at from demo_shop d where c.org_id = d.org_id and c.consent_marketing;

insert into public.scan_events (id, org_id, campaign_id, store_id, source, created_at)
select pg_temp.demo_id('scan', s.number), d.org_id, d.campaign_id, d.store_id, 'qr', s.at from demo_scans s, demo_shop d;

insert into public.pre_spin_reviews (id, org_id, campaign_id, store_id, customer_id, visit_id, customer_name, customer_email,
  customer_phone, rating, review_text, consent_marketing, public_click_at, submitted_at, feedback_at, created_at)
select pg_temp.demo_id('review', v.number), d.org_id, d.campaign_id, d.store_id, p.id, pg_temp.demo_id('visit', v.number),
  p.first_name || ' ' || p.last_name, p.email, p.phone, v.rating, w.text, p.consents,
  case when v.rating >= 4 and pg_temp.dice('click', v.number) < 0.38 then v.at + interval '20 seconds' end,
  v.at, case when w.text is not null then v.at + interval '50 seconds' end, v.at
from demo_visits v
join demo_people p on p.customer = v.customer
cross join demo_shop d
cross join lateral (
  select case when pg_temp.dice('writes', v.number) < 0.65 then case
    when v.rating = 3 then pg_temp.pick(array[
      'Bon café, mais la musique était un peu forte pour discuter.',
      'Accueil agréable, la tarte du jour était déjà finie à midi.',
      'Correct dans l''ensemble, un peu cher pour un simple sandwich.',
      'Terrasse sympathique, mais il faut patienter pour commander.',
      'La salle est jolie, les tables sont vraiment serrées.',
      'Service souriant, le chocolat chaud était tiède.'], pg_temp.dice('text', v.number))
    when v.rating = 2 then pg_temp.pick(array[
      'Vingt minutes d''attente pour deux expressos, et aucune excuse.',
      'Notre commande a été oubliée, il a fallu la redemander deux fois.',
      'La table était encore sale quand on nous a installés.',
      'Le brunch ne correspondait pas à la carte, assez décevant.'], pg_temp.dice('text', v.number))
    when v.rating = 1 then pg_temp.pick(array[
      'Personne ne nous a accueillis, nous sommes repartis sans consommer.',
      'Addition fausse et personne pour écouter, je ne reviendrai pas.',
      'Café froid, service expéditif : très déçue de cette visite.',
      'Une heure avant d''être servis, et les plats étaient froids.'], pg_temp.dice('text', v.number))
  end end as text
) w
where v.rates;

-- The wheel: the segments' odds, but the brunch and the tart were often out of stock.
create temp table demo_spins on commit drop as
select v.number, v.at + interval '90 seconds' as at, v.customer, v.rates, pg_temp.demo_id('spin', v.number) as id,
  s.id as segment_id, s.label, s.color, r.id as reward_id, r.name as reward_name, r.type,
  (r.metadata ->> 'points')::integer as points,
  case when r.type in ('coupon', 'gift') then replace(r.code_template, '{random}',
    translate(left(md5('tournavis demo code ' || v.number), 8), '0123456789abcdef', 'ABCDEFGHJKLMNPQR')) end as code,
  case when r.type in ('coupon', 'gift')
    then private.day_end(((v.at + interval '90 seconds') at time zone d.timezone)::date
      + coalesce((r.metadata ->> 'validityDays')::integer, 30), d.timezone) end as expires_at
from demo_visits v
cross join demo_shop d
cross join lateral (select pg_temp.dice('wheel', v.number) as point) p
join public.wheel_segments s on s.org_id = d.org_id and s.campaign_id = d.campaign_id and s.position = case
  when p.point < 0.24 then 0 when p.point < 0.44 then 2 when p.point < 0.58 then 3 when p.point < 0.63 then 4
  when p.point < 0.634 then 6 when p.point < 0.83 then 1 else 5 end
left join public.rewards r on r.org_id = s.org_id and r.id = s.reward_id
where v.plays;
analyze demo_spins;

insert into public.spins (id, org_id, campaign_id, store_id, customer_id, review_id, play_id, segment_id, reward_id,
  end_user_email, end_user_name, result_type, nonce, rules_version, result, created_at)
select s.id, d.org_id, d.campaign_id, d.store_id, p.id, case when s.rates then pg_temp.demo_id('review', s.number) end,
  case when not s.rates then pg_temp.demo_id('play', s.number) end, s.segment_id, s.reward_id, p.email,
  p.first_name || ' ' || p.last_name, case when s.reward_id is null then 'lose' else 'reward' end,
  pg_temp.demo_id('nonce', s.number), d.rules_version,
  json_build_object('spin_id', s.id, 'segment_id', s.segment_id, 'segment_label', s.label, 'segment_color', s.color,
    'reward', case when s.reward_id is not null then
      json_build_object('id', s.reward_id, 'name', s.reward_name, 'type', s.type) end,
    'redemption_code', s.code, 'expires_at', s.expires_at, 'nonce', pg_temp.demo_id('nonce', s.number)), s.at
from demo_spins s join demo_people p on p.customer = s.customer cross join demo_shop d;

insert into public.points_ledger (id, org_id, customer_id, spin_id, reward_id, points, created_at)
select pg_temp.demo_id('points', s.number), d.org_id, p.id, s.id, s.reward_id, s.points, s.at
from demo_spins s join demo_people p on p.customer = s.customer cross join demo_shop d
where s.type = 'points';

insert into public.redemptions (id, org_id, campaign_id, store_id, reward_id, spin_id, customer_id, code, reward_name,
  end_user_email, end_user_name, expires_at, created_at)
select pg_temp.demo_id('code', s.number), d.org_id, d.campaign_id, d.store_id, s.reward_id, s.id, p.id, s.code, s.reward_name,
  p.email, p.first_name || ' ' || p.last_name, s.expires_at, s.at
from demo_spins s join demo_people p on p.customer = s.customer cross join demo_shop d
where s.code is not null;

-- At the till: two codes in three come back, within days.
create temp table demo_uses on commit drop as
select s.number, s.at + interval '1 day' * ceil(12 * pg_temp.dice('back after', s.number) ^ 2)
  + interval '20 minutes' * pg_temp.dice('minute', s.number) as at
from demo_spins s where s.code is not null and pg_temp.dice('comes back', s.number) < 0.66;
update public.redemptions r set status = 'used', used_at = u.at, used_by = d.owner_id, used_store_id = r.store_id
from demo_uses u, demo_shop d
where r.org_id = d.org_id and r.id = pg_temp.demo_id('code', u.number) and u.at < least(now(), r.expires_at);
insert into public.redemption_events (id, org_id, redemption_id, action, user_id, store_id, created_at)
select pg_temp.demo_id('use', u.number), r.org_id, r.id, 'used', r.used_by, r.used_store_id, r.used_at
from demo_uses u, demo_shop d, public.redemptions r
where r.org_id = d.org_id and r.id = pg_temp.demo_id('code', u.number) and r.status = 'used';
update public.redemptions r set status = 'expired'
from demo_shop d where r.org_id = d.org_id and r.status = 'available' and r.expires_at <= now();
update public.customers c set last_activity_at = u.at
from (select r.org_id, r.customer_id, max(r.used_at) as at from public.redemptions r, demo_shop d
  where r.org_id = d.org_id and r.status = 'used' group by 1, 2) u
where c.org_id = u.org_id and c.id = u.customer_id and u.at > c.last_activity_at;

insert into public.campaign_daily_stats (org_id, campaign_id, day, shard, store_id, scans, reviews, rating_sum, one_star_reviews,
  two_star_reviews, three_star_reviews, four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
  free_spins, free_wins, free_redemptions, points_wins)
select d.org_id, d.campaign_id, (e.at at time zone d.timezone)::date, 0, d.store_id,
  count(*) filter (where e.kind = 'scan'), count(e.rating), coalesce(sum(e.rating), 0),
  count(*) filter (where e.rating = 1), count(*) filter (where e.rating = 2), count(*) filter (where e.rating = 3),
  count(*) filter (where e.rating = 4), count(*) filter (where e.rating = 5),
  count(*) filter (where e.kind = 'click'), count(*) filter (where e.kind in ('lose', 'reward')),
  count(*) filter (where e.kind = 'reward'), count(*) filter (where e.kind = 'use'),
  count(*) filter (where e.is_free and e.kind in ('lose', 'reward')),
  count(*) filter (where e.is_free and e.kind = 'reward'), count(*) filter (where e.is_free and e.kind = 'use'),
  count(*) filter (where e.kind = 'points')
from demo_shop d
cross join lateral (
  select 'scan' as kind, s.created_at as at, null::smallint as rating, false as is_free from public.scan_events s where s.org_id = d.org_id
  union all
  select 'review', r.created_at, r.rating, false from public.pre_spin_reviews r where r.org_id = d.org_id
  union all
  select 'click', r.public_click_at, null, false from public.pre_spin_reviews r
  where r.org_id = d.org_id and r.public_click_at is not null
  union all
  select s.result_type, s.created_at, null, s.play_id is not null from public.spins s where s.org_id = d.org_id
  union all
  select 'points', l.created_at, null, false from public.points_ledger l where l.org_id = d.org_id and l.kind = 'earned'
  union all
  select 'use', r.used_at, null, s.play_id is not null
  from public.redemptions r join public.spins s on s.org_id = r.org_id and s.id = r.spin_id
  where r.org_id = d.org_id and r.status = 'used'
) e
group by 1, 2, 3, 5;
select private.fold_figures(10000);
