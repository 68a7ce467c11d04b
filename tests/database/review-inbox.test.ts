import { randomUUID } from "node:crypto";
import type { TransactionSql } from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { REVIEW_CLAIM_MINUTES, TEAM_TEXT_MAX_LENGTH } from "#domain/rules/constants.ts";
import {
  type ReviewFilters,
  reviewClaim,
  reviewDetail,
  reviewHandled,
  reviewInbox,
} from "#domain/schemas/reviews.ts";
import { become, setUpTestDatabase, undone } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createRole,
  createStore,
  giveRole,
  type Organization,
  type Role,
} from "../harness/fixtures.ts";
import { review } from "../harness/journey.ts";
import { counted } from "./support/counted.ts";
import { untilWaiting } from "./support/waiting.ts";
import { whole } from "./support/whole.ts";

/** The inbox of reviews: what it finds, who may do what with it, and two colleagues at the same review. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
  campaign = await createCampaign(database.sql, { orgId: ours.id, storeId: ours.storeId });
});

const as = <T>(role: Role, run: (sql: TransactionSql) => Promise<T>) =>
  database.as({ userId: ours.users[role].id }, run);

async function visit(parts: Partial<Parameters<typeof review>[1]> = {}, words?: string) {
  const { review_id: id } = await review(database.sql, {
    campaignId: campaign.id,
    rating: 2,
    ...parts,
  });
  if (words) await database.sql`select public.record_feedback(${id}, ${words})`;
  return id ?? "";
}

async function inbox(filters: ReviewFilters = {}, role: Role = "owner", page: object = {}) {
  const { after = null, before = null } = page as { after?: string; before?: string };
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`
      select public.review_inbox(${ours.id}, ${sql.json(filters)}, ${after}, ${before}) as answer`,
  );
  return whole(reviewInbox, row?.answer);
}

async function detail(id: string, role: Role = "owner") {
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`select public.review_detail(${id}) as answer`,
  );
  const found = whole(reviewDetail, row?.answer);
  if (!found) throw new Error("No such review.");
  return found;
}

const BODY = "Bonjour Ana, merci de votre message.";

async function answer(
  id: string,
  { role = "owner" as Role, version = 0, body = BODY, request = randomUUID() } = {},
) {
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`
      select public.answer_review(${id}, ${version}, ${body}, ${request}) as answer`,
  );
  return whole(reviewHandled, row?.answer);
}

async function settle(id: string, version: number, state: string | null, role: Role = "owner") {
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`
      select public.set_review_state(${id}, ${version}, ${state}) as answer`,
  );
  return whole(reviewHandled, row?.answer);
}

async function claim(id: string, hold: string, role: Role) {
  const [row] = await as(
    role,
    (sql) => sql<{ answer: unknown }[]>`select public.claim_review(${id}, ${hold}) as answer`,
  );
  return whole(reviewClaim, row?.answer);
}

const mails = () => database.sql<
  { recipient: string; facts: Record<string, string>; look: unknown }[]
>`
  select recipient, data -> 'facts' as facts, data - 'facts' - 'locale' as look from private.outbox
  where template = 'review_answer' and data -> 'facts' ->> 'reply_to' like ${`%${ours.slug}%`}`;

const unread = async () => {
  const [row] = await as(
    "member",
    (sql) => sql<{ count: number }[]>`
      select (public.my_workspace() ->> 'unread_reviews')::integer as count`,
  );
  return row?.count;
};

describe("the list", () => {
  it("finds by what became of a review, stars, store, campaign, words and who takes care of it", async () => {
    const other = await createStore(database.sql, { orgId: ours.id });
    const elsewhere = await createCampaign(database.sql, { orgId: ours.id, storeId: other });
    await visit({ rating: 5, firstName: "Bruno" });
    await visit(
      { rating: 1, firstName: "Chloé", lastName: "Évrard" },
      "Une file beaucoup trop longue.",
    );
    await visit({ rating: 3, firstName: "Denis", campaignId: elsewhere.id });
    const names = async (filters: ReviewFilters, role: Role = "owner") =>
      (await inbox(filters, role)).items.map(({ name }) => name?.split(" ")[0]);

    expect(await names({})).toEqual(["Denis", "Chloé", "Bruno"]);
    expect(await names({ state: "open" })).toEqual(["Denis", "Chloé"]);
    expect(await names({ rating: 5 })).toEqual(["Bruno"]);
    expect(await names({ store_id: other })).toEqual(["Denis"]);
    expect(await names({ campaign_id: campaign.id })).toEqual(["Chloé", "Bruno"]);
    expect(await names({ with_text: true })).toEqual(["Chloé"]);
    expect(await names({ search: "FILE beaucoup" })).toEqual(["Chloé"]);
    expect(await names({ search: "evra" })).toEqual(["Chloé"]);
    expect(await names({ search: "personne" })).toEqual([]);
    expect(await names({ mine: true })).toEqual([]);

    const [denis] = (await inbox({ search: "denis" })).items;
    const id = denis?.id ?? "";
    await as("admin", (sql) => sql`select public.assign_review(${id}, ${ours.users.member.id})`);
    expect(await names({ mine: true }, "member")).toEqual(["Denis"]);
    expect(await names({ mine: true }, "admin")).toEqual([]);
    expect(await settle(id, 0, "closed")).toEqual({ outcome: "saved" });
    expect(await names({ state: "open" })).toEqual(["Chloé"]);
    expect(await names({ state: "closed" })).toEqual(["Denis"]);
    expect(await names({ state: "answered" })).toEqual([]);
  });

  it("finds the newest of many with a frequent word, and a rare word however old", async () => {
    const { sql } = database;
    const old = await visit({ rating: 1, firstName: "Chloé" }, "Une file trop longue.");
    await sql`update public.pre_spin_reviews set created_at = now() - interval '9 days' where id = ${old}`;
    await sql`
      insert into public.pre_spin_reviews
        (org_id, campaign_id, store_id, visit_id, customer_name, rating, review_text, created_at)
      select ${ours.id}, ${campaign.id}, ${ours.storeId}, gen_random_uuid(), 'Client ' || n, 2,
        case when n % 2 = 0 then 'Beaucoup trop d’attente au comptoir.' else 'Rien à dire de plus cette fois.' end, now() - n * interval '1 minute'
      from generate_series(1, 400) n`;
    const frequent = await inbox({ search: "attente" });
    expect(frequent.items.map(({ name }) => name)).toEqual(
      Array.from({ length: 25 }, (_, index) => `Client ${2 * index + 2}`),
    );
    expect(frequent.has_next).toBe(true);
    const names = (await inbox({ search: "longue" })).items.map(({ name }) => name?.split(" ")[0]);
    expect(names).toEqual(["Chloé"]);
  });

  it("finds every review of a name that many have, there and back, and one behind thousands of others", async () => {
    const { sql } = database;
    const other = await createStore(sql, { orgId: ours.id });
    const add = (storeId: string, from: number, to: number, name: string, every: number) => sql`
      with named as (
        insert into public.customers (org_id, store_id, name, email, created_at)
        select ${ours.id}, ${storeId}, case when n % ${every} = 0 then ${name} else 'Bob Durand' end, 'c' || n || '@exemple.fr',
          now() - n * interval '1 minute'
        from generate_series(${from}::integer, ${to}) n returning *
      )
      insert into public.pre_spin_reviews (org_id, campaign_id, store_id, visit_id, customer_id, customer_name, rating, created_at)
      select org_id, ${campaign.id}, store_id, gen_random_uuid(), id, name, 2, created_at from named`;
    await add(ours.storeId, 1, 700, "Ana Martin", 2);
    const expected = await sql<{ at: Date }[]>`
      select created_at as at from public.pre_spin_reviews
      where org_id = ${ours.id} and customer_name = 'Ana Martin' order by created_at desc`;
    const pages = [await inbox({ search: "martin", state: "open" })];
    while (pages.at(-1)?.has_next) {
      const after = pages.at(-1)?.items.at(-1)?.id ?? "";
      pages.push(await inbox({ search: "martin", state: "open" }, "owner", { after }));
    }
    const shown = pages.flatMap(({ items }) => items.map(({ at }) => new Date(at).getTime()));
    expect(shown).toEqual(expected.map(({ at }) => at.getTime()));
    expect(shown).toHaveLength(350);
    const back = await inbox({ search: "martin", state: "open" }, "owner", {
      before: pages.at(-1)?.items[0]?.id ?? "",
    });
    expect(back.items).toEqual(pages.at(-2)?.items);

    // Another store: thousands of reviews, and only the oldest one is of that name.
    await add(other, 1001, 4101, "Ana Martin", 4101);
    const far = await inbox({ search: "martin", store_id: other });
    expect(far.items.map(({ name }) => name)).toEqual(["Ana Martin"]);
  });

  it("goes on page by page, there and back", async () => {
    for (let index = 0; index < 27; index += 1) await visit({ firstName: `N${index}` });
    const first = await inbox();
    expect(first).toMatchObject({ has_previous: false, has_next: true });
    expect(first.items).toHaveLength(25);
    const second = await inbox({}, "owner", { after: first.items[24]?.id });
    expect(second.items.map(({ name }) => name)).toEqual(["N1 Petit", "N0 Petit"]);
    expect(second).toMatchObject({ has_previous: true, has_next: false });
    const back = await inbox({}, "owner", { before: second.items[0]?.id });
    expect(back.items).toEqual(first.items);
  });

  it("shows its first page where nothing stands on a later one any more", async () => {
    for (let index = 0; index < 26; index += 1) await visit({ firstName: `N${index}` });
    const first = await inbox({ state: "open" });
    const after = first.items.at(-1)?.id;
    const [last] = (await inbox({ state: "open" }, "owner", { after })).items;
    expect(last?.name).toBe("N0 Petit");
    await settle(last?.id ?? "", 0, "closed");
    for (const search of [undefined, "petit"]) {
      const left = await inbox({ state: "open", ...(search && { search }) }, "owner", { after });
      expect(left).toEqual({ ...first, has_previous: false, has_next: false });
    }
  });

  it("keeps names, words and the search from whoever may not see customers, and codes from all", async () => {
    const id = await visit({ firstName: "Zoé", lastName: "Quint" }, "Personne ne m'a dit bonjour.");
    const role = await createRole(database.sql, {
      orgId: ours.id,
      permissions: ["reviews.read", "reviews.write", "activity.read"],
    });
    await database.sql`
      update public.organization_members set role = ${role} where user_id = ${ours.users.member.id}`;
    const { items } = await inbox({}, "member");
    expect(items).toMatchObject([{ name: null, text: null, rating: 2 }]);
    expect((await inbox({ search: "bonjour" }, "member")).items).toEqual([]);
    expect(await detail(items[0]?.id ?? "", "member")).toMatchObject({
      name: null,
      customer: null,
    });
    await expect(answer(id, { role: "member" })).rejects.toMatchObject({ code: "42501" });
    // Not even the owner is given what opens a code.
    expect(JSON.stringify(await inbox())).not.toContain(id);
    expect(JSON.stringify(await detail(id))).not.toContain(id);
  });
});

describe("two colleagues", () => {
  it("answer once: whoever comes second sees who was first, and nothing is sent", async () => {
    const id = await visit();
    const outcomes = await Promise.all([
      answer(id, { role: "admin" }),
      answer(id, { role: "member" }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["conflict", "saved"]);
    const refused = outcomes.find(({ outcome }) => outcome === "conflict");
    expect(refused).toMatchObject({ state: "answered", by: expect.any(String) });
    expect(await mails()).toHaveLength(1);
    // One more answer is meant when it names what it answers.
    expect(await answer(id, { version: 1 })).toEqual({ outcome: "saved" });
    expect(await mails()).toHaveLength(2);
  });

  it("see who writes, for five minutes, and may take over", async () => {
    const id = await visit();
    expect(await claim(id, "take", "admin")).toEqual({ outcome: "held" });
    expect(await claim(id, "take", "admin")).toEqual({ outcome: "held" });
    const held = { outcome: "claimed", by: expect.any(String) };
    expect(await claim(id, "take", "member")).toEqual(held);
    expect(await answer(id, { role: "member" })).toEqual(held);
    expect(await mails()).toEqual([]);
    expect((await inbox({}, "member")).items[0]?.writer).toEqual(expect.any(String));
    // A member who does not hold it gives nothing back.
    expect(await claim(id, "release", "member")).toEqual({ outcome: "released" });
    expect(await claim(id, "take", "member")).toEqual(held);
    expect(await claim(id, "force", "member")).toEqual({ outcome: "held" });
    expect(await answer(id, { role: "admin" })).toEqual(held);
    await database.sql`
      update public.pre_spin_reviews set claimed_at = now() - interval '6 minutes' where id = ${id}`;
    expect(await answer(id, { role: "admin" })).toEqual({ outcome: "saved" });
  });

  it("keep a review as long as the form counts on, to the instant", async () => {
    const id = await visit();
    await claim(id, "take", "admin");
    await undone(database.sql, async (sql) => {
      const isHeld = async (apart: string) => {
        const [row] = await sql<{ is_held: boolean }[]>`
          update public.pre_spin_reviews r
          set claimed_at = now() - ${REVIEW_CLAIM_MINUTES} * interval '1 minute' + ${apart}::interval
          where r.id = ${id} returning private.is_claimed(r, ${ours.users.member.id}) as is_held`;
        return row?.is_held;
      };
      expect(await isHeld("1 microsecond")).toBe(true);
      expect(await isHeld("0")).toBe(false);
    });
  });

  it("who repeat a request, as after a lost answer, send and note once", async () => {
    const id = await visit();
    const request = randomUUID();
    expect(await answer(id, { request })).toEqual({ outcome: "saved" });
    expect(await answer(id, { request })).toEqual({ outcome: "saved" });
    const note = () =>
      as("member", (sql) => sql`select public.note_review(${id}, 'À rappeler', ${ours.id})`);
    await note();
    await note();
    expect(await mails()).toHaveLength(1);
    const { actions } = await detail(id);
    expect(actions.map(({ kind, body }) => [kind, body])).toEqual([
      ["answer", BODY],
      ["note", "À rappeler"],
    ]);
  });

  it("close and reopen what nobody has touched meanwhile, with the count beside it", async () => {
    const id = await visit();
    expect(await unread()).toBe(1);
    expect(await settle(id, 0, "closed", "member")).toEqual({ outcome: "saved" });
    expect(await unread()).toBe(0);
    expect(await settle(id, 0, "answered")).toMatchObject({ outcome: "conflict", state: "closed" });
    expect((await detail(id)).state).toBe("closed");
    expect(await settle(id, 1, "open")).toEqual({ outcome: "saved" });
    expect(await unread()).toBe(1);
    for (const state of ["lost", null]) {
      await expect(settle(id, 2, state)).rejects.toMatchObject({ code: "23514" });
    }
    const trail = await database.sql`
      select action, subject_id = private.alias_of(${id}) as is_alias, detail ? 'name' as is_placed
      from public.audit_events where org_id = ${ours.id} and action like 'review.%' order by id`;
    expect([...trail]).toEqual([
      { action: "review.closed", is_alias: true, is_placed: true },
      { action: "review.reopened", is_alias: true, is_placed: true },
    ]);
  });
});

describe("an answer", () => {
  it("goes to the customer for the store, and the customer's own to whoever wrote it", async () => {
    const id = await visit({ email: "ana@exemple.fr" });
    await database.sql`
      insert into public.organization_brands (org_id, color) values (${ours.id}, '#1d4ed8')`;
    await answer(id, { role: "member", body: `  ${BODY}\n\nÀ bientôt  ` });
    expect(await mails()).toEqual([
      {
        recipient: "ana@exemple.fr",
        facts: {
          body: `${BODY}\n\nÀ bientôt`,
          reply_to: ours.users.member.email,
          store: expect.any(String),
        },
        look: { brand: { color: "#1d4ed8", logo: null }, white_label: true },
      },
    ]);
    expect(await detail(id)).toMatchObject({
      state: "answered",
      is_seen: true,
      actions: [{ kind: "answer", delivery: "queued" }],
    });
  });

  it("says whether it left, or was given up", async () => {
    const [sent, lost] = [await visit(), await visit()];
    await answer(sent);
    await answer(lost);
    const settleMail = (id: string, state: string) => database.sql`
      update private.outbox o set state = ${state}, data = '{}', settled_at = now()
      from public.review_actions a where a.review_id = ${id} and o.id = a.message_id`;
    await settleMail(sent, "sent");
    await settleMail(lost, "failed");
    expect((await detail(sent)).actions[0]?.delivery).toBe("sent");
    expect((await detail(lost)).actions[0]?.delivery).toBe("failed");
  });

  it("is sent, and noted, at the length that the form takes, and no note is longer", async () => {
    const id = await visit();
    const longest = "x".repeat(TEAM_TEXT_MAX_LENGTH);
    const note = (body: string) =>
      as("member", (sql) => sql`select public.note_review(${id}, ${body}, ${randomUUID()})`);
    expect(await answer(id, { body: longest })).toEqual({ outcome: "saved" });
    await note(longest);
    await expect(note(`${longest}x`)).rejects.toMatchObject({ code: "23514" });
    const { actions } = await detail(id);
    expect(actions.map(({ kind, body }) => [kind, body?.length])).toEqual([
      ["answer", TEAM_TEXT_MAX_LENGTH],
      ["note", TEAM_TEXT_MAX_LENGTH],
    ]);
  });

  it.each(["", "   ", "x".repeat(TEAM_TEXT_MAX_LENGTH + 1)])(
    "is not sent without a text, or too long: %#",
    async (body) => {
      const id = await visit();
      await expect(answer(id, { body })).rejects.toMatchObject({ code: "23514" });
      expect(await mails()).toEqual([]);
      expect((await detail(id)).version).toBe(0);
    },
  );

  it("is one of two hundred an hour in one organisation; the next changes nothing and may be sent later", async () => {
    const [last, refused] = [await visit(), await visit()];
    // One transaction has one time: no hour ends in it.
    await undone(database.sql, async (sql) => {
      await counted(sql, `review answer ${ours.id}`, 199);
      await become(sql, { userId: ours.users.owner.id });
      const outcomes = await sql<{ answer: unknown }[]>`
        select public.answer_review(r, 0, ${BODY}, ${randomUUID()}) as answer
        from unnest(${[last, refused]}::uuid[]) with ordinality as u (r, n) order by n`;
      expect(outcomes.map((row) => whole(reviewHandled, row.answer))).toEqual([
        { outcome: "saved" },
        { outcome: "too_many" },
      ]);
      await sql`reset role`;
      expect(
        await sql`
          select r.handling_version as version, (select count(*)::integer from public.review_actions a where a.review_id = r.id) as actions
          from public.pre_spin_reviews r where r.id = ${refused}`,
      ).toEqual([{ version: 0, actions: 0 }]);
      expect(
        await sql`
          select count(*)::integer from private.outbox
          where template = 'review_answer' and data -> 'facts' ->> 'reply_to' = ${ours.users.owner.email}`,
      ).toEqual([{ count: 1 }]);
    });
    expect(await answer(refused)).toEqual({ outcome: "saved" });
  });

  it("cannot reach whoever left a number alone, or was erased: what named them is gone", async () => {
    const called = await visit({ email: null, phone: "0612345678" });
    expect(await answer(called)).toEqual({ outcome: "no_address" });
    expect((await detail(called)).obstacle).toBe("no_address");

    const id = await visit({ firstName: "Zélie" }, "Le café était froid et cher.");
    await as(
      "member",
      (sql) => sql`select public.note_review(${id}, 'Zélie, habituée', ${ours.id})`,
    );
    const { customer } = await detail(id);
    expect(await unread()).toBe(2);
    await as("owner", (sql) => sql`select public.erase_customer(${customer?.id ?? ""})`);
    // Closed by the erasure, it waits to be read no more; the other does.
    expect(await unread()).toBe(1);
    expect(await answer(id)).toEqual({ outcome: "erased" });
    expect(await detail(id)).toMatchObject({
      name: null,
      text: null,
      is_erased: true,
      state: "closed",
      actions: [{ kind: "note", body: null }],
    });
    await expect(
      as("member", (sql) => sql`select public.note_review(${id}, 'Zélie', ${randomUUID()})`),
    ).rejects.toMatchObject({ code: "TV180" });
    expect(await mails()).toEqual([]);
  });

  it("begins with the organisation's own words, once it has some", async () => {
    const id = await visit();
    expect((await detail(id)).templates).toBeNull();
    const own = [{ name: "Bref", body: "Bonjour {prénom}" }];
    const save = (templates: unknown) =>
      as(
        "member",
        (sql) =>
          sql`select public.save_answer_templates(${ours.id}, ${JSON.stringify(templates)}::jsonb)`,
      );
    await save(own);
    expect((await detail(id)).templates).toEqual(own);
    await expect(save([...own, ...own, ...own, ...own])).rejects.toMatchObject({ code: "23514" });
    await expect(save([{ name: " ", body: "x" }])).rejects.toMatchObject({ code: "23514" });
    expect((await detail(id)).templates).toEqual(own);
    await as("member", (sql) => sql`select public.save_answer_templates(${ours.id})`);
    expect((await detail(id)).templates).toBeNull();
    const trail = await database.sql`
      select user_id from public.audit_events where org_id = ${ours.id} and action = 'templates.updated'`;
    const { id: memberId } = ours.users.member;
    expect([...trail]).toEqual([{ user_id: memberId }, { user_id: memberId }]);
  });
});

describe("a file of reviews", () => {
  const exported = (isNamed: boolean) => database.sql`
    select * from public.export_reviews(${ours.id}, ${ours.users.member.id}, '{}', ${isNamed})`;

  it("names nobody where nobody may be named, by no column", async () => {
    const id = await visit({
      ...{ firstName: "Zélie", lastName: "Quintefeuille", rating: 2 },
      ...{ email: "zelie@exemple.fr", phone: "0698765432" },
    });
    await answer(id);
    const words = /Quintefeuille|zelie@|698765432/;
    expect(JSON.stringify(await exported(true))).toMatch(words);
    const [row] = await exported(false);
    expect(row).toMatchObject({ rating: 2, text: null, answer: null });
    expect(JSON.stringify(row)).not.toMatch(words);
  });

  it.each(["Pacific/Kiritimati", "Pacific/Pago_Pago"])(
    "has its moments by the organisation's clock, as in %s",
    async (timezone) => {
      await database.sql`update public.stores set timezone = ${timezone} where org_id = ${ours.id}`;
      await answer(await visit());
      const [there] = await database.sql`
        select private.export_moment(r.created_at, ${timezone}) as created_at,
          private.export_moment(a.created_at, ${timezone}) as answered_at
        from public.pre_spin_reviews r join public.review_actions a on a.org_id = r.org_id and a.review_id = r.id
        where r.org_id = ${ours.id}`;
      expect(await exported(true)).toMatchObject([there]);
    },
  );
});

describe("an assignee who no longer takes care of reviews", () => {
  it("leaves theirs to be taken by somebody else, and the history as it is", async () => {
    const { sql } = database;
    const assigned = async (role: Role) => {
      const id = await visit({ firstName: "Ana" });
      await as("owner", (run) => run`select public.assign_review(${id}, ${ours.users[role].id})`);
      return id;
    };
    const ofAdmin = await assigned("admin");
    const ofMember = await assigned("member");

    await as(
      "owner",
      (run) => run`select public.change_member_role(${ours.users.admin.id}, 'member')`,
    );
    expect((await detail(ofAdmin)).assigned_to).toBe(ours.users.admin.id);
    await as(
      "owner",
      (run) => run`select public.change_member_role(${ours.users.admin.id}, 'cashier')`,
    );
    expect((await detail(ofAdmin)).assigned_to).toBeNull();
    expect((await detail(ofMember)).assigned_to).toBe(ours.users.member.id);

    await as("owner", (run) => run`select public.remove_member(${ours.users.member.id})`);
    const { assigned_to, assignee, actions } = await detail(ofMember);
    expect({ assigned_to, assignee, kinds: actions.map(({ kind }) => kind) }).toEqual({
      assigned_to: null,
      assignee: null,
      kinds: ["assigned"],
    });
    expect((await inbox()).items.map((item) => item.assignee)).toEqual([null, null]);
    // Somebody who comes back begins with nothing.
    await sql`
      insert into public.organization_members (org_id, user_id, role)
      values (${ours.id}, ${ours.users.member.id}, 'member')`;
    expect((await inbox({ mine: true }, "member")).items).toEqual([]);
  });

  const assigning = (id: string) => (run: TransactionSql) =>
    run`select public.assign_review(${id}, ${ours.users.member.id})`;
  const leavings: readonly [how: string, leave: (run: TransactionSql) => Promise<unknown>][] = [
    ["are removed", (run) => run`select public.remove_member(${ours.users.member.id})`],
    [
      "get a role without reviews",
      (run) => run`select public.change_member_role(${ours.users.member.id}, 'cashier')`,
    ],
  ];

  it.each(leavings)(
    "is given no review while they %s: whoever gives it waits, and is refused",
    async (_, leave) => {
      const { sql } = database;
      const id = await visit();
      const { gift } = await sql.begin(async (team) => {
        await become(team, { userId: ours.users.owner.id });
        await leave(team);
        const gift = expect(as("admin", assigning(id))).rejects.toMatchObject({ code: "42501" });
        await untilWaiting(sql);
        return { gift };
      });
      await gift;
      expect(await detail(id)).toMatchObject({ assigned_to: null, assignee: null, actions: [] });
    },
  );

  it.each(leavings)(
    "keeps no review that is given to them just before they %s: that waits, and frees it",
    async (_, leave) => {
      const { sql } = database;
      const id = await visit();
      const { leaving } = await sql.begin(async (gift) => {
        await become(gift, { userId: ours.users.admin.id });
        await assigning(id)(gift);
        const leaving = as("owner", leave);
        await untilWaiting(sql);
        return { leaving };
      });
      await leaving;
      const { assigned_to, assignee, actions } = await detail(id);
      expect({ assigned_to, assignee, kinds: actions.map(({ kind }) => kind) }).toEqual({
        assigned_to: null,
        assignee: null,
        kinds: ["assigned"],
      });
    },
  );
});

describe("a role of the shop's own that takes care of no review any more", () => {
  const permissions = ["activity.read", "customers.read", "stores.read", "reviews.read"];
  let role: string;

  beforeEach(async () => {
    const { admin, member } = ours.users;
    const careful = [...permissions, "reviews.write"];
    role = await giveRole(database.sql, member, { orgId: ours.id, permissions: careful });
    await giveRole(database.sql, admin, { orgId: ours.id, permissions: careful });
  });

  const save = (wanted: readonly string[]) => (run: TransactionSql) =>
    run`select public.save_role('Vendeur', '', ${[...wanted]}, ${role})`;
  const assigning = (id: string, user: Role) => (run: TransactionSql) =>
    run`select public.assign_review(${id}, ${ours.users[user].id})`;

  it("leaves those of its members to be taken by somebody else", async () => {
    const ofMember = await visit();
    const ofAdmin = await visit();
    await as("owner", assigning(ofMember, "member"));
    await as("owner", assigning(ofAdmin, "admin"));
    await as("owner", save([...permissions, "reviews.write", "customers.write"]));
    expect((await detail(ofMember)).assigned_to).toBe(ours.users.member.id);

    await as("owner", save(permissions));
    const { assigned_to, assignee, actions } = await detail(ofMember);
    expect({ assigned_to, assignee, kinds: actions.map(({ kind }) => kind) }).toEqual({
      assigned_to: null,
      assignee: null,
      kinds: ["assigned"],
    });
    expect((await detail(ofAdmin)).assigned_to).toBe(ours.users.admin.id);
  });

  it("keeps none that is given to them just before: that waits, and frees it", async () => {
    const { sql } = database;
    const id = await visit();
    const { saving } = await sql.begin(async (gift) => {
      await become(gift, { userId: ours.users.owner.id });
      await assigning(id, "member")(gift);
      const saving = as("owner", save(permissions));
      await untilWaiting(sql);
      return { saving };
    });
    await saving;
    expect((await detail(id)).assigned_to).toBeNull();
  });

  it("is given none while it changes: whoever gives it waits, and is refused", async () => {
    const { sql } = database;
    const id = await visit();
    const { gift } = await sql.begin(async (team) => {
      await become(team, { userId: ours.users.owner.id });
      await save(permissions)(team);
      const gift = expect(as("owner", assigning(id, "member"))).rejects.toMatchObject({
        code: "42501",
      });
      await untilWaiting(sql);
      return { gift };
    });
    await gift;
    expect(await detail(id)).toMatchObject({ assigned_to: null, actions: [] });
  });
});

describe("an alert", () => {
  it("waits for the words, and leaves with them at once", async () => {
    const { sql } = database;
    await sql`
      insert into public.notification_preferences (org_id, user_id, low_ratings)
      values (${ours.id}, ${ours.users.owner.id}, true)
      on conflict (org_id, user_id) do update set low_ratings = true`;
    const alerts = () => sql<{ is_due: boolean; words: string | null; review: string }[]>`
      select next_attempt_at <= now() as is_due, data #>> '{facts,words}' as words,
        data #>> '{facts,review}' as review
      from private.outbox
      where template = 'low_rating' and recipient = ${ours.users.owner.email} order by id`;
    const silent = await visit({ rating: 1 });
    const id = await visit({ rating: 2 });
    expect((await alerts()).map(({ is_due }) => is_due)).toEqual([false, false]);
    await sql`select public.record_feedback(${id}, 'Le pain était rassis ce matin.')`;
    expect(await alerts()).toMatchObject([
      { is_due: false, words: null },
      { is_due: true, words: "Le pain était rassis ce matin." },
    ]);
    const [first, second] = await alerts();
    expect((await detail(first?.review ?? "")).id).toBe((await detail(silent)).id);
    expect((await detail(second?.review ?? "")).id).toBe((await detail(id)).id);
  });

  it("is one of thirty an hour in one organisation; the reviews are all kept", async () => {
    const other = await createOrganization(database.sql);
    const theirs = await createCampaign(database.sql, { orgId: other.id, storeId: other.storeId });
    await undone(database.sql, async (sql) => {
      await sql`
        insert into public.notification_preferences (org_id, user_id, low_ratings)
        values (${ours.id}, ${ours.users.owner.id}, true), (${other.id}, ${other.users.owner.id}, true)
        on conflict (org_id, user_id) do update set low_ratings = true`;
      for (let n = 0; n < 32; n += 1) await review(sql, { campaignId: campaign.id, rating: 1 });
      await review(sql, { campaignId: theirs.id, rating: 1 });
      const alerts = (recipient: string) => sql`
        select count(*)::integer from private.outbox
        where template = 'low_rating' and recipient = ${recipient}`;
      expect(await alerts(ours.users.owner.email)).toEqual([{ count: 30 }]);
      expect(await alerts(other.users.owner.email)).toEqual([{ count: 1 }]);
      expect(
        await sql`select count(*)::integer from public.pre_spin_reviews where org_id = ${ours.id}`,
      ).toEqual([{ count: 32 }]);
    });
  });
});
