import { randomUUID } from "node:crypto";
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

describe("a cell", () => {
  it.each([
    ["=cmd()", "'=cmd()"],
    ["+33612345678", "'+33612345678"],
    ["-2", "'-2"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", `"'\t'=1"`],
    ['a;"b"\nc', '"a;""b""\nc"'],
    ["\n=1", `"'\n'=1"`],
    ["\u00a0=1", "'\u00a0=1"],
    ["＝1", "'＝1"],
    ["Léa,=1", `"Léa,'=1"`],
    ["Léa\t@SUM(A1)", `"Léa\t'@SUM(A1)"`],
    ["Léa\r\n +1,=1", `"Léa\r\n '+1,'=1"`],
    // Words and numbers that are no more than that stay as they were written.
    ["Super, -10 %", `"Super, -10 %"`],
    ["Promo, -10 % dès 2,50 € !", `"Promo, -10 % dès 2,50 € !"`],
    [
      "Bien :\n- le café\n- l'accueil, les arcs-en-ciel...",
      `"Bien :\n- le café\n- l'accueil, les arcs-en-ciel..."`,
    ],
    // Calls, references, quotes and endings that the next cell could go on with are led all the same.
    ["a, -HYPERLINK(B2)", `"a, '-HYPERLINK(B2)"`],
    ["a,-1+cmd|' /C calc'!A0", `"a,'-1+cmd|' /C calc'!A0"`],
    ["a,-[x.xlsx]F!A1", `"a,'-[x.xlsx]F!A1"`],
    ["a, -'x", `"a, '-'x"`],
    ["a, -1&", `"a, '-1&"`],
    ["a, -1,", `"a, '-1,"`],
    ["a, -x!\u00a0", `"a, '-x!\u00a0"`],
    ['a,"-1', `"a,""'-1"`],
    ["a, -1;B(2)", `"a, '-1;B(2)"`],
    ["a, －1", `"a, '－1"`],
    ['Léa",=1,"', `"Léa"",'=1,"""`],
    ["Bien, mais 2-3 fois", `"Bien, mais 2-3 fois"`],
    ["Léa", "Léa"],
    [null, ""],
    [4.5, "4,5"],
  ])("%j becomes %j", (cell, written) => {
    expect(csvLine([cell])).toBe(`${written}\r\n`);
  });

  it("reverses nothing, neither itself nor the cells behind it, and hides no formula so", () => {
    expect(csvLine(["Léa\u202e titeP", "\u2067=1+1\u2069", "ana@exemple.fr"])).toBe(
      "Léa titeP;'=1+1;ana@exemple.fr\r\n",
    );
    // Letters that are read from the right need no sign.
    expect(csvLine(["\u05e9\u05dc\u05d5\u05dd"])).toBe("\u05e9\u05dc\u05d5\u05dd\r\n");
  });

  it("is no formula either where a spreadsheet separates cells by other signs", () => {
    const signs = [..."=+-@＝＋－＠"];
    const before = [
      "",
      "a",
      "a,",
      "a;",
      "a\t",
      "a\n",
      "a\r\n",
      'a",',
      '",',
      "a, ",
      ",,",
      "a,\u200b",
    ];
    for (const separator of [",", ";", "\t"]) {
      for (const start of before) {
        for (const sign of signs) {
          const line = csvLine(["Léa", `${start}${sign}SUM(A1)`, "Petit"]);
          // Within a line of other separators, a quotation mark is a letter like another.
          const cells = line.split(new RegExp(`[${separator}\r\n]`));
          expect(cells.filter((cell) => /^["\s\u200b]*[=+\-@＝＋－＠]/u.test(cell))).toEqual([]);
        }
      }
    }
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

  it("of customers has phone numbers as one dials them, which no spreadsheet takes for figures or a formula", async () => {
    const { sql } = server.database;
    const shop = await createOrganization(sql);
    const { id: campaignId } = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    for (const phone of ["0612345678", "+32475123456"])
      await review(sql, { campaignId, email: null, phone });
    const { text } = await exportAs(shop.users.owner, customersOf(shop));
    const lines = text.trim().split("\r\n").slice(1);
    expect(lines.map((line) => line.split(";")[4]).sort()).toEqual([
      "00 32475123456",
      "06 12 34 56 78",
    ]);
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

  it("of a selection holds what was ticked, and nothing of anybody else's", async () => {
    const { sql } = server.database;
    const other = await createOrganization(sql);
    const [theirs] = await sql<{ id: string }[]>`
      insert into public.customers (org_id, name, email) values (${other.id}, 'Zoé', 'zoe@exemple.fr') returning id`;
    const [ana] = await sql<{ id: string }[]>`
      select id from public.customers where org_id = ${ours.id} and email = 'ana@exemple.fr'`;
    const [won] = await sql<{ id: string; code: string }[]>`
      select id, code from public.redemptions where org_id = ${ours.id}`;
    const ids = [ana?.id, theirs?.id];
    const { text } = await exportAs(ours.users.member, customersOf(ours, { ids }));
    expect(text).toContain("ana@exemple.fr");
    expect(text).not.toMatch(/bruno|zoe/);
    const order = (filters: object) => ({ type: "redemptions", org_id: ours.id, filters });
    const codes = await exportAs(ours.users.member, order({ ids: [won?.id] }));
    expect(codes.text).toContain(won?.code ?? "none");
    const held = await exportAs(ours.users.member, order({ ids: [won?.id], status: "held" }));
    expect(held.text.trim().split("\r\n")).toHaveLength(1);
  });

  it.each([
    ["a list of 10,000", Array.from({ length: 10_000 }, () => randomUUID())],
    ["an empty list", []],
    ["what is no identifier", ["' or true --"]],
    ["what is no list", "all"],
  ])("of %s as a selection is refused", async (_, ids) => {
    const answer = await exportAs(ours.users.member, customersOf(ours, { ids }));
    expect([400, 413]).toContain(answer.status);
    expect(answer.text).not.toContain("@exemple.fr");
  });

  it("of codes takes one reward", async () => {
    const order = (id: string) => ({
      type: "redemptions",
      org_id: ours.id,
      filters: { reward_id: id },
    });
    const answer = await exportAs(ours.users.member, order(rewardId));
    expect(answer.headers.get("content-disposition")).toMatch(/"codes-cafe-offert-20[^"]+\.csv"/);
    const { text } = answer;
    expect(text.trim().split("\r\n")).toHaveLength(2);
    expect(text).toContain(";Disponible;Café offert;");
    const none = await exportAs(ours.users.member, order(campaign.id));
    expect(none.text.trim().split("\r\n")).toHaveLength(1);
  });

  it("of codes says where each is good, and who took it where", async () => {
    const { sql } = server.database;
    const shop = await createOrganization(sql);
    const wheel = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    const reward = await createReward(sql, wheel, { name: "Thé offert" });
    await drawWheel(sql, wheel, [{ weight: 100, rewardId: reward }]);
    await spin(sql, { campaignId: wheel.id, name: "Zoé" });
    await sql`
      update public.redemptions set status = 'used', used_at = now(), used_by = ${shop.users.cashier.id},
        used_store_id = ${shop.storeId} where org_id = ${shop.id}`;
    const [named] = await sql<{ store: string; cashier: string }[]>`
      select name as store, private.user_name(${shop.users.cashier.id}) as cashier from public.stores
      where id = ${shop.storeId}`;
    const { text } = await exportAs(shop.users.owner, { type: "redemptions", org_id: shop.id });
    const [header, line] = text.trim().split("\r\n");
    expect(header).toBe(
      "Code;Statut;Récompense;Campagne;Magasin;Client;E-mail;Émis le;Expire le;Utilisé le;Utilisé à;Validé par;Origine",
    );
    const cells = line?.split(";") ?? [];
    expect(cells.slice(1, 3)).toEqual(["Utilisé", "Thé offert"]);
    expect([cells[4], ...cells.slice(10)]).toEqual([
      named?.store,
      named?.store,
      named?.cashier,
      "Roue",
    ]);
  });

  it("of reviews holds the words, who wrote them and what became of them, as the inbox is filtered", async () => {
    const { sql } = server.database;
    const shop = await createOrganization(sql);
    const { id: campaignId } = await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId });
    const cold = await review(sql, {
      campaignId,
      firstName: "Zoé",
      email: "zoe@exemple.fr",
      phone: "+33612345678",
      rating: 2,
      locale: "nl",
    });
    const words = "=1+1, dit-elle ;\nle café était froid.";
    await sql`select public.record_feedback(${cold.review_id}, ${words})`;
    await review(sql, { campaignId, firstName: "Émile", email: "emile@exemple.fr", rating: 5 });
    const { client, token } = await server.signIn(shop.users.owner);
    const inbox = await client.rpc("review_inbox", { p_org_id: shop.id });
    const id: string = Object(inbox.data).items[1].id;
    const body = "Bonjour Zoé, nous changeons de machine.";
    const answered = await client.rpc("answer_review", {
      p_id: id,
      p_version: 0,
      p_body: body,
      p_request_id: randomUUID(),
    });
    expect(answered.data).toEqual({ outcome: "saved" });
    await client.rpc("assign_review", { p_id: id, p_colleague_id: shop.users.owner.id });

    const order = (filters: object) => ({ type: "reviews", org_id: shop.id, filters });
    const of = (filters: object) => server.call("exports-csv", order(filters), { token });
    const all = await of({});
    expect(all.status).toBe(200);
    expect(all.headers.get("content-disposition")).toMatch(/filename="avis-.*\.csv"/);
    const lines = all.text.trim().split("\r\n");
    expect(lines[0]).toBe(
      "Laissé le;Étoiles;Message;Client;E-mail;Téléphone;Langue;Magasin;Campagne;Suite donnée;Suivi par;" +
        "Répondu le;Répondu par;Réponse;Geste commercial;Page publique ouverte",
    );
    const moment = String.raw`\d\d/\d\d/\d{4} \d\d:\d\d`;
    const [store] = await sql<{ store: string; campaign: string; owner: string }[]>`
      select s.name as store, c.name as campaign, private.user_name(${shop.users.owner.id}) as owner
      from public.campaigns c join public.stores s on s.id = c.store_id where c.id = ${campaignId}`;
    const place = `${store?.store};${store?.campaign}`;
    expect(lines[1]).toMatch(
      new RegExp(`^${moment};5;;Émile Petit;emile@exemple.fr;;fr;${place};;;;;;;non$`),
    );
    expect(lines.slice(2).join("\r\n")).toMatch(
      new RegExp(
        `^${moment};2;"'=1\\+1, dit-elle ;\nle café était froid.";Zoé Petit;zoe@exemple.fr;06 12 34 56 78;nl;` +
          `${place};Répondu;${store?.owner};${moment};${store?.owner};"${body}";;non$`,
      ),
    );

    const emails = async (filters: object) =>
      (await of(filters)).text.match(/(zoe|emile)@exemple.fr/g) ?? [];
    expect(await emails({ state: "answered" })).toEqual(["zoe@exemple.fr"]);
    expect(await emails({ mine: true })).toEqual(["zoe@exemple.fr"]);
    expect(await emails({ search: "cafe froi" })).toEqual([]);
    expect(await emails({ search: "cafe etait" })).toEqual(["zoe@exemple.fr"]);
    expect(await emails({ search: "emile" })).toEqual(["emile@exemple.fr"]);
    expect(await emails({ search: "?!" })).toEqual([]);
    expect(await emails({ locale: "nl", rating: 2, with_text: true })).toEqual(["zoe@exemple.fr"]);
    const foreign = await server.call("exports-csv", order({ rating: 6 }), { token });
    expect(foreign.status).toBe(400);
  });

  it("of campaigns holds those in use or the archived ones, with their dates and figures", async () => {
    const { sql } = server.database;
    const shop = await createOrganization(sql);
    const place = { orgId: shop.id, storeId: shop.storeId };
    const summer = await createCampaign(sql, { ...place, name: "Été, -10 %" });
    const past = await createCampaign(sql, { ...place, name: "Noël" });
    const gone = await createCampaign(sql, { ...place, name: "Pâques" });
    await sql`
      update public.campaigns set starts_at = '2026-01-05T23:00:00Z', ends_at = '2026-02-01T22:59:00Z' where id = ${past.id}`;
    await sql`update public.campaigns set active = false, archived_at = now() where id = ${gone.id}`;
    for (const rating of [4, 5])
      await review(sql, { campaignId: summer.id, rating, email: `${rating}@exemple.fr` });
    await drawWheel(sql, summer, [{ weight: 100 }]);
    await spin(sql, { campaignId: summer.id, name: "Zoé" });
    const of = async (filters: object) => {
      const order = { type: "campaigns", org_id: shop.id, filters };
      const { text } = await exportAs(shop.users.owner, order);
      return text.trim().split("\r\n");
    };
    const [header, ...lines] = await of({});
    expect(header).toBe(
      "Nom;État;Magasin;Du;Au;Créée le;Scans;Avis;Note moyenne;Participations;Gains;Rédemptions",
    );
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^Noël;Terminée;[^;]+;06\/01\/2026 00:00;01\/02\/2026 23:59;[^;]+;0;0;;0;0;0$/,
    );
    expect(lines[1]).toMatch(/^"Été, -10 %";Actif;[^;]+;[^;]+;;[^;]+;0;2;4,5;1;0;0$/);
    expect((await of({ search: "ete" })).slice(1)).toEqual([lines[1]]);
    // Ticked ones: of those that are shown, and of one's own organisation.
    const ids = [summer.id, gone.id, campaign.id];
    expect((await of({ ids })).slice(1)).toEqual([lines[1]]);
    expect((await of({ ids, is_archived: true })).slice(1).join()).toMatch(/^Pâques;[^\r]+$/);
    expect((await of({ is_archived: true })).slice(1).join()).toMatch(/^Pâques;Archivée;[^\r]+$/);
    const cashier = await exportAs(shop.users.cashier, { type: "campaigns", org_id: shop.id });
    expect(cashier.status).toBe(403);
  });

  it("is refused without a session, permission, plan, and for other organisations", async () => {
    const basic = await createOrganization(server.database.sql, { plan: "basic" });
    const other = await createOrganization(server.database.sql);
    const codes = async (user: { email: string }, of: Organization) => {
      const { status, body } = await exportAs(user, customersOf(of));
      return [status, body];
    };
    const reviews = { type: "reviews", org_id: ours.id };
    for (const stranger of [ours.users.cashier, other.users.owner])
      expect((await exportAs(stranger, reviews)).status).toBe(403);
    expect((await server.call("exports-csv", customersOf(ours))).status).toBe(401);
    // Coming again changes nothing of these.
    const refused = await exportAs(ours.users.cashier, customersOf(ours));
    expect(refused.headers.get("retry-after")).toBeNull();
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
          message: "L’export CSV est inclus dans le plan Pro.",
        },
      },
    ]);
    const odd = await exportAs(ours.users.owner, { type: "secrets", org_id: ours.id });
    expect(odd.status).toBe(400);
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

  it("is one at a time for an organisation, and says when to come again", async () => {
    const { sql } = server.database;
    const { token } = await server.signIn(ours.users.owner);
    await sql.begin(async (other) => {
      const { id } = ours.users.owner;
      const [running] = await other`
        select outcome from public.begin_export(${id}, ${id}, 'aal1', 'customers', ${ours.id})`;
      expect(running?.outcome).toBe("started");
      const busy = await server.call("exports-csv", customersOf(ours), { token });
      expect([busy.status, busy.body]).toMatchObject([429, { error: { code: "export_busy" } }]);
      expect(busy.headers.get("retry-after")).toBe("10");
    });
    const free = await server.call("exports-csv", customersOf(ours), { token });
    expect(free.status).toBe(200);
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
