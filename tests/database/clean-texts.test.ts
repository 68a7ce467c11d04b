import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listMigrations } from "../../server/postgres/migrate.ts";
import { cleanLine, cleanText } from "../../supabase/functions/_shared/http/clean-text.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  createUser,
  drawWheel,
} from "../harness/fixtures.ts";
import { ratingOf } from "./support/calls.ts";

/** Texts whose signs hide or reverse what stands beside them, whoever writes them. */

/** A name with a line break, and signs that reverse what follows. */
const HOSTILE = "\u00a0Café\n\u202ede \u200bla\u2066 Gare ";
const CLEAN = "Café de la Gare";

const database = setUpTestDatabase();

/** An organisation with a campaign, both of plain names. */
async function opened() {
  const organization = await createOrganization(database.sql, {});
  const campaign = await createCampaign(database.sql, {
    orgId: organization.id,
    storeId: organization.storeId,
  });
  return { organization, campaign };
}

describe("a text", () => {
  /** Texts of signs that the rule knows, and of some that it leaves alone. */
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom("a", "É", "e\u0301", " ", "ب", "क\u094d", "日", "👩", "🏴", "1", "К"),
        fc.integer({ min: 1, max: 0x9f }).map((code) => String.fromCodePoint(code)),
        fc.integer({ min: 0x2000, max: 0x206f }).map((code) => String.fromCodePoint(code)),
        fc.integer({ min: 0xe0000, max: 0xe0080 }).map((code) => String.fromCodePoint(code)),
        fc.constantFrom("\u0335", "\u00ad", "\ufeff", "\ufe0f", "\u3164", "\u200d", "\u061c"),
      ),
      { maxLength: 14 },
    )
    .map((parts) => parts.join(""));

  it("is the same in SQL and in the domain, and stays what it is", async () => {
    const { sql } = database;
    const inSql = async (texts: string[]) => {
      const rows = await sql<{ line: string; text: string }[]>`
        select private.clean_line(t) as line, private.clean_text(t) as text
        from unnest(${texts}::text[]) with ordinality as u (t, n) order by n`;
      return { lines: rows.map(({ line }) => line), texts: rows.map((row) => row.text) };
    };
    await fc.assert(
      fc.asyncProperty(fc.array(text, { maxLength: 60 }), async (texts) => {
        const clean = await inSql(texts);
        expect(clean).toEqual({ lines: texts.map(cleanLine), texts: texts.map(cleanText) });
        expect((await inSql(clean.lines)).lines).toEqual(clean.lines);
        expect((await inSql(clean.texts)).texts).toEqual(clean.texts);
      }),
      { numRuns: 60 },
    );
  });

  it.each(["\u00a0", "\u200b\u202e", "\u3164", "\n\t"])("of %j is no name", async (blank) => {
    const { organization, campaign } = await opened();
    const orgId = organization.id;
    for (const write of [
      () => database.sql`update public.organizations set name = ${blank} where id = ${orgId}`,
      () => database.sql`update public.stores set name = ${blank} where org_id = ${orgId}`,
      () => database.sql`update public.stores set address = ${blank} where org_id = ${orgId}`,
      () => database.sql`update public.campaigns set name = ${blank} where org_id = ${orgId}`,
      () => createReward(database.sql, campaign, { name: blank }),
      () => createPointsReward(database.sql, { orgId, name: blank }),
    ]) {
      await expect(write()).rejects.toMatchObject({ code: "23514" });
    }
  });
});

describe("written through the data API", () => {
  it("names of a shop, its campaigns, prizes and wheel are clean", async () => {
    const { organization, campaign } = await opened();
    const kept = await database.as({ userId: organization.users.owner.id }, async (sql) => {
      await sql`update public.stores set name = ${HOSTILE}, address = ${HOSTILE} where org_id = ${organization.id}`;
      await sql`update public.campaigns set name = ${HOSTILE}, description = ${"\u202eUn\r\ndeux\u2028 "} where id = ${campaign.id}`;
      const reward = await createReward(sql, campaign, {
        name: HOSTILE,
        metadata: { item: HOSTILE },
        translations: { en: " The \u202estation" },
      });
      await drawWheel(sql, campaign, [
        { weight: 100, rewardId: reward, label: HOSTILE, translations: { de: "Bahn\u200bhof" } },
      ]);
      await createPointsReward(sql, { orgId: organization.id, name: HOSTILE });
      const [row] = await sql`
        select s.name as store, s.address, c.name as campaign, c.description, r.name as reward, r.metadata,
          r.translations, w.label, w.translations as labels, p.name as points
        from public.campaigns c
        join public.stores s on s.id = c.store_id
        join public.rewards r on r.campaign_id = c.id
        join public.wheel_segments w on w.reward_id = r.id
        join public.points_rewards p on p.org_id = c.org_id
        where c.id = ${campaign.id}`;
      return row;
    });
    expect(kept).toEqual({
      store: CLEAN,
      address: CLEAN,
      campaign: CLEAN,
      description: "Un\ndeux",
      reward: CLEAN,
      metadata: { item: CLEAN },
      translations: { en: "The station" },
      label: CLEAN,
      labels: { de: "Bahnhof" },
      points: CLEAN,
    });
  });

  it("a translation in which nothing is to be seen is refused", async () => {
    const { organization, campaign } = await opened();
    const hidden = database.as({ userId: organization.users.owner.id }, (sql) =>
      createReward(sql, campaign, { translations: { en: "\u200b" } }),
    );
    await expect(hidden).rejects.toMatchObject({ code: "23514" });
  });

  it("a campaign that differs from another by what nobody sees has its name already", async () => {
    const { organization, campaign } = await opened();
    await database.sql`update public.campaigns set name = 'Été' where id = ${campaign.id}`;
    const twin = createCampaign(database.sql, {
      orgId: organization.id,
      storeId: organization.storeId,
      name: "E\u0301t\u200bé",
    });
    await expect(twin).rejects.toMatchObject({ code: "23505" });
  });

  it("names of roles, keys and templates are clean, and so is a member's", async () => {
    const { organization } = await opened();
    const kept = await database.as({ userId: organization.users.owner.id }, async (sql) => {
      await sql`select public.save_role(${HOSTILE}, ${HOSTILE}, '{codes.redeem}')`;
      await sql`select public.save_answer_templates(${organization.id},
        ${sql.json([{ name: HOSTILE, body: "Merci\u202e\r\n!" }])})`;
      const [key] = await sql`select public.create_api_key(${HOSTILE}, 'read') ->> 'name' as name`;
      return key?.name;
    });
    const [row] = await database.sql`
      select r.name as role, r.description, t.name as template, t.body, e.detail ->> 'name' as noted
      from public.roles r join public.answer_templates t on t.org_id = r.org_id
      join public.audit_events e on e.org_id = r.org_id and e.action = 'role.created'
      where r.org_id = ${organization.id}`;
    expect({ ...row, key: kept }).toEqual({
      role: CLEAN,
      description: CLEAN,
      template: CLEAN,
      body: "Merci\n!",
      noted: CLEAN,
      key: CLEAN,
    });
    const { id } = await createUser(database.sql, { fullName: HOSTILE });
    const [member] = await database.sql`select private.user_name(${id}) as name`;
    expect(member?.name).toBe(CLEAN);
  });
});

describe("from a phone", () => {
  it("a customer's name is clean wherever it stands, and what they wrote keeps its lines", async () => {
    const { organization, campaign } = await opened();
    const { end_user, rating } = ratingOf(campaign);
    const words = "Très bon accueil\r\n\u202eet un café parfait.\u0007 ";
    const [review] = await database.sql`
      select review_id from public.record_review(${campaign.id}, gen_random_uuid(), ${"\u202eAna\u200b"}, ${" Petit\n"},
        ${end_user.email}, null, false, ${rating}, 'qr', 'address')`;
    const outcomes = [];
    for (let time = 0; time < 2; time += 1) {
      const [row] = await database.sql`
        select outcome from public.record_feedback(${review?.review_id}, ${words})`;
      outcomes.push(row?.outcome);
    }
    expect(outcomes).toEqual(["added", "repeated"]);
    const reward = await createReward(database.sql, campaign);
    await drawWheel(database.sql, campaign, [{ weight: 100, rewardId: reward }]);
    await database.sql`select public.spin_wheel(${campaign.id}, null, gen_random_uuid(), ${HOSTILE},
      'jo@exemple.fr', null, 'device', 'address')`;
    const [row] = await database.sql`
      select c.first_name, c.last_name, c.name, r.customer_name, r.review_text,
        (select o.name from public.customers o where o.org_id = c.org_id and o.email = 'jo@exemple.fr') as player,
        (select d.end_user_name from public.redemptions d where d.org_id = c.org_id) as winner
      from public.customers c join public.pre_spin_reviews r on r.customer_id = c.id
      where c.org_id = ${organization.id} and r.id = ${review?.review_id}`;
    expect(row).toEqual({
      first_name: "Ana",
      last_name: "Petit",
      name: "Ana Petit",
      customer_name: "Ana Petit",
      review_text: "Très bon accueil\net un café parfait.",
      player: CLEAN,
      winner: CLEAN,
    });
  });

  it("twenty signs that nobody sees are no feedback", async () => {
    const { campaign } = await opened();
    const [review] = await database.sql`
      select review_id from public.record_review(${campaign.id}, gen_random_uuid(), 'Ana', 'Petit',
        'blank@exemple.fr', null, false, 2, 'qr', 'address')`;
    await expect(
      database.sql`select public.record_feedback(${review?.review_id}, ${"\u200b".repeat(30)})`,
    ).rejects.toMatchObject({ code: "23514" });
  });
});

it("cleans what was there before the rule, and nothing else", async () => {
  const { sql } = database;
  const tables = [
    "organizations",
    "stores",
    "campaigns",
    "rewards",
    "wheel_segments",
    "points_rewards",
    "customers",
  ];
  const allTriggers = async (state: "disable" | "enable") => {
    for (const table of tables) {
      await sql`alter table ${sql(`public.${table}`)} ${sql.unsafe(state)} trigger adjust_texts`;
    }
  };
  await allTriggers("disable");
  const { organization, campaign } = await opened();
  const { id: orgId, slug, storeId } = organization;
  await sql`update public.organizations set name = ${"\u00a0"} where id = ${orgId}`;
  await sql`update public.stores set name = ${HOSTILE} where id = ${storeId}`;
  for (const name of [CLEAN, HOSTILE]) await createCampaign(sql, { orgId, storeId, name });
  const reward = await createReward(sql, campaign, {
    name: HOSTILE,
    translations: { en: "Co\u200bffee", de: "\u200b" },
  });
  await drawWheel(sql, campaign, [
    { weight: 20, rewardId: reward, label: HOSTILE },
    { weight: 80, label: "\u00a0" },
  ]);
  await createPointsReward(sql, { orgId, name: "\u202eThé" });
  await sql`insert into public.customers (org_id, name, email, note) values
    (${orgId}, ${HOSTILE}, 'a@exemple.fr', ${"Un\r\n\u202edeux"}), (${orgId}, ${"\u2800\u200b"}, 'b@exemple.fr', null),
    (${orgId}, 'Zoé', 'c@exemple.fr', null)`;
  await allTriggers("enable");

  const migration = (await listMigrations()).find(({ name }) => name === "names_that_others_read");
  const text = await readFile(migration?.file ?? "", "utf8");
  await sql.unsafe(text.slice(text.lastIndexOf("do $$")));

  const [row] = await sql`
    select o.name, (select s.name from public.stores s where s.org_id = o.id) as store,
      (select array_agg(c.name order by c.created_at, c.id) from public.campaigns c where c.org_id = o.id and c.id <> ${campaign.id}) as campaigns,
      (select array[r.name, r.translations::text] from public.rewards r where r.org_id = o.id) as reward,
      (select array_agg(w.label order by w.position) from public.wheel_segments w where w.org_id = o.id) as labels,
      (select p.name from public.points_rewards p where p.org_id = o.id) as points,
      (select array_agg(c.name || coalesce(':' || c.note, '') || ':' || c.version order by c.email) from public.customers c where c.org_id = o.id) as customers
    from public.organizations o where o.id = ${orgId}`;
  expect(row).toEqual({
    name: slug,
    store: CLEAN,
    campaigns: [CLEAN, `${CLEAN} (2)`],
    reward: [CLEAN, '{"en": "Coffee"}'],
    labels: [CLEAN, "Pas de chance"],
    points: "Thé",
    customers: [`${CLEAN}:Un\ndeux:2`, "b@exemple.fr:2", "Zoé:1"],
  });
});
