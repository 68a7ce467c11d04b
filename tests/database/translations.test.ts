import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { campaignPage, forPhones } from "#domain/schemas/campaign-page.ts";
import { rulesIn, rulesPage } from "#domain/schemas/campaign-rules.ts";
import { campaignEditor } from "#domain/schemas/campaigns.ts";
import {
  closedCampaignPage,
  closedIn,
  organizationIn,
  organizationPage,
} from "#domain/schemas/open-wheels.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createPointsReward,
  createReward,
  daysFromNow,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { spendPoints, spin, winPoints } from "../harness/journey.ts";
import { whole } from "./support/whole.ts";

/** Texts that a merchant writes for customers, in the languages of the phone pages. */

const database = setUpTestDatabase();

type Opened = { ours: Organization; campaign: Campaign; coffee: string; ticket: string };

/** A campaign with a translated coffee, a segment called otherwise than its reward, and one that loses. */
async function opened(): Promise<Opened> {
  const { sql } = database;
  const ours = await createOrganization(sql);
  const campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    playIntervalDays: 0,
  });
  const coffee = await createReward(sql, campaign, {
    name: "Café offert",
    metadata: { item: "Café offert" },
    translations: { en: "Free coffee", de: "Gratis-Kaffee" },
  });
  const ticket = await createReward(sql, campaign, { name: "Ticket de cinéma" });
  await drawWheel(sql, campaign, [
    { weight: 50, rewardId: coffee, label: "Café offert" },
    { weight: 30, rewardId: ticket, label: "Cinéma", translations: { en: "Cinema" } },
    { weight: 20, label: "Perdu", translations: { en: "No win" } },
  ]);
  return { ours, campaign, coffee, ticket };
}

const asOwner = <T>({ ours }: Opened, statement: string, values: string[]) =>
  database.as({ userId: ours.users.owner.id }, async (sql) => {
    const [row] = await sql.unsafe<{ answer: T }[]>(statement, values);
    return row?.answer;
  });

async function pageOf({ slug }: Campaign) {
  const [row] = await database.sql`select public.campaign_page(${slug}) as page`;
  return campaignPage.parse(row?.page);
}

describe("translations", () => {
  it("are texts of the other languages, trimmed, no longer than what they translate", async () => {
    const { coffee, campaign, ours } = await opened();
    const { sql } = database;
    const { id: points } = await createPointsReward(sql, { orgId: ours.id });
    const put = (text: string) =>
      sql`update public.rewards set translations = ${text}::text::jsonb where id = ${coffee}`;
    const putItem = (text: string) =>
      sql`update public.rewards set item_translations = ${text}::text::jsonb where id = ${coffee}`;
    const putPoints = (text: string) =>
      sql`update public.points_rewards set translations = ${text}::text::jsonb where id = ${points}`;
    const putLabel = (text: string) => sql`
      update public.wheel_segments set translations = ${text}::text::jsonb
      where campaign_id = ${campaign.id} and label = 'Perdu'`;
    const of = (length: number) => JSON.stringify({ nl: "k".repeat(length) });
    for (const [store, most] of [
      [put, 120],
      [putItem, 200],
      [putPoints, 120],
      [putLabel, 60],
    ] as const) {
      for (const fine of [
        "{}",
        '{"en": "a", "de": "b", "es": "c", "it": "d", "nl": "e"}',
        of(most),
      ]) {
        await store(fine);
      }
      for (const wrong of [
        "[]",
        '"en"',
        "null",
        '{"fr": "Café"}',
        '{"pt": "Café"}',
        '{"en": ""}',
        '{"en": null}',
        '{"en": ["a"]}',
        of(most + 1),
      ]) {
        await expect(store(wrong), wrong).rejects.toMatchObject({ code: "23514" });
      }
    }
    await expect(
      sql`update public.rewards set translations = null where id = ${coffee}`,
    ).rejects.toMatchObject({ code: "23502" });
  });

  it("are a new version of the reward, which is written down, and no change of the rules", async () => {
    const shop = await opened();
    const read = () => database.sql`
      select r.version, c.rules_version, (
        select jsonb_agg(e.detail -> 'fields') from public.audit_events e
        where e.org_id = r.org_id and e.action = 'reward.updated') as fields
      from public.rewards r join public.campaigns c on c.id = r.campaign_id where r.id = ${shop.coffee}`;
    const [before] = await read();
    await asOwner(
      shop,
      `update public.rewards set translations = $2::text::jsonb, item_translations = $2::text::jsonb
       where id = $1 returning id as answer`,
      [shop.coffee, '{"it": "Caffè"}'],
    );
    expect([...(await read())]).toEqual([
      {
        version: before?.version + 1,
        rules_version: before?.rules_version,
        fields: [["item_translations", "translations"]],
      },
    ]);
  });

  it("of another organisation are nobody's to change, and stand on no other page", async () => {
    const ours = await opened();
    const theirs = await opened();
    const changed = await asOwner(
      theirs,
      `with changed as (update public.rewards set translations = '{"en": "Theft"}' where id = $1 returning 1)
       select count(*)::int as answer from changed`,
      [ours.coffee],
    );
    expect(changed).toBe(0);
    await database.sql`update public.rewards set translations = '{"en": "Mocha"}' where id = ${theirs.coffee}`;
    const { segments } = forPhones(await pageOf(ours.campaign), "en");
    expect(segments.map(({ label }) => label)).toEqual(["Free coffee", "Cinema", "No win"]);
  });
});

describe("a page", () => {
  it("has the wheel in the language of the phone, as far as it is translated", async () => {
    const page = await pageOf((await opened()).campaign);
    const labels = (language: "fr" | "en" | "de") =>
      forPhones(page, language).segments.map(({ label }) => label);
    expect(labels("fr")).toEqual(["Café offert", "Cinéma", "Perdu"]);
    expect(labels("en")).toEqual(["Free coffee", "Cinema", "No win"]);
    expect(labels("de")).toEqual(["Gratis-Kaffee", "Cinéma", "Perdu"]);
    expect(forPhones(page, "fr")).not.toHaveProperty("words");
    expect(forPhones(page, "de").words).toContainEqual(["Café offert", "Gratis-Kaffee"]);
  });

  it("says a text in one way: as the newest reward of that name does", async () => {
    const { campaign } = await opened();
    const twin = { name: "Café offert", translations: { en: "Coffee on us" } };
    await createReward(database.sql, campaign, twin);
    const { segments } = forPhones(await pageOf(campaign), "en");
    expect(segments.map(({ label }) => label)).toEqual(["Coffee on us", "Cinema", "No win"]);
  });

  it("says our own losing segment and example in each language", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const labels = async () =>
      forPhones(await pageOf(campaign), "de").segments.map(({ label }) => label);
    expect(await labels()).toEqual([
      "Gratis-Kaffee",
      "10 % Rabatt",
      "Gratis-Dessert",
      "Kein Glück",
    ]);
    await createReward(sql, campaign, { name: "Thé", translations: { de: "Tee" } });
    expect(await labels()).toEqual(["Tee"]);
    await createReward(sql, campaign, { name: "Jus" });
    await createReward(sql, campaign, { name: "Eau" });
    expect(await labels()).toEqual(["Tee", "Jus", "Eau", "Kein Glück"]);
  });

  it("has the rules with the names of the language; what was published stays", async () => {
    const { campaign } = await opened();
    const [row] = await database.sql`select public.campaign_rules_page(${campaign.slug}) as page`;
    const page = rulesPage.parse(row?.page);
    const { prizes, losing } = rulesIn(page, "en").content;
    // A thing that is called as the prize is not said twice, and in one language.
    expect(prizes.map(({ name, item, labels }) => [name, item, labels])).toEqual([
      ["Free coffee", "Free coffee", ["Free coffee"]],
      ["Ticket de cinéma", null, ["Cinema"]],
    ]);
    expect(losing?.labels).toEqual(["No win"]);
    expect(rulesIn(page, "fr").content).toEqual(page.content);
  });

  it("has the thing that a prize gives in the language, where it is called otherwise", async () => {
    const shop = await opened();
    await asOwner(
      shop,
      `update public.rewards set metadata = '{"item": "Un expresso"}', item_translations = $2::text::jsonb
       where id = $1 returning id as answer`,
      [shop.coffee, '{"en": "An espresso"}'],
    );
    const itemIn = async (slug: string, language: "fr" | "en" | "de") => {
      const [row] = await database.sql`select public.campaign_rules_page(${slug}) as page`;
      return rulesIn(rulesPage.parse(row?.page), language).content.prizes[0]?.item;
    };
    const { slug } = shop.campaign;
    expect([await itemIn(slug, "en"), await itemIn(slug, "de"), await itemIn(slug, "fr")]).toEqual([
      "An espresso",
      "Un expresso",
      "Un expresso",
    ]);
    // A copy of the campaign says it, too.
    await asOwner(shop, "select public.duplicate_campaign($1, 'Double') as answer", [
      shop.campaign.id,
    ]);
    const [copy] = await database.sql`
      update public.campaigns set active = true where org_id = ${shop.ours.id} and name = 'Double' returning slug`;
    expect(await itemIn(copy?.slug, "en")).toBe("An espresso");
    // A prize of that name is said in one way, wherever it stands.
    await createReward(database.sql, shop.campaign, {
      name: "Un expresso",
      translations: { en: "Espresso" },
    });
    expect(await itemIn(slug, "en")).toBe("Espresso");
  });

  it("does not say of a reward what its segment said before", async () => {
    const { campaign, ticket } = await opened();
    await database.sql`
      update public.wheel_segments set label = 'Ticket de cinéma' where reward_id = ${ticket}`;
    const { segments } = forPhones(await pageOf(campaign), "en");
    expect(segments[1]?.label).toBe("Ticket de cinéma");
  });
});

describe("the name of a campaign", () => {
  const save = (shop: Opened, version: number, translations: string | null) =>
    asOwner(
      shop,
      `select public.save_campaign($1, $2::text::int, c.name, c.slug, c.store_id, c.active, c.play_interval_days,
         p_translations => $3::text::jsonb) as answer from public.campaigns c where c.id = $1`,
      [shop.campaign.id, String(version), translations ?? "null"],
    );
  const nameNow = async (slug: string) => {
    const [row] = await database.sql<{ name: string; translations: object; version: number }[]>`
      select name, translations, version from public.campaigns where slug = ${slug}`;
    if (!row) throw new Error("No campaign.");
    return row;
  };

  it("is read in the language of the page, on the way there and where it is closed", async () => {
    const shop = await opened();
    const { slug } = shop.campaign;
    const own = (await nameNow(slug)).name;
    const { version } = await nameNow(slug);
    await save(shop, version, '{"en": "The counter wheel"}');
    const saved = { translations: { en: "The counter wheel" }, version: version + 1 };
    expect(await nameNow(slug)).toMatchObject(saved);
    // A page that knows nothing of translations leaves them as they are.
    await save(shop, version + 1, null);
    expect(await nameNow(slug)).toMatchObject(saved);
    const page = await pageOf(shop.campaign);
    expect([
      forPhones(page, "en").name,
      forPhones(page, "de").name,
      forPhones(page, "fr").name,
    ]).toEqual(["The counter wheel", own, own]);
    const [row] = await database.sql`
      select public.organization_page(o.slug) as page from public.organizations o where o.id = ${shop.ours.id}`;
    const wheels = organizationPage.parse(row?.page);
    const other = await createCampaign(database.sql, {
      orgId: shop.ours.id,
      storeId: shop.ours.storeId,
      startsAt: daysFromNow(1),
    });
    const [closed] = await database.sql`select public.closed_campaign_page(${other.slug}) as page`;
    const upcoming = closedCampaignPage.parse(closed?.page);
    for (const [language, name] of [
      ["en", "The counter wheel"],
      ["nl", own],
      ["fr", own],
    ] as const) {
      for (const wheel of [
        organizationIn(wheels, language).campaigns[0],
        closedIn(upcoming, language).open_wheels[0],
      ]) {
        expect(wheel).toMatchObject({ slug, name });
        expect(wheel).not.toHaveProperty("translations");
      }
    }
  });

  it("is no longer than it may be, and refused whole where it is", async () => {
    const shop = await opened();
    const long = JSON.stringify({ en: "k".repeat(121) });
    const before = await nameNow(shop.campaign.slug);
    await expect(save(shop, before.version, long)).rejects.toMatchObject({ code: "23514" });
    expect(await nameNow(shop.campaign.slug)).toEqual({ ...before, translations: {} });
  });
});

describe("a wheel that is saved", () => {
  it("keeps the translations that are sent, else those of the same text", async () => {
    const shop = await opened();
    const read = async () =>
      whole(
        campaignEditor,
        await asOwner(shop, "select public.campaign_editor($1) as answer", [shop.campaign.id]),
      );
    const before = await read();
    const sent = before?.segments.map(({ translations, ...one }, place) => ({
      ...one,
      ...(place === 1 && { label: "Ciné" }),
      ...(place === 0 && { translations: { nl: "Koffie" } }),
    }));
    await asOwner(
      shop,
      `select public.save_campaign($1, $2::text::int, c.name, c.slug, c.store_id, c.active, c.play_interval_days,
         p_segments => $3::text::jsonb) as answer from public.campaigns c where c.id = $1`,
      [shop.campaign.id, String(before?.campaign.version), JSON.stringify(sent)],
    );
    const after = await read();
    expect(after?.segments.map(({ label, translations }) => [label, translations])).toEqual([
      ["Café offert", { nl: "Koffie" }],
      ["Ciné", {}],
      ["Perdu", { en: "No win" }],
    ]);
  });

  it("takes them along when it is copied, shared or begun from a proposal", async () => {
    const shop = await opened();
    const labelsOf = async (name: string) => {
      const [row] = await database.sql<{ slug: string }[]>`
        select slug from public.campaigns where org_id = ${shop.ours.id} and name = ${name}`;
      const page = await pageOf({ ...shop.campaign, slug: row?.slug ?? "" });
      return forPhones(page, "en").segments.map(({ label }) => label);
    };
    const english = ["Free coffee", "Cinema", "No win"];
    await asOwner(shop, "select public.duplicate_campaign($1, 'Copie') as answer", [
      shop.campaign.id,
    ]);
    await database.sql`
      update public.campaigns set active = true where org_id = ${shop.ours.id} and name = 'Copie'`;
    expect(await labelsOf("Copie")).toEqual(english);
    const start = `
      select public.start_campaign($1, $2, $3, null, true, $4::text::jsonb, p_source_id => $5::text::uuid,
        p_is_shared => true) as answer`;
    await asOwner(shop, start, [
      randomUUID(),
      shop.ours.storeId,
      "Partagée",
      "null",
      shop.campaign.id,
    ]);
    expect(await labelsOf("Partagée")).toEqual(english);
    const segments = [
      {
        label: "Thé",
        color: "#10B981",
        weight: 60,
        prize: { type: "gift", cost_cents: 50, translations: { en: "Tea" } },
      },
      {
        label: "Perdu",
        color: "#6B7280",
        weight: 40,
        translations: { en: "Bad luck" },
        prize: null,
      },
    ];
    await asOwner(
      shop,
      "select public.start_campaign($1, $2, $3, null, true, $4::text::jsonb) as answer",
      [randomUUID(), shop.ours.storeId, "Proposée", JSON.stringify(segments)],
    );
    expect(await labelsOf("Proposée")).toEqual(["Tea", "Bad luck"]);
  });
});

describe("a mail about a prize", () => {
  it("names it in the customer's language; the answer and the code keep the merchant's words", async () => {
    const { campaign, coffee, ours } = await opened();
    const { sql } = database;
    await sql`update public.rewards set stock = 0 where org_id = ${ours.id} and id <> ${coffee}`;
    await sql`update public.wheel_segments set weight = case when reward_id = ${coffee} then 100 else 0 end
      where campaign_id = ${campaign.id}`;
    const play = { campaignId: campaign.id, playId: randomUUID(), email: "dirk@exemple.fr" };
    const { body } = await spin(sql, { ...play, locale: "de" });
    const drawn = JSON.parse(body ?? "{}");
    expect(drawn).toMatchObject({ segment_label: "Café offert", reward: { name: "Café offert" } });
    expect((await spin(sql, { ...play, locale: "en" })).body).toBe(body);
    await sql`select public.mail_prize(${campaign.id}, ${drawn.spin_id}, ${drawn.nonce}, null, 'a')`;
    await sql`select private.notify_winners(d.org_id, array[d.id], 'prize_held') from public.redemptions d where d.org_id = ${ours.id}`;
    await sql`
      select private.write_gesture_mail('dirk@exemple.fr', 'Merci', 'marie@exemple.fr', d)
      from public.redemptions d where d.org_id = ${ours.id}`;
    const named = async () => {
      const rows = await sql<{ prize: string }[]>`
        select data #>> '{facts,prize}' as prize from private.outbox where recipient = 'dirk@exemple.fr'`;
      return rows.map(({ prize }) => prize);
    };
    expect(await named()).toEqual(["Gratis-Kaffee", "Gratis-Kaffee", "Gratis-Kaffee"]);
    const [code] = await sql`select reward_name from public.redemptions where org_id = ${ours.id}`;
    expect(code?.reward_name).toBe("Café offert");

    // A reward that was renamed since is something else, and an address of the web is named in no language.
    const nameNow = async () => {
      const [row] = await sql`
        select private.mailed_name(d, 'de') as name from public.redemptions d where d.org_id = ${ours.id}`;
      return row?.name;
    };
    await sql`update public.rewards set name = 'Thé offert' where id = ${coffee}`;
    expect(await nameNow()).toBe("Café offert");
    await sql`
      update public.rewards set name = 'Café offert', translations = '{"de": "www.example.de"}' where id = ${coffee}`;
    expect(await nameNow()).toBeNull();
  });
});

describe("points", () => {
  it("are spent on what is named in the phone's language; the team reads the merchant's words", async () => {
    const { sql } = database;
    const ours = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(sql, campaign, {
      type: "points",
      metadata: { points: 50 },
    });
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    const tea = await createPointsReward(sql, {
      orgId: ours.id,
      name: "Thé",
      translations: { es: "Té" },
    });
    const proofs = [await winPoints(sql, { campaignId: campaign.id })];
    const wallet = async (locale: string | null) => {
      const [row] = await sql`
        select body from public.points_wallet(${campaign.id}, ${sql.json(proofs)}, 'a', ${locale})`;
      const { rewards, codes } = row?.body ?? {};
      return [rewards[0].name, codes[0]?.reward];
    };
    expect(await wallet("es")).toEqual(["Té", undefined]);
    const spent = await spendPoints(sql, {
      campaignId: campaign.id,
      proofs,
      rewardId: tea.id,
      cost: tea.cost,
      locale: "es",
    });
    expect(spent.body?.codes[0]?.reward).toBe("Té");
    expect(await wallet("de")).toEqual(["Thé", "Thé"]);
    expect(await wallet(null)).toEqual(["Thé", "Thé"]);
    const [kept] =
      await sql`select reward_name from public.points_spends where org_id = ${ours.id}`;
    expect(kept?.reward_name).toBe("Thé");
  });
});
