-- The call that the server makes for one spin, with a new customer each.
\set campaign random(0, :campaigns - 1)
\set customer random(1, 1000000000)
\set address random(1, 100000)
select * from public.spin_wheel(('00000003-0000-4000-8000-' || lpad(:campaign::text, 12, '0'))::uuid, null, gen_random_uuid(), 'Camille Martin', 'client' || :customer || '@example.com', null, md5(:customer::text) || md5(:customer::text), md5(:address::text) || md5(:address::text));
