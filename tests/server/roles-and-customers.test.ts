import { randomBytes, randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/**
 * A member of a role without customers tries, over HTTP alone, every way to who the customers are and to the codes that
 * they won: tables with filters and joins, functions, searches, exports, and the customers' own calls with what the
 * lists told.
 */

let server: TestServer;
let ours: Organization;
let campaignId: string;
let rewardId: string;
let code: string;

const CUSTOMER = { first_name: "Zélie", last_name: "Quintefeuille", email: "zelie@exemple.fr" };
const PEOPLE = /quintefeuille|z[ée]lie/i;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

beforeEach(async () => {
  const { sql } = server.database;
  ours = await createOrganization(sql);
  const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  campaignId = campaign.id;
  rewardId = await createReward(sql, campaign);
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  const rated = await server.call("review_record", {
    campaign_id: campaignId,
    visit_id: randomUUID(),
    end_user: CUSTOMER,
    rating: 2,
  });
  const won = await play(Object(rated.body).review_id);
  code = Object(won.body).redemption_code;
  expect(code).toMatch(/^\w+/);
});

const play = (reviewId: string) =>
  server.call("spin_wheel", {
    campaign_id: campaignId,
    review_id: reviewId,
    device_fp: randomBytes(32).toString("hex"),
  });

/** Gives the member a role of these permissions, as its owner does, and signs them in. */
async function memberWith(...permissions: string[]) {
  const { client: owner } = await server.signIn(ours.users.owner);
  const made = await owner.rpc("save_role", {
    p_name: "Animateur",
    p_description: "",
    p_permissions: permissions,
  });
  expect(made.error).toBeNull();
  const given = await owner.rpc("change_member_role", {
    p_member_id: ours.users.member.id,
    p_role: made.data ?? "",
  });
  expect(given.error).toBeNull();
  const { token } = await server.signIn(ours.users.member);
  const key = server.running.secrets.publishableKey;
  /** Answer of an address of the API, as text. */
  const ask = async (path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      headers: {
        apikey: key,
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
  return { ask, token };
}

const READS = [
  "redemptions?select=code,status,end_user_email,end_user_name",
  "redemptions?select=id&end_user_email=eq.zelie@exemple.fr",
  "redemptions?select=id&order=end_user_name",
  "spins?select=*",
  "spins?select=result,nonce",
  "pre_spin_reviews?select=*",
  "pre_spin_reviews?select=rating&customer_name=ilike.*quinte*",
  "points_ledger?select=customer_id",
  "customers?select=*",
  "redemption_events?select=*",
  "campaigns?select=id,pre_spin_reviews(customer_email),spins(end_user_email)",
  "rewards?select=id,redemptions(code,end_user_name)",
];

it("without customers learns neither who they are nor a code, whatever is asked", async () => {
  const { ask, token } = await memberWith("campaigns.write");
  const read = await Promise.all(READS.map((query) => ask(`/rest/v1/${query}`)));
  for (const [place, { status, text }] of read.entries()) {
    expect(status, READS[place]).toBe(200);
    expect(text, READS[place]).not.toMatch(PEOPLE);
    expect(text, READS[place]).not.toContain(code);
    // Nor does it tell that there is such a row.
    if (!text.includes("pre_spin_reviews") && !text.includes("redemptions"))
      expect(text, READS[place]).toBe("[]");
  }
  const calls: [name: string, body: unknown][] = [
    ["dashboard", { p_org_id: ours.id }],
    ["campaign_stats", { p_campaign_id: campaignId }],
    ["reward_codes", { p_id: rewardId }],
    ["reward_codes", { p_id: rewardId, p_search: CUSTOMER.email }],
    ["find_anything", { p_query: "Quintefeuille" }],
    ["find_anything", { p_query: code.slice(0, 6) }],
    ["customer_list", { p_org_id: ours.id }],
  ];
  const told: string[] = [];
  for (const [name, body] of calls) {
    const { text } = await ask(`/rest/v1/rpc/${name}`, body);
    expect(text, name).not.toMatch(PEOPLE);
    expect(text, name).not.toContain(code);
    told.push(text);
  }
  // The review is there, and says nothing of whose it is.
  expect(told[1]).toMatch(/"rating": ?2/);

  for (const type of ["customers", "redemptions", "reviews"]) {
    const answer = await server.call("exports-csv", { type, org_id: ours.id }, { token });
    expect([type, answer.status]).toEqual([type, 403]);
  }
  // With the identifier of a review a phone is told again what it won: no list says one.
  const named = new Set(told.join().match(/[0-9a-f]{8}-[0-9a-f-]{27}/g));
  expect(named.size).toBeGreaterThan(2);
  for (const id of named) expect((await play(id)).text).not.toContain(code);
});

it("with the team alone exports nothing", async () => {
  const { token } = await memberWith("team.manage");
  const answer = await server.call(
    "exports-csv",
    { type: "redemptions", org_id: ours.id },
    { token },
  );
  expect(answer.status).toBe(403);
  expect(answer.text).not.toContain(code);
});

it("with codes and without customers has a list and a file of codes, of nobody in particular", async () => {
  const { ask, token } = await memberWith("codes.read");
  const find = (search: string) =>
    ask("/rest/v1/rpc/reward_codes", { p_id: rewardId, p_search: search });
  const all = await find("");
  expect(all.text).toContain(code);
  expect(all.text).not.toMatch(PEOPLE);
  expect((await find(code.slice(0, 5).toLowerCase())).text).toContain(code);
  for (const word of [CUSTOMER.email, "Quintefeuille", "zelie"])
    expect((await find(word)).text, word).not.toContain(code);

  const file = (search?: string) =>
    server.call(
      "exports-csv",
      { type: "redemptions", org_id: ours.id, filters: search ? { search } : {} },
      { token },
    );
  const [header, line, ...others] = (await file()).text.trim().split("\r\n");
  expect(header).toBe(
    "Code;Statut;Récompense;Campagne;Magasin;Émis le;Expire le;Utilisé le;Utilisé à;Validé par;Origine",
  );
  expect(line).toContain(code);
  expect(line).not.toMatch(PEOPLE);
  expect(line?.split(";")).toHaveLength(11);
  expect(others).toEqual([]);
  expect((await file(code.slice(0, 5))).text).toContain(code);
  expect((await file(CUSTOMER.email)).text).not.toContain(code);
});

it("without customers learns nobody from the refusal of what no review can become", async () => {
  const { ask } = await memberWith("reviews.read", "reviews.write");
  const inbox = await ask("/rest/v1/rpc/review_inbox", { p_org_id: ours.id, p_filters: {} });
  const [{ id }] = JSON.parse(inbox.text).items;
  const { status, text } = await ask("/rest/v1/rpc/set_review_state", {
    p_id: id,
    p_version: 0,
    p_state: "perdu",
  });
  expect([status, JSON.parse(text).code]).toEqual([400, "23514"]);
  expect(text).not.toMatch(PEOPLE);
});

it("with customers and without codes reads who they are, and no code", async () => {
  const { ask } = await memberWith("customers.read");
  const list = await ask("/rest/v1/customers?select=id,name,email");
  expect(list.text).toContain(CUSTOMER.email);
  const [{ id }] = JSON.parse(list.text);
  const detail = await ask("/rest/v1/rpc/customer_detail", { p_id: id });
  expect(detail.text).toMatch(PEOPLE);
  expect(detail.text).not.toContain(code);
  for (const reviewed of JSON.parse(detail.text).reviews)
    expect((await play(reviewed.id)).text).not.toContain(code);
});

it("is alerted of a bad review by a mail that leads to the campaign, others to the inbox", async () => {
  const { ask } = await memberWith("campaigns.write");
  const { client: admin } = await server.signIn(ours.users.admin);
  const wanted = {
    p_org_id: ours.id,
    p_email: true,
    p_sms: false,
    p_low_ratings: true,
    p_summary: "none",
  };
  expect((await ask("/rest/v1/rpc/save_notifications", wanted)).status).toBe(204);
  expect((await admin.rpc("save_notifications", wanted)).error).toBeNull();
  await server.call("review_record", {
    campaign_id: campaignId,
    visit_id: randomUUID(),
    end_user: { ...CUSTOMER, email: "autre@exemple.fr" },
    rating: 1,
  });
  const mails = await server.database.sql<{ recipient: string; facts: Record<string, string> }[]>`
    select recipient, data -> 'facts' as facts from private.outbox
    where template = 'low_rating' and recipient like ${`%-${ours.slug}@%`} order by recipient`;
  expect(mails.map(({ facts }) => Object.keys(facts).toSorted())).toEqual([
    ["rating", "review", "store", "token"],
    ["campaign", "rating", "store", "token"],
  ]);
  expect(mails[1]?.facts.campaign).toBe(campaignId);
});

it("with reviews and without customers has a file of stars, without words and of nobody in particular", async () => {
  const { ask, token } = await memberWith("reviews.read", "activity.read");
  const words = "Le service était bien trop lent.";
  await server.database.sql`
    update public.pre_spin_reviews set review_text = ${words} where org_id = ${ours.id}`;
  const list = await ask("/rest/v1/rpc/review_inbox", { p_org_id: ours.id });
  expect(list.text).not.toMatch(PEOPLE);
  expect(list.text).not.toContain(words);
  const file = (search?: string) =>
    server.call(
      "exports-csv",
      { type: "reviews", org_id: ours.id, filters: search ? { search } : {} },
      { token },
    );
  const { text } = await file();
  const [header, line, ...others] = text.trim().split("\r\n");
  expect(header).toBe(
    "Laissé le;Étoiles;Langue;Magasin;Campagne;Suite donnée;Suivi par;Répondu le;Répondu par;" +
      "Geste commercial;Page publique ouverte",
  );
  expect(line).toMatch(/^[^;]+;2;fr;/);
  expect(line?.split(";")).toHaveLength(11);
  expect(others).toEqual([]);
  expect(text).not.toMatch(PEOPLE);
  expect(text).not.toContain(words);
  expect(text).not.toContain(code);
  for (const search of ["service", "Quintefeuille", CUSTOMER.email])
    expect((await file(search)).text.trim().split("\r\n"), search).toHaveLength(1);
});
