import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { secondsFromNow } from "../harness/clock.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
  type User,
} from "../harness/fixtures.ts";
import { spin } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";
import { type Authenticator, addFactor, codeAt, signIn, tokenOf } from "./support/second-factor.ts";

/**
 * Access by a password alone to an account that has a second factor, over the product's own
 * addresses: none. Access of a session after it was ended: none, from that moment on.
 */

const TABLES = [
  "organizations",
  "organization_members",
  "subscriptions",
  "stores",
  "campaigns",
  "rewards",
  "customers",
  "pre_spin_reviews",
  "spins",
  "redemptions",
  "notification_preferences",
] as const;

let server: TestServer;
let ours: Organization;
let owner: User;
let code: string;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server.stop());

beforeEach(async () => {
  const { sql } = server.database;
  ours = await createOrganization(sql);
  owner = ours.users.owner;
  const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId: await createReward(sql, campaign) }]);
  await spin(sql, { campaignId: campaign.id, name: "Ana Petit" });
  const [won] = await sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${ours.id}`;
  code = won?.code ?? "";
});

type Client = ReturnType<TestServer["client"]>;

function use(token: string) {
  return server.call("redeem", { code, store_id: ours.storeId }, { token });
}

/** Rows that the database holds of this organisation. */
async function stored(): Promise<unknown[]> {
  const { sql } = server.database;
  return Promise.all([
    sql`select * from public.organizations where id = ${ours.id}`,
    sql`select * from public.stores where org_id = ${ours.id}`,
    sql`select * from public.redemptions where org_id = ${ours.id}`,
    sql`select * from auth.mfa_factors where user_id = ${owner.id}`,
  ]);
}

/** Tries everything that the back-office does, and answers the codes of the refusals. */
async function refusals(client: Client): Promise<Set<string | undefined>> {
  const codes = new Set<string | undefined>();
  for (const table of TABLES) {
    const { data, error } = await client.from(table).select("*").limit(1);
    expect(data).toBeNull();
    codes.add(error?.code);
  }
  const { data: plans, error: refusal } = await client.from("organization_plans").select("plan");
  expect(plans).toBeNull();
  codes.add(refusal?.code);
  const { id } = ours;
  const store = { org_id: id, name: "Annexe", slug: "annexe", address: "2 rue de la Paix" };
  const attempts = [
    client.from("organizations").update({ name: "À moi" }).eq("id", id),
    client.from("stores").insert({ ...store, review_mode: "compliant" }),
    client.from("campaigns").delete().eq("org_id", id),
    client.rpc("my_workspace"),
    client.rpc("lookup_code", { p_code: code, p_store_id: ours.storeId }),
    client.rpc("create_recovery_codes"),
    client.rpc("my_sessions"),
    client.rpc("end_session", { p_id: owner.id }),
  ];
  for (const attempt of attempts) codes.add((await attempt).error?.code);
  return codes;
}

describe("the password alone, of an account with a second factor", () => {
  let authenticator: Authenticator;
  let strong: Client;

  beforeEach(async () => {
    strong = await signIn(server.client(), owner);
    authenticator = await addFactor(strong, secondsFromNow(0));
  });

  it("reads nothing and writes nothing at the data API, whose refusal names what is missing", async () => {
    const before = await stored();
    const thief = await signIn(server.client(), owner);
    expect([...(await refusals(thief))]).toEqual(["TV010"]);
    expect(await stored()).toEqual(before);
    const { error } = await strong.from("stores").select("id").single();
    expect(error).toBeNull();
  });

  it("uses no code at the till", async () => {
    const before = await stored();
    const answer = await use(await tokenOf(await signIn(server.client(), owner)));
    expect(answer.status).toBe(403);
    expect(answer.body).toEqual({
      error: {
        code: "second_factor_required",
        message: "Confirmez votre identité avec votre deuxième facteur pour continuer.",
      },
    });
    expect(await stored()).toEqual(before);
    expect((await use(await tokenOf(strong))).status).toBe(200);
  });

  it("opens everything after the second step, and the token from before still nothing", async () => {
    const client = await signIn(server.client(), owner);
    const early = await tokenOf(client);
    const { error } = await client.auth.mfa.challengeAndVerify({
      factorId: authenticator.factorId,
      code: codeAt(authenticator, secondsFromNow(0), 1),
    });
    expect(error).toBeNull();
    expect((await client.rpc("my_workspace")).data).toMatchObject({ role: "owner" });
    expect((await use(early)).body).toMatchObject({ error: { code: "second_factor_required" } });
    const response = await fetch(`${server.url}/rest/v1/stores`, {
      headers: { apikey: server.running.secrets.publishableKey, authorization: `Bearer ${early}` },
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      code: "TV010",
      message: "second_factor_required",
      details: null,
      hint: null,
    });
  });

  it("does not become two proofs by saying so", async () => {
    const token = await tokenOf(await signIn(server.client(), owner));
    const [header = "", , signature = ""] = token.split(".");
    const claims = { ...decodeJwt(token), aal: "aal2" };
    const changed = Buffer.from(JSON.stringify(claims)).toString("base64url");
    const signed = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256" })
      .sign(new TextEncoder().encode(server.running.secrets.publishableKey));
    for (const forged of [`${header}.${changed}.${signature}`, signed]) {
      expect((await use(forged)).status).toBe(401);
      const response = await fetch(`${server.url}/rest/v1/stores`, {
        headers: {
          apikey: server.running.secrets.publishableKey,
          authorization: `Bearer ${forged}`,
        },
      });
      expect(response.status).toBe(401);
    }
  });

  it("gets on with a recovery code when the phone is lost", async () => {
    const { data: codes, error } = await strong.rpc("create_recovery_codes");
    expect(error).toBeNull();
    expect(codes).toHaveLength(10);
    const client = await signIn(server.client(), owner);
    expect((await client.rpc("count_recovery_codes")).data).toBe(10);
    const wrong = await client.rpc("use_recovery_code", { p_code: "AAAA-BBBB-CCCC-DDDD" });
    expect(wrong.data).toEqual({ outcome: "unknown", retry_after: null });
    const right = await client.rpc("use_recovery_code", { p_code: codes?.[4] ?? "" });
    expect(right.data).toEqual({ outcome: "recovered", retry_after: null });
    expect((await client.rpc("my_workspace")).data).toMatchObject({ role: "owner" });
    expect((await strong.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
    expect((await client.auth.mfa.listFactors()).data?.all).toEqual([]);
    await addFactor(client, secondsFromNow(0));
    expect((await client.rpc("count_recovery_codes")).data).toBe(0);
  });
});

describe("a session that was ended from another one", () => {
  it("opens nothing any more, at once", async () => {
    const here = await signIn(server.client(), owner);
    const lost = await signIn(server.client(), owner);
    const lostToken = await tokenOf(lost);
    const refresh = (await lost.auth.getSession()).data.session?.refresh_token ?? "";
    const { data: sessions } = await here.rpc("my_sessions");
    const id = String(decodeJwt(lostToken).session_id);
    expect(sessions?.find((session) => session.id === id)).toMatchObject({
      is_current: false,
      ip: "127.0.0.1",
      user_agent: expect.any(String),
    });
    expect((await lost.rpc("my_workspace")).data).toMatchObject({ role: "owner" });
    expect((await here.rpc("end_session", { p_id: id })).data).toBe(true);

    const before = await stored();
    expect([...(await refusals(lost))]).toEqual(["TV011"]);
    expect((await use(lostToken)).body).toMatchObject({ error: { code: "unauthenticated" } });
    expect((await lost.auth.getUser(lostToken)).error?.name).toBe("AuthSessionMissingError");
    const { error } = await server.client().auth.refreshSession({ refresh_token: refresh });
    expect(error?.code).toBe("refresh_token_not_found");
    expect(await stored()).toEqual(before);
    expect((await here.rpc("my_workspace")).data).toMatchObject({ role: "owner" });
  });

  it.each(["global", "others", "local"] as const)("by signing out: %s", async (scope) => {
    const here = await signIn(server.client(), owner);
    const other = await signIn(server.client(), owner);
    const [hereToken, otherToken] = [await tokenOf(here), await tokenOf(other)];
    await here.auth.signOut({ scope });
    const isEnded = async (token: string) => (await use(token)).status === 401;
    expect([await isEnded(hereToken), await isEnded(otherToken)]).toEqual(
      { global: [true, true], others: [false, true], local: [true, false] }[scope],
    );
  });
});

describe("what people say about themselves", () => {
  it("gives nobody a role, another organisation or a second proof", async () => {
    const thief = await signIn(server.client(), ours.users.cashier);
    const { error } = await thief.auth.updateUser({
      data: {
        role: "service_role",
        aal: "aal2",
        app_metadata: { role: "owner" },
        org_id: ours.id,
        is_admin: true,
        sub: owner.id,
      },
    });
    expect(error).toBeNull();
    await thief.auth.refreshSession();
    expect(decodeJwt(await tokenOf(thief))).toMatchObject({
      sub: ours.users.cashier.id,
      role: "authenticated",
      aal: "aal1",
      app_metadata: { provider: "email", providers: ["email"] },
    });
    expect((await thief.rpc("my_workspace")).data).toMatchObject({ role: "cashier" });
    const { data: customers } = await thief.from("customers").select("id");
    expect(customers).toEqual([]);
    const { data: renamed } = await thief
      .from("organizations")
      .update({ name: "À moi" })
      .eq("id", ours.id)
      .select();
    expect(renamed).toEqual([]);
  });

  it("does not change the facts that the service states of itself", async () => {
    const token = await tokenOf(await signIn(server.client(), ours.users.cashier));
    const response = await fetch(`${server.url}/auth/v1/user`, {
      method: "PUT",
      headers: {
        apikey: server.running.secrets.publishableKey,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ app_metadata: { role: "owner" } }),
    });
    expect(response.status).toBe(403);
    const [row] = await server.database.sql`
      select raw_app_meta_data from auth.users where id = ${ours.users.cashier.id}`;
    expect(row?.raw_app_meta_data).toEqual({ provider: "email", providers: ["email"] });
  });
});
