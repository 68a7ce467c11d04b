import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { csvLine } from "../../supabase/functions/_shared/http/csv.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { startTestServer, type TestServer } from "../harness/server.ts";

/** Lists as files for spreadsheets: who gets them, what stands in them, and what they cost. */

let server: TestServer;
let ours: Organization;
let campaign: Campaign;
let rewardId: string;

beforeAll(async () => {
  server = await startTestServer();
  const { sql } = server.database;
  ours = await createOrganization(sql);
  campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
  rewardId = await createReward(sql, campaign, { name: "Café offert" });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  await review(sql, {
    campaignId: campaign.id,
    firstName: "=1+1",
    lastName: 'Dit "le ; grand"',
    email: "ana@exemple.fr",
    rating: 4,
    consent: true,
  });
  await spin(sql, { campaignId: campaign.id, name: "@Bruno", email: "bruno@exemple.fr" });
});

afterAll(() => server.stop());

async function exportAs(user: { email: string }, body: unknown) {
  const { token } = await server.signIn(user);
  return server.call("exports-csv", body, { token });
}

const customersOf = ({ id }: Organization, filters = {}) => ({
  type: "customers",
  org_id: id,
  filters,
});

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Memory that this process holds, without what nobody needs any more, in bytes. */
function memoryInUse(): number {
  collectGarbage();
  return process.memoryUsage().rss;
}

describe("a cell", () => {
  it.each([
    ["=cmd()", "'=cmd()"],
    ["+33612345678", "'+33612345678"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ['a;"b"\nc', '"a;""b""\nc"'],
    ["Léa", "Léa"],
    [null, ""],
    [4.5, "4,5"],
  ])("%j becomes %j", (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`);
  });
});

describe("the export", () => {
  it("of customers is UTF-8 with its mark, semicolons, and no formula", async () => {
    const answer = await exportAs(ours.users.member, customersOf(ours));
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toMatch(/filename="clients-.*\.csv"/);
    const raw = await fetchRaw(customersOf(ours));
    expect([...raw.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const lines = answer.text.trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain("Prénom;Nom;Nom complet;E-mail;Téléphone");
    expect(lines[1]).toContain("'@Bruno");
    expect(lines[2]).toContain('\'=1+1;"Dit ""le ; grand"""');
    expect(lines[2]).toContain(";ana@exemple.fr;;oui;");
    expect(lines[2]).toContain(";4;1;0;0;0;");
  });

  it("of customers takes the filters of the list", async () => {
    const { text } = await exportAs(ours.users.member, customersOf(ours, { consent: true }));
    expect(text).toContain("ana@exemple.fr");
    expect(text).not.toContain("bruno@exemple.fr");
  });

  it("takes a search that was cut within an emoji", async () => {
    const answer = await exportAs(ours.users.member, customersOf(ours, { search: "\ud83c" }));
    expect(answer.status).toBe(200);
    expect(answer.text.trim().split("\r\n")).toHaveLength(1);
  });

  it("of codes takes one reward", async () => {
    const order = (id: string) => ({
      type: "redemptions",
      org_id: ours.id,
      filters: { reward_id: id },
    });
    const { text } = await exportAs(ours.users.member, order(rewardId));
    expect(text.trim().split("\r\n")).toHaveLength(2);
    expect(text).toContain(";Disponible;Café offert;");
    const none = await exportAs(ours.users.member, order(campaign.id));
    expect(none.text.trim().split("\r\n")).toHaveLength(1);
  });

  it("is refused without a session, permission, plan, and for other organisations", async () => {
    const basic = await createOrganization(server.database.sql, { plan: "basic" });
    const other = await createOrganization(server.database.sql);
    const codes = async (user: { email: string }, of: Organization) => {
      const { status, body } = await exportAs(user, customersOf(of));
      return [status, body];
    };
    expect((await server.call("exports-csv", customersOf(ours))).status).toBe(401);
    expect(await codes(ours.users.cashier, ours)).toMatchObject([
      403,
      { error: { code: "export_forbidden" } },
    ]);
    expect(await codes(other.users.owner, ours)).toMatchObject([
      403,
      { error: { code: "export_forbidden" } },
    ]);
    expect(await codes(basic.users.owner, basic)).toMatchObject([
      402,
      {
        error: {
          code: "export_not_in_plan",
          message: "L'export CSV est inclus dans le plan Pro.",
        },
      },
    ]);
    const odd = await exportAs(ours.users.owner, { type: "secrets", org_id: ours.id });
    expect(odd.status).toBe(400);
  });

  it("of 100,000 customers goes through without the process growing by more than 50 MB", async () => {
    const big = await createOrganization(server.database.sql);
    await server.database.sql.begin(async (sql) => {
      // Rows as the triggers would leave them: only reading them is asked here.
      await sql`set local session_replication_role = replica`;
      await sql`
        insert into public.customers (org_id, name, email, created_at)
        select ${big.id}, 'Client ' || n, 'client' || n || '@exemple.fr', now() - n * interval '1 minute'
        from generate_series(1, 100000) n`;
    });
    const { token } = await server.signIn(big.users.owner);
    const before = memoryInUse();
    let highest = before;
    const response = await request(token, customersOf(big));
    let lines = 0;
    const reader = response.body?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      for (const byte of part.value) {
        if (byte === 10) lines += 1;
        if (byte === 10 && lines % 10_000 === 0) highest = Math.max(highest, memoryInUse());
      }
    }
    const grown = Math.round((highest - before) / 1024 / 1024);
    process.stdout.write(`Export of 100,000 customers: the process grew by ${grown} MB.\n`);
    expect(lines).toBe(100_001);
    expect(grown).toBeLessThan(50);
  });

  it("is written down, with who asked for it", async () => {
    const before = await tracesOfExports();
    await exportAs(ours.users.member, customersOf(ours));
    await exportAs(ours.users.cashier, customersOf(ours));
    expect(await tracesOfExports()).toBe(before + 1);
    const [last] = await server.database.sql`
      select user_id, actor_name, subject_type from public.audit_events
      where org_id = ${ours.id} and action = 'data.exported' order by id desc limit 1`;
    expect(last).toMatchObject({ user_id: ours.users.member.id, subject_type: "customers" });
  });

  it("ends when the client leaves, and another may begin", async () => {
    const { token } = await server.signIn(ours.users.owner);
    const before = await tracesOfExports();
    const leaving = new AbortController();
    const response = await request(token, customersOf(ours), leaving.signal);
    leaving.abort();
    await response.text().catch(() => undefined);
    await expect.poll(tracesOfExports, { message: "what was begun" }).toBe(before + 1);
    await expect.poll(async () => (await request(token, customersOf(ours))).status).toBe(200);
  });
});

async function tracesOfExports(): Promise<number> {
  const rows = await server.database.sql`
    select from public.audit_events where org_id = ${ours.id} and action = 'data.exported'`;
  return rows.length;
}

function request(token: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${server.url}/functions/v1/exports-csv`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
}

async function fetchRaw(body: unknown): Promise<Buffer> {
  const { token } = await server.signIn(ours.users.member);
  return Buffer.from(await (await request(token, body)).arrayBuffer());
}
