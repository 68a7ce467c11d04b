import { beforeEach, describe, expect, it } from "vitest";
import type { CustomerFilters } from "#domain/schemas/customer-filters.ts";
import { customerDetail, customerList } from "#domain/schemas/customers.ts";
import { type ReviewFilters, reviewDetail, reviewInbox } from "#domain/schemas/reviews.ts";
import { LANGUAGES } from "#domain/text/languages.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { type ReviewRow, review, spin } from "../harness/journey.ts";
import { whole } from "./support/whole.ts";

/** The language of a page: kept with the review and its customer, filtered by, named by mails, forgotten. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;

beforeEach(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    playIntervalDays: 0,
  });
  const rewardId = await createReward(sql, campaign);
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
});

const ANA = "ana@exemple.fr";

const visit = (locale: string | null = null, email = ANA): Promise<ReviewRow> =>
  review(database.sql, { campaignId: campaign.id, email, locale, rating: 2 });

async function kept(): Promise<{ customers: string[]; reviews: (string | null)[] }> {
  const { sql } = database;
  const customers = await sql<{ locale: string }[]>`
    select locale from public.customers where org_id = ${ours.id} order by created_at, id`;
  const reviews = await sql<{ locale: string | null }[]>`
    select locale from public.pre_spin_reviews where org_id = ${ours.id} order by created_at, id`;
  return {
    customers: customers.map(({ locale }) => locale),
    reviews: reviews.map(({ locale }) => locale),
  };
}

const asOwner = <T extends object>(statement: string, values: unknown[]) =>
  database.as({ userId: ours.users.owner.id }, async (sql) => {
    const [row] = await sql.unsafe<{ answer: T }[]>(statement, values.map(String));
    return row?.answer;
  });

const customers = async (filters: CustomerFilters) =>
  whole(
    customerList,
    await asOwner("select public.customer_list($1, $2::text::jsonb) as answer", [
      ours.id,
      JSON.stringify(filters),
    ]),
  );

const inbox = async (filters: ReviewFilters) =>
  whole(
    reviewInbox,
    await asOwner("select public.review_inbox($1, $2::text::jsonb) as answer", [
      ours.id,
      JSON.stringify(filters),
    ]),
  );

describe("a language", () => {
  it("is one of those of the pages, in the database as in the domain", async () => {
    const [row] = await database.sql<{ known: string[] }[]>`
      select array_agg(l) as known from unnest(${[...LANGUAGES, "pt", "FR", "en-GB", ""]}::text[]) l
      where private.is_language(l)`;
    expect(row?.known).toEqual([...LANGUAGES]);
  });

  it("of a visit is kept with the review and the customer, whose last one counts", async () => {
    await visit();
    expect(await kept()).toEqual({ customers: ["fr"], reviews: ["fr"] });
    await visit("de");
    expect(await kept()).toEqual({ customers: ["de"], reviews: ["fr", "de"] });
    // A visit that names no language changes nothing about the person.
    await visit();
    expect(await kept()).toEqual({ customers: ["de"], reviews: ["fr", "de", "fr"] });
  });

  it("of a first visit is there at once, and a repeat changes neither", async () => {
    const visitId = "8a1cf0b3-6f6e-4a57-9f25-5a10d2f4a001";
    const again = (locale: string) =>
      review(database.sql, { campaignId: campaign.id, visitId, email: ANA, locale });
    expect((await again("nl")).outcome).toBe("created");
    expect((await again("it")).outcome).toBe("repeated");
    expect(await kept()).toEqual({ customers: ["nl"], reviews: ["nl"] });
  });

  it("of a spin is the customer's, with a review and without", async () => {
    const { sql } = database;
    const campaignId = campaign.id;
    await spin(sql, { campaignId, email: ANA, locale: "es" });
    expect(await kept()).toEqual({ customers: ["es"], reviews: [] });
    const { review_id: reviewId } = await visit("it");
    await spin(sql, { campaignId, reviewId, locale: "en" });
    expect(await kept()).toEqual({ customers: ["en"], reviews: ["it"] });
    await spin(sql, { campaignId, email: ANA });
    expect(await kept()).toEqual({ customers: ["en"], reviews: ["it"] });
  });

  it.each(["pt", "de-AT", ""])(
    "that is none of them (« %s ») is refused, and nothing is kept",
    async (locale) => {
      const nothing = { customers: [], reviews: [] };
      await expect(visit(locale)).rejects.toMatchObject({ code: "23514" });
      await expect(
        spin(database.sql, { campaignId: campaign.id, email: ANA, locale }),
      ).rejects.toMatchObject({ code: "23514" });
      expect(await kept()).toEqual(nothing);
    },
  );

  it("is forgotten with the customer", async () => {
    await visit("de");
    const [customer] = (await customers({})).items;
    await asOwner("select public.erase_customer($1)::text as answer", [customer?.id]);
    expect(await kept()).toEqual({ customers: [], reviews: [null] });
    const [item] = (await inbox({})).items;
    expect(item).toMatchObject({ is_erased: true, locale: null });
  });
});

describe("the lists", () => {
  it("show it and find by it", async () => {
    await visit("de", "dirk@exemple.fr");
    await visit("nl", "nele@exemple.fr");
    await visit("fr");
    const found = async (locale: "de" | "fr" | "en") => ({
      customers: (await customers({ locale })).items.map((one) => [one.email, one.locale]),
      reviews: (await inbox({ locale })).items.map((one) => one.locale),
    });
    expect(await found("de")).toEqual({ customers: [["dirk@exemple.fr", "de"]], reviews: ["de"] });
    expect(await found("fr")).toEqual({ customers: [[ANA, "fr"]], reviews: ["fr"] });
    expect(await found("en")).toEqual({ customers: [], reviews: [] });

    const [nele] = (await customers({ locale: "nl" })).items;
    const [item] = (await inbox({ locale: "nl", state: "open" })).items;
    const page = await asOwner("select public.customer_detail($1) as answer", [nele?.id]);
    const read = await asOwner("select public.review_detail($1) as answer", [item?.id]);
    expect(whole(customerDetail, page)?.locale).toBe("nl");
    expect(whole(reviewDetail, read)?.locale).toBe("nl");
  });

  it("are read from an index however many there are", async () => {
    const { sql } = database;
    const orgId = ours.id;
    const plans = await sql.begin(async (transaction) => {
      // Rows as the triggers would leave them; all of it is undone.
      await transaction`set local session_replication_role = replica`;
      await transaction`
        insert into public.customers (org_id, name, email, created_at, locale)
        select ${orgId}, 'Client ' || n, 'client' || n || '@exemple.fr', now() - n * interval '1 minute',
          case when n % 500 = 0 then 'de' else 'fr' end
        from generate_series(1, 20000) n`;
      await transaction`
        insert into public.pre_spin_reviews (org_id, campaign_id, store_id, visit_id, rating, created_at, locale)
        select ${orgId}, ${campaign.id}, ${ours.storeId}, gen_random_uuid(), 5, now() - n * interval '1 minute',
          case when n % 500 = 0 then 'de' else 'fr' end
        from generate_series(1, 20000) n`;
      await transaction`analyze public.customers, public.pre_spin_reviews`;
      const explain = async (query: string) => {
        const rows = await transaction.unsafe<{ "QUERY PLAN": string }[]>(`explain ${query}`);
        return rows.map((line) => line["QUERY PLAN"]).join("\n");
      };
      const inList = (locale: string) =>
        explain(`select c.id from public.customers c
          where c.org_id = '${orgId}' and private.matches_filters(c, '{"locale": "${locale}"}')
          order by c.created_at desc, c.id desc limit 26`);
      const inInbox = (locale: string) =>
        explain(`select r.id from public.pre_spin_reviews r
          where r.org_id = '${orgId}' and private.is_in_inbox(r, '{"locale": "${locale}"}', null)
          order by r.created_at desc, r.id desc limit 26`);
      const found = {
        foreign: await inList("de"),
        french: await inList("fr"),
        foreignReviews: await inInbox("de"),
        frenchReviews: await inInbox("fr"),
      };
      await transaction`delete from public.pre_spin_reviews where org_id = ${orgId}`;
      await transaction`delete from public.customers where org_id = ${orgId}`;
      return found;
    });
    expect(plans.foreign).toContain("customers_locale_idx");
    expect(plans.french).toContain("customers_list_idx");
    expect(plans.foreignReviews).toContain("pre_spin_reviews_org_locale_idx");
    expect(plans.frenchReviews).toContain("pre_spin_reviews_org_created_idx");
    expect(Object.values(plans).join("\n")).not.toMatch(/Seq Scan/);
  });
});

describe("mails to a customer", () => {
  it("name the language of their last visit, whoever has them written", async () => {
    const { sql } = database;
    const campaignId = campaign.id;
    const { review_id: reviewId } = await visit("de");
    const { body } = await spin(sql, { campaignId, reviewId, locale: "nl" });
    const { spin_id, nonce } = JSON.parse(body ?? "{}");
    await sql`select public.mail_prize(${campaignId}, ${spin_id}, ${nonce}, null, 'a')`;
    const [item] = (await inbox({ locale: "de" })).items;
    const words = "Bonjour, merci de votre message.";
    await asOwner("select public.answer_review($1, 0, $2, gen_random_uuid())::text as answer", [
      item?.id,
      words,
    ]);
    const [code] = await sql<{ id: string }[]>`
      select id from public.redemptions where org_id = ${ours.id}`;
    await sql`
      select private.notify_winners(d.org_id, array[d.id], 'prize_held') from public.redemptions d where d.id = ${code?.id ?? null}`;
    await sql`
      select private.write_gesture_mail(${ANA}, ${words}, 'marie@exemple.fr', d)
      from public.redemptions d where d.id = ${code?.id ?? null}`;
    const written = await sql<{ template: string; locale: string }[]>`
      select template, data ->> 'locale' as locale from private.outbox
      where recipient = ${ANA} order by template`;
    expect(written).toEqual(
      ["prize", "prize_held", "review_answer", "review_gesture"].map((template) => ({
        template,
        locale: "nl",
      })),
    );
  });
});
