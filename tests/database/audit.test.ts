import { beforeEach, describe, expect, it } from "vitest";
import { type AuditTrail, auditTrail } from "#domain/schemas/team.ts";
import { auditCopy } from "../../web/features/team/audit/audit.copy.ts";
import { auditActionName } from "../../web/features/team/audit/audit-sentence.ts";
import { type Caller, setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { redeem, review, spin } from "../harness/journey.ts";
import { whole } from "./support/whole.ts";

/** Audit trail: its entries, their authors, its readers, and that nobody changes it. */

const database = setUpTestDatabase();
let ours: Organization;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
  await forgetTrail();
});

const asUser = (role: keyof Organization["users"]): Caller => ({ userId: ours.users[role].id });

const forgetTrail = () => database.sql`delete from public.audit_events where org_id = ${ours.id}`;

type Filters = { person?: string; action?: string; before?: string; after?: string };

function trail(
  caller: Caller,
  { person, action, before, after }: Filters = {},
): Promise<AuditTrail> {
  return database.as(caller, async (sql) => {
    const [row] = await sql<{ answer: unknown }[]>`
      select public.audit_trail(${ours.id}, ${person ?? null}, ${action ?? null}, ${before ?? null},
        ${after ?? null}) as answer`;
    return whole(auditTrail, row?.answer);
  });
}

/** Entries of the organisation's trail, oldest first. */
async function written() {
  const { items } = await trail(asUser("owner"));
  return items
    .toReversed()
    .map(({ action, by, subject_id, detail }) => ({ action, by, subject_id, detail }));
}

describe("what is written down", () => {
  it("of a store: made, changed, put away, brought back, deleted", async () => {
    const member = asUser("member");
    const id = await database.as(member, async (sql) => {
      const [store] = await sql<{ id: string }[]>`
        insert into public.stores (org_id, name, slug, address)
        values (${ours.id}, 'Annexe', 'annexe', '1 rue Verte') returning id`;
      await sql`update public.stores set name = 'Kiosque', review_mode = 'gating' where id = ${store?.id ?? ""}`;
      // An unchanged value is no change.
      await sql`update public.stores set name = 'Kiosque' where id = ${store?.id ?? ""}`;
      return store?.id ?? "";
    });
    await database.as(asUser("admin"), (sql) => sql`select public.remove_store(${id}, true)`);
    await database.as(
      member,
      (sql) => sql`update public.stores set archived_at = null where id = ${id}`,
    );
    await database.as(asUser("admin"), (sql) => sql`select public.remove_store(${id}, false)`);
    expect(await written()).toMatchObject([
      { action: "store.created", by: "Camille Martin", subject_id: id, detail: { name: "Annexe" } },
      {
        action: "store.updated",
        detail: { name: "Kiosque", former_name: "Annexe", fields: ["name", "review_mode"] },
      },
      { action: "store.archived", detail: { name: "Kiosque" } },
      { action: "store.restored" },
      { action: "store.deleted", subject_id: id, detail: { name: "Kiosque" } },
    ]);
  });

  it("of a reward, a campaign and the organisation", async () => {
    const campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(database.sql, campaign, { name: "Café offert" });
    await forgetTrail();
    await database.as(asUser("admin"), async (sql) => {
      await sql`update public.rewards set active = false where id = ${rewardId}`;
      await sql`select public.remove_reward(${rewardId}, true)`;
      await sql`update public.campaigns set active = false where id = ${campaign.id}`;
      await sql`update public.organizations set name = 'Chez Nous' where id = ${ours.id}`;
    });
    expect(await written()).toMatchObject([
      { action: "reward.deactivated", detail: { name: "Café offert" } },
      { action: "reward.archived" },
      { action: "campaign.deactivated" },
      { action: "organization.updated", detail: { name: "Chez Nous", former_name: ours.name } },
    ]);
  });

  it("of a campaign that gets another name, address and dates at once: one entry, and one version", async () => {
    const campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
    await forgetTrail();
    const version = await database.as(asUser("owner"), async (sql) => {
      const [saved] = await sql<{ answer: { version: number } }[]>`
        select public.save_campaign(p_id => ${campaign.id}, p_version => 1, p_name => 'Noël', p_slug => 'noel-2026',
          p_store_id => ${ours.storeId}, p_active => true, p_play_interval_days => 1,
          p_starts_at => '2026-12-01') as answer`;
      return saved?.answer.version;
    });
    expect(version).toBe(2);
    expect(await written()).toMatchObject([
      { action: "campaign.updated", detail: { fields: ["name", "slug", "starts_at"] } },
    ]);
  });

  it("of a code given back and a customer forgotten, without the customer's data", async () => {
    const { sql } = database;
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(sql, campaign, { name: "Café offert" });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await forgetTrail();
    await spin(sql, { campaignId: campaign.id, name: "Zoé Lebrun", email: "zoe@exemple.fr" });
    const [won] = await sql<{ id: string; code: string; customer_id: string }[]>`
      select id, code, customer_id from public.redemptions where org_id = ${ours.id}`;
    if (!won) throw new Error("The wheel gave no code.");
    await redeem(sql, { userId: ours.users.cashier.id, code: won.code, storeId: ours.storeId });
    expect(await written(), "what customers and the till do").toEqual([]);
    await database.as(asUser("cashier"), (as) => as`select public.restore_code(${won.id})`);
    await database.as(
      asUser("owner"),
      (as) => as`select public.erase_customer(${won.customer_id})`,
    );
    expect(await written()).toMatchObject([
      { action: "code.restored", subject_id: won.id, detail: { name: "Café offert" } },
      { action: "customer.erased", subject_id: won.customer_id, detail: {} },
    ]);
    const [row] = await sql<{ text: string }[]>`
      select string_agg(e::text, ' ') as text from public.audit_events e where org_id = ${ours.id}`;
    expect(row?.text).not.toMatch(/zo|lebrun/i);
  });

  it("costs a review and a spin nothing", async () => {
    const { sql } = database;
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(sql, campaign, { stock: 5 });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    await forgetTrail();
    await review(sql, { campaignId: campaign.id, email: "lea@exemple.fr" });
    await spin(sql, { campaignId: campaign.id, name: "Léa Roy", email: "lea@exemple.fr" });
    const [{ stock } = { stock: null }] =
      await sql`select stock from public.rewards where id = ${rewardId}`;
    expect(stock).toBe(4);
    expect(await written()).toEqual([]);
  });

  it("goes with the organisation", async () => {
    await database.sql`delete from public.organizations where id = ${ours.id}`;
    const rows = await database.sql`select from public.audit_events where org_id = ${ours.id}`;
    expect(rows).toHaveLength(0);
  });

  it("says that nobody did it when the platform did", async () => {
    await database.sql`update public.stores set name = 'Kiosque' where id = ${ours.storeId}`;
    expect((await trail(asUser("owner"))).items).toMatchObject([{ by: null, is_platform: true }]);
  });
});

describe("the trail", () => {
  const note = (role: keyof Organization["users"], action: string, count = 1) =>
    database.sql`
      select private.audit_as(${ours.id}, ${ours.users[role].id}, ${action}, 'store', null)
      from generate_series(1, ${count})`;

  it("is read by person, by action and page by page", async () => {
    await note("owner", "store.created", 30);
    await note("admin", "store.deleted", 2);
    const first = await trail(asUser("admin"));
    expect(first.items).toHaveLength(25);
    expect(first).toMatchObject({ has_next: true, actions: ["store.created", "store.deleted"] });
    expect(first.people.map(({ id }) => id).sort()).toEqual(
      [ours.users.owner.id, ours.users.admin.id].sort(),
    );
    const second = await trail(asUser("admin"), { before: first.items[24]?.id ?? "" });
    expect(second.items).toHaveLength(7);
    expect(second.has_next).toBe(false);
    expect([first.has_previous, second.has_previous]).toEqual([false, true]);
    const ids = new Set([...first.items, ...second.items].map(({ id }) => id));
    expect(ids.size).toBe(32);
    expect((await trail(asUser("admin"), { person: ours.users.admin.id })).items).toHaveLength(2);
    expect((await trail(asUser("admin"), { action: "store.deleted" })).items).toHaveLength(2);
    const none = { person: ours.users.owner.id, action: "store.deleted" };
    expect((await trail(asUser("admin"), none)).items).toEqual([]);
  });

  it("is paged back the way it was paged forth", async () => {
    await note("owner", "store.created", 60);
    const owner = asUser("owner");
    const first = await trail(owner);
    const second = await trail(owner, { before: first.items[24]?.id ?? "" });
    const third = await trail(owner, { before: second.items[24]?.id ?? "" });
    expect(third).toMatchObject({ has_next: false, has_previous: true });
    expect(third.items).toHaveLength(10);
    const back = await trail(owner, { after: third.items[0]?.id ?? "" });
    expect(back).toEqual({ ...second, has_next: true, has_previous: true });
    const start = await trail(owner, { after: back.items[0]?.id ?? "" });
    expect(start).toEqual({ ...first, has_next: true, has_previous: false });
  });

  it("is changed and cut by nobody, and refused to the team and to strangers", async () => {
    await note("owner", "store.created");
    const other = await createOrganization(database.sql);
    await expect(
      database.sql`update public.audit_events set actor_name = 'Personne' where org_id = ${ours.id}`,
    ).rejects.toMatchObject({ code: "TV095" });
    for (const caller of [asUser("owner"), "service_role"] as const) {
      await expect(
        database.as(caller, (sql) => sql`delete from public.audit_events`),
      ).rejects.toMatchObject({ code: "42501" });
    }
    for (const caller of [asUser("member"), asUser("cashier"), { userId: other.users.owner.id }]) {
      await expect(trail(caller)).rejects.toMatchObject({ code: "42501" });
      const rows = await database.as(
        caller,
        (sql) => sql`select from public.audit_events where org_id = ${ours.id}`,
      );
      expect(rows).toHaveLength(0);
    }
    expect((await trail(asUser("owner"))).items).toHaveLength(1);
  });

  it("is kept for 13 months", async () => {
    const { sql } = database;
    await note("owner", "store.created", 2);
    const event = (action: string, age: string) => sql`
      insert into public.audit_events (org_id, action, subject_type, created_at)
      values (${ours.id}, ${action}, 'store', now() - ${age}::interval)`;
    await event("store.archived", "13 months 1 hour");
    await event("store.restored", "13 months -1 hour");
    await sql`select private.sweep_audit_events(100)`;
    const { actions } = await trail(asUser("owner"));
    expect(actions).toEqual(["store.created", "store.restored"]);
  });
});

describe("every action", () => {
  it("that the database writes down has its sentence and its entry in the filter", async () => {
    const rows = await database.sql<{ action: string }[]>`
      select distinct match[1] as action
      from pg_proc p, regexp_matches(p.prosrc, '''([a-z_]+\\.[a-z_]+)''', 'g') match
      where p.pronamespace in ('public'::regnamespace, 'private'::regnamespace)
        and p.prosrc ~ 'private\\.audit(_as)?\\(' and match[1] not in (select permission from public.role_permissions)
      union
      select split_part(encode(t.tgargs, 'escape'), '\\000', 1) || '.' || verb
      from pg_trigger t, unnest('{created,updated,deleted}'::text[]) verb
      where t.tgfoid = 'private.audit_change'::regproc`;
    const actions = rows.map(({ action }) => action).concat("data.exported");
    expect(actions.length).toBeGreaterThan(20);
    expect(actions.filter((action) => !auditCopy.sentences[action])).toEqual([]);
    expect(actions.filter((action) => auditActionName(action) === action)).toEqual([]);
  });
});
