import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createOrganization, createUser } from "../harness/fixtures.ts";
import { PRODUCTION, startTestServer, type TestServer } from "../harness/server.ts";
import { temporaryFolder } from "./program.ts";

const token = z.object({ access_token: z.string() });

async function start(env: Record<string, string> = {}, argv: string[] = []) {
  const server = await startTestServer({ env, argv });
  onTestFinished(() => server.stop());
  return server;
}

async function signIn(server: TestServer, password: string): Promise<number> {
  const response = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: {
      apikey: server.running.secrets.publishableKey,
      "content-type": "application/json",
    },
    body: JSON.stringify({ email: "demo@tournavis.fr", password }),
  });
  if (response.status === 200) token.parse(await response.json());
  return response.status;
}

describe("the demo shop", () => {
  it("has every type of reward, a losing segment, and stocks with and without an end", async () => {
    const { database, url, running } = await start({ DEMO_PASSWORD: "mot-de-passe-demo" });
    // The one campaign that search engines may know: merchants' own are for those in front of the code.
    for (const path of ["/c/demo/review", "/c/demo/play"]) {
      const [head = ""] = (await (await fetch(url + path)).text()).split("</head>");
      expect(head).toMatch(/<meta name="description" content="[^"]{50,170}" \/>/);
      expect(head).toContain(`<link rel="canonical" href="${running.publicUrl}${path}" />`);
      expect(head).not.toContain("noindex");
    }
    for (const path of ["/c/demo/play?entry=libre", "/c/demo/reglement", "/c/demo/gain"]) {
      expect(await (await fetch(url + path)).text(), path).toContain("noindex");
    }
    expect(await (await fetch(`${url}/sitemap.xml`)).text()).toContain(`${url}/c/demo/review<`);
    const rewards = await database.sql<{ type: string; stock: number }[]>`
      select type, stock from public.rewards`;
    expect(new Set(rewards.map(({ type }) => type))).toEqual(new Set(["coupon", "gift", "points"]));
    expect(rewards.some(({ stock }) => stock === -1)).toBe(true);
    expect(rewards.some(({ stock }) => stock > 0)).toBe(true);
    // A phone in another language reads all of it, and two wins of points buy something.
    const untranslated = await database.sql`
      select t.name from (
        select name, translations from public.campaigns
        union all select name, translations from public.rewards
        union all select name, translations from public.points_rewards
        union all select name, item_translations from public.rewards where metadata ? 'item'
      ) t where (select count(*) from jsonb_object_keys(t.translations)) < 5`;
    expect([...untranslated]).toEqual([]);
    const gifts = await database.sql<{ cost: number }[]>`select cost from public.points_rewards`;
    expect(Math.min(...gifts.map(({ cost }) => cost))).toBeLessThanOrEqual(100);
    const [wheel] = await database.sql`
      select sum(weight)::int as total, count(*) filter (where reward_id is null and weight > 0)::int > 0 as loses
      from public.wheel_segments`;
    expect(wheel).toEqual({ total: 100, loses: true });
    const [shop] = await database.sql`
      select c.slug, c.active, u.plan, u.status, u.trial_end, u.current_period_end, m.role
      from public.campaigns c
      join public.subscriptions u using (org_id)
      join public.organization_members m using (org_id)`;
    expect(shop).toEqual({
      slug: "demo",
      active: true,
      plan: "pro",
      status: "active",
      trial_end: null,
      current_period_end: null,
      role: "owner",
    });
  });

  it("has three months of history whose figures agree with its events", async () => {
    const { sql } = (await start({ DEMO_PASSWORD: "mot-de-passe-demo" })).database;
    const [days] = await sql`
      with kept as (
        select day, scans, reviews, rating_sum, one_star_reviews, two_star_reviews, three_star_reviews,
          four_star_reviews, five_star_reviews, public_clicks, spins, wins, redemptions,
          points_wins
        from public.campaign_daily_stats
      ), events as (
        select created_at as at, 'scan' as kind, null::smallint as rating from public.scan_events
        union all select created_at, 'review', rating from public.pre_spin_reviews
        union all select public_click_at, 'click', null from public.pre_spin_reviews where public_click_at is not null
        union all select created_at, 'spin', null from public.spins
        union all select created_at, 'win', null from public.spins where reward_id is not null
        union all select used_at, 'use', null from public.redemptions where status = 'used'
        union all select created_at, 'points', null from public.points_ledger
      ), rebuilt as (
        select (at at time zone 'Europe/Paris')::date, count(*) filter (where kind = 'scan')::int, count(rating)::int,
          coalesce(sum(rating), 0)::int, count(*) filter (where rating = 1)::int, count(*) filter (where rating = 2)::int,
          count(*) filter (where rating = 3)::int, count(*) filter (where rating = 4)::int,
          count(*) filter (where rating = 5)::int, count(*) filter (where kind = 'click')::int,
          count(*) filter (where kind = 'spin')::int, count(*) filter (where kind = 'win')::int,
          count(*) filter (where kind = 'use')::int, count(*) filter (where kind = 'points')::int
        from events group by 1
      )
      select (select count(*)::int from kept) as days,
        (select count(*)::int from (table kept except table rebuilt) k) as wrong,
        (select count(*)::int from (table rebuilt except table kept) r) as missing`;
    expect(days).toMatchObject({ wrong: 0, missing: 0 });
    expect(days?.days).toBeGreaterThan(85);

    const [people] = await sql`
      select count(*)::int as wrong from public.customers c
      where (c.review_count, c.rating_sum, c.spin_count, c.redemption_count) is distinct from (
          (select count(*)::int from public.pre_spin_reviews r where r.customer_id = c.id),
          (select coalesce(sum(r.rating), 0)::int from public.pre_spin_reviews r where r.customer_id = c.id),
          (select count(*)::int from public.spins s where s.customer_id = c.id),
          (select count(*)::int from public.redemptions d where d.customer_id = c.id and d.status = 'used'))
        or c.created_at > c.last_activity_at or c.last_activity_at > now()`;
    expect(people).toEqual({ wrong: 0 });
    const [totals] = await sql`
      select t.customers::int, t.consents::int, t.participants::int, (select count(*)::int from public.customers) as all,
        (select count(*)::int from public.customers where consent_marketing) as consenting,
        (select count(*)::int from public.customers where spin_count > 0) as players
      from public.organizations o, private.customer_totals_now(o.id) t`;
    expect(totals).toMatchObject({
      customers: totals?.all,
      consents: totals?.consenting,
      participants: totals?.players,
    });

    const rewards = await sql`
      select r.name, t.wins, t.codes, t.redemptions, t.expirations from public.rewards r
      join public.reward_totals t on t.reward_id = r.id order by 1`;
    expect([...rewards]).toEqual([
      ...(await sql`
        select r.name, count(*)::int as wins, count(d.id)::int as codes,
          count(*) filter (where d.status = 'used')::int as redemptions,
          count(*) filter (where d.status = 'expired')::int as expirations
        from public.spins s join public.rewards r on r.id = s.reward_id
        left join public.redemptions d on d.spin_id = s.id group by 1 order by 1`),
    ]);
    const [points] = await sql`
      select count(*)::int as entries, (select count(*)::int from public.spins s join public.rewards r on r.id = s.reward_id
        where r.type = 'points') as wins from public.points_ledger`;
    expect(points?.entries).toBe(points?.wins);

    // Something to answer, something to use, something that was missed.
    const [shown] = await sql`
      select count(*) filter (where rating <= 2 and review_text is not null)::int > 10 as "hasBadReviews",
        count(*) filter (where rating = 5)::float / count(*) between 0.5 and 0.7 as "isLoved",
        (select count(distinct status)::int from public.redemptions) as states
      from public.pre_spin_reviews`;
    expect(shown).toEqual({ hasBadReviews: true, isLoved: true, states: 3 });

    // No screen takes an identifier that is no UUID as the standard has it.
    const [identifiers] = await sql`
      select count(*)::int as all, count(*) filter (where id::text !~ '^.{14}[1-8].{4}[89ab]')::int as wrong
      from (
        select id from public.customers union all select id from public.scan_events
        union all select id from public.pre_spin_reviews union all select id from public.spins
        union all select id from public.redemptions union all select id from public.redemption_events
        union all select id from public.points_ledger
      ) made`;
    expect(identifiers?.wrong).toBe(0);
    expect(identifiers?.all).toBeGreaterThan(1000);
  });

  it("can be played and lets its owner in at the till", async () => {
    const server = await start({ DEMO_PASSWORD: "mot-de-passe-demo" });
    expect(server.running.demo).toEqual({
      email: "demo@tournavis.fr",
      slug: "demo",
      password: null,
      isPasswordGiven: true,
    });
    expect((await fetch(`${server.url}/c/demo/review`)).status).toBe(200);
    const configuration = await (await fetch(`${server.url}/config.json`)).json();
    expect(configuration).toMatchObject({ demo_slug: "demo" });
    const { client } = await server.signIn({ email: "demo@tournavis.fr" }, "mot-de-passe-demo");
    const { data } = await client.rpc("my_workspace");
    expect(data).toMatchObject({ role: "owner", organization: { name: "Café Bertille" } });
  });

  it("takes the password that is given, and makes one where none is", async () => {
    const given = await start({ DEMO_PASSWORD: "choisi-par-nous" });
    expect(await signIn(given, "choisi-par-nous")).toBe(200);
    expect(await signIn(given, "autre-chose-ici")).toBe(400);

    const folder = await temporaryFolder();
    const made = await start({ TOURNAVIS_DATA: folder });
    const file = join(folder, "secrets", "demo-password");
    const password = (await readFile(file, "utf8")).trim();
    expect(made.running.demo?.password).toBe(password);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await signIn(made, password)).toBe(200);
  });

  it("names a password only where it opens the account: not another folder's, nor one from before it was changed", async () => {
    const folder = await temporaryFolder();
    const first = await start({ TOURNAVIS_DATA: folder });
    const { database } = first;
    const demoOf = async (dataFolder: string) => {
      const server = await startTestServer({
        database,
        env: { TOURNAVIS_DATA: dataFolder },
        argv: [],
      });
      onTestFinished(() => server.stop());
      return server.running.demo;
    };
    const other = await temporaryFolder();
    expect(await demoOf(other)).toMatchObject({ password: null, isPasswordGiven: false });
    await expect(stat(join(other, "secrets", "demo-password"))).rejects.toThrow("ENOENT");
    expect((await demoOf(folder))?.password).toBe(first.running.demo?.password);
    await database.sql`
      update auth.users set encrypted_password = (select encrypted_password from auth.users where id = ${
        (await createUser(database.sql)).id
      }) where email = 'demo@tournavis.fr'`;
    expect(await demoOf(folder)).toMatchObject({ password: null, isPasswordGiven: false });
  });

  it("is not made in production, unless its password is given", async () => {
    const without = await start(PRODUCTION);
    expect(without.running.demo).toBeNull();
    expect(await without.database.sql`select from auth.users`).toHaveLength(0);
    const given = await start({ ...PRODUCTION, DEMO_PASSWORD: "mot-de-passe-demo" });
    expect(given.running.demo?.slug).toBe("demo");
  });

  it("is made once, whatever becomes of it", async () => {
    const first = await start({ DEMO_PASSWORD: "mot-de-passe-demo" });
    await first.database.sql`update public.campaigns set active = false, slug = 'autre'`;
    const second = await startTestServer({ database: first.database, argv: [] });
    onTestFinished(() => second.stop());
    expect(await second.database.sql`select from public.organizations`).toHaveLength(1);
    expect(await second.database.sql`select from public.campaigns where active`).toHaveLength(0);
  });

  it("never joins a shop that is there already", async () => {
    const first = await start({}, ["--no-demo"]);
    await createOrganization(first.database.sql);
    await first.database.sql`delete from supabase_migrations.platform where key = 'demo'`;
    const second = await startTestServer({ database: first.database, argv: [] });
    onTestFinished(() => second.stop());
    expect(second.running.demo).toBeNull();
    expect(await second.database.sql`select from public.organizations`).toHaveLength(1);
  });
});
