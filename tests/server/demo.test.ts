import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { createOrganization } from "../harness/fixtures.ts";
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
  it("has every type of reward, a losing slice, and stocks with and without an end", async () => {
    const { database } = await start({ DEMO_PASSWORD: "mot-de-passe-demo" });
    const rewards = await database.sql<{ type: string; stock: number }[]>`
      select type, stock from public.rewards`;
    expect(new Set(rewards.map(({ type }) => type))).toEqual(new Set(["coupon", "gift", "points"]));
    expect(rewards.some(({ stock }) => stock === -1)).toBe(true);
    expect(rewards.some(({ stock }) => stock > 0)).toBe(true);
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

  it("can be played and lets its owner in at the till", async () => {
    const server = await start({ DEMO_PASSWORD: "mot-de-passe-demo" });
    expect(server.running.demo).toEqual({
      email: "demo@tournavis.fr",
      slug: "demo",
      password: null,
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
