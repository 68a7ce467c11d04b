import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import {
  createCampaign,
  createOrganization,
  createStore,
  createUser,
  type Organization,
  type User,
} from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * The limits of a plan under attack from every way in at once, over HTTP: what fits gets in, and not
 * one more. Turns of the wheel have theirs in races.test.ts.
 */

let server: TestServer;
let sql: Sql;

beforeAll(async () => {
  server = await startTestServer();
  sql = server.database.sql;
});
afterAll(() => server.stop());

type Client = Awaited<ReturnType<TestServer["signIn"]>>["client"];
type Answer = PromiseLike<{ error: { code?: string } | null }>;

/** How often each code was answered; « done » is none. */
async function tally(answers: readonly Answer[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { error } of await Promise.all(answers)) {
    const code = error ? (error.code ?? "unknown") : "done";
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

const clientOf = async (user: User): Promise<Client> => (await server.signIn(user)).client;
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

it("no fourth campaign runs on Basic: made, switched on and saved at once, by three people", async () => {
  const org = await createOrganization(sql, { plan: "basic" });
  const { id: org_id, storeId: store_id } = org;
  const resting = await Promise.all(
    times(8, () => createCampaign(sql, { orgId: org_id, storeId: store_id, active: false })),
  );
  const [owner, admin, member] = [
    await clientOf(org.users.owner),
    await clientOf(org.users.admin),
    await clientOf(org.users.member),
  ];
  const counts = await tally([
    ...times(6, (index) =>
      owner.from("campaigns").insert({
        org_id,
        store_id,
        name: `Neuve ${index}`,
        slug: `neuve-${index}-${org_id.slice(0, 8)}`,
        active: true,
      }),
    ),
    ...resting
      .slice(0, 4)
      .map(({ id }) => admin.from("campaigns").update({ active: true }).eq("id", id)),
    ...resting.slice(4).map(({ id, slug }) =>
      member.rpc("save_campaign", {
        p_id: id,
        p_version: 1,
        p_name: `Prise ${slug}`,
        p_slug: slug,
        p_store_id: store_id,
        p_active: true,
        p_play_interval_days: 1,
      }),
    ),
  ]);
  expect(counts).toEqual({ done: 3, TV001: 11 });
  const active = await sql`select 1 from public.campaigns where org_id = ${org_id} and active`;
  expect(active).toHaveLength(3);
});

it("no sixth person gets onto Basic: six invitations and an acceptance five times, for two seats", async () => {
  const org = await createOrganization(sql, { plan: "basic" });
  await sql`delete from public.organization_members where user_id = ${org.users.cashier.id}`;
  const invited = await createUser(sql);
  const [owner, admin] = [await clientOf(org.users.owner), await clientOf(org.users.admin)];
  const { data: id, error } = await owner.rpc("invite_member", {
    p_email: invited.email,
    p_role: "member",
  });
  expect(error).toBeNull();
  const joining = await clientOf(invited);
  const [invitations, acceptances] = await Promise.all([
    tally(
      times(6, (index) =>
        (index % 2 ? owner : admin).rpc("invite_member", {
          p_email: `en-trop-${index}-${org.slug}@exemple.fr`,
          p_role: "cashier",
        }),
      ),
    ),
    tally(times(5, () => joining.rpc("accept_waiting_invitation", { p_id: id ?? "" }))),
  ]);
  expect(invitations).toEqual({ done: 1, TV002: 5 });
  expect(acceptances).toEqual({ done: 5 });
  expect(await seats(org)).toEqual({ members: 4, waiting: 1 });
});

it("a trial has one store: eight at once, new ones and one from the archive, leave one", async () => {
  const org = await createOrganization(sql, { plan: "free_trial" });
  const archive = (id: string) =>
    sql`update public.stores set archived_at = now() where org_id = ${org.id} and id = ${id}`;
  await archive(org.storeId);
  const [owner, admin] = [await clientOf(org.users.owner), await clientOf(org.users.admin)];
  const counts = await tally([
    ...times(6, (index) =>
      owner.rpc("create_store", {
        p_name: `Annexe ${index}`,
        p_slug: `annexe-${index}`,
        p_address: "1 rue Verte, 75002 Paris",
        p_google_review_url: "",
        p_review_mode: "compliant",
      }),
    ),
    ...times(2, () =>
      admin.from("stores").update({ archived_at: null }).eq("id", org.storeId).select("id"),
    ),
  ]);
  const open = await sql`
    select 1 from public.stores where org_id = ${org.id} and archived_at is null`;
  expect(open).toHaveLength(1);
  // Taking the archived one back twice is the same as once.
  const won = counts.done ?? 0;
  expect([1, 2]).toContain(won);
  expect(counts).toEqual({ done: won, TV003: 8 - won });
});

it("a smaller plan that comes while campaigns are switched on leaves no more than it has room for", async () => {
  const org = await createOrganization(sql);
  const { id: orgId, storeId } = org;
  const campaigns = await Promise.all(
    times(6, (index) => createCampaign(sql, { orgId, storeId, active: index < 3 })),
  );
  await createStore(sql, { orgId });
  await sql`select public.set_billing_customer(${orgId}, ${`cus_${org.slug}`})`;
  const owner = await clientOf(org.users.owner);
  await Promise.all([
    sql`
      select public.apply_subscription(${`cus_${org.slug}`}, ${`sub_${org.slug}`}, 'basic', 'monthly', 'active',
        now() + interval '20 days', false, null, null)`,
    tally(
      campaigns
        .slice(3)
        .map(({ id }) => owner.from("campaigns").update({ active: true }).eq("id", id)),
    ),
  ]);
  const active = await sql`select 1 from public.campaigns where org_id = ${orgId} and active`;
  expect(active).toHaveLength(3);
});

async function seats({ id }: Organization) {
  const [row] = await sql`
    select (select count(*)::int from public.organization_members where org_id = ${id}) as members,
      (select count(*)::int from private.invitations
       where org_id = ${id} and accepted_at is null and withdrawn_at is null) as waiting`;
  return row;
}
