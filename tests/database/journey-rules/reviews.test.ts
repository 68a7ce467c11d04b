import { randomUUID } from "node:crypto";
import type { ISql } from "postgres";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { setUpTestDatabase, undone } from "../../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  type Organization,
} from "../../harness/fixtures.ts";
import { publicClick, review, scan } from "../../harness/journey.ts";
import { everythingStored } from "../support/stored.ts";

/** The way to the wheel: scan, rating, private feedback, visit of the public page. */

const database = setUpTestDatabase();
let organization: Organization;
let campaign: Campaign;

beforeAll(async () => {
  organization = await createOrganization(database.sql);
});

beforeEach(async () => {
  const { id: orgId, storeId } = organization;
  campaign = await createCampaign(database.sql, { orgId, storeId });
});

/** Today's figures of the campaign. */
async function figures(): Promise<Record<string, number>> {
  const [row] = await database.sql<Record<string, number>[]>`
    select coalesce(sum(scans), 0)::integer as scans, coalesce(sum(reviews), 0)::integer as reviews,
      coalesce(sum(rating_sum), 0)::integer as stars, coalesce(sum(public_clicks), 0)::integer as clicks
    from public.campaign_daily_stats where campaign_id = ${campaign.id}`;
  return { ...row };
}

async function close(): Promise<void> {
  await database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
}

describe("a scan", () => {
  it("of one visitor counts once in 30 minutes", async () => {
    const { sql } = database;
    const { slug } = campaign;
    const visitor = randomUUID();
    expect(await scan(sql, { slug, visitor })).toBe("counted");
    expect(await scan(sql, { slug, visitor })).toBe("repeated");
    expect(await scan(sql, { slug, visitor, source: "vitrine" })).toBe("repeated");
    expect((await figures()).scans).toBe(1);

    const pass = (minutes: number) => sql`
      update private.recent_scans set scanned_at = scanned_at - make_interval(mins => ${minutes})
      where visitor_hash = ${visitor}`;
    await pass(29);
    expect(await scan(sql, { slug, visitor })).toBe("repeated");
    await pass(1);
    expect(await scan(sql, { slug, visitor })).toBe("counted");
    expect(await scan(sql, { slug, visitor })).toBe("repeated");
    expect((await figures()).scans).toBe(2);
  });

  it("counts for each visitor and each campaign, with its source, by every slug", async () => {
    const { sql } = database;
    const visitor = randomUUID();
    await sql`update public.campaigns set slug = slug || '-b' where id = ${campaign.id}`;
    expect(await scan(sql, { slug: campaign.slug, visitor, source: "vitrine" })).toBe("counted");
    expect(await scan(sql, { slug: `${campaign.slug}-b`, visitor })).toBe("repeated");
    expect(await scan(sql, { slug: campaign.slug })).toBe("counted");
    const other = await createCampaign(sql, { ...campaign, slug: `${campaign.slug}-autre` });
    expect(await scan(sql, { slug: other.slug, visitor })).toBe("counted");
    const rows = await sql<{ source: string; store_id: string }[]>`
      select source, store_id from public.scan_events where campaign_id = ${campaign.id} order by id`;
    expect([...rows]).toEqual([
      { source: "vitrine", store_id: campaign.storeId },
      { source: "qr", store_id: campaign.storeId },
    ]);
  });

  it("of one address counts 600 times an hour in one campaign, whatever name its program gives", async () => {
    // In one transaction time stands still: no new hour begins in the middle.
    await undone(database.sql, async (sql) => {
      const { slug } = campaign;
      const [address, visitor] = [randomUUID(), randomUUID()];
      await sql`
        select private.count_attempt(array[${`scan address ${address} ${campaign.id}`}], '{600}', interval '1 hour')
        from generate_series(1, 599)`;
      expect(await scan(sql, { slug, address, visitor })).toBe("counted");
      expect(await scan(sql, { slug, address })).toBe("too_many_attempts");
      expect(await scan(sql, { slug, address, visitor })).toBe("repeated");
      const [stored] = await sql<{ scans: number; visitors: number }[]>`
        select (select count(*)::integer from public.scan_events where campaign_id = ${campaign.id}) as scans,
          (select count(*)::integer from private.recent_scans where campaign_id = ${campaign.id}) as visitors`;
      expect(stored).toEqual({ scans: 1, visitors: 1 });
      const other = await createCampaign(sql, { ...campaign, slug: `${slug}-bis` });
      expect(await scan(sql, { slug: other.slug, address })).toBe("counted");
      expect(await scan(sql, { slug })).toBe("counted");
    });
  });

  it("of a closed or unknown campaign is nothing", async () => {
    await close();
    const before = await everythingStored(database.sql);
    expect(await scan(database.sql, { slug: campaign.slug })).toBe("campaign_not_found");
    expect(await scan(database.sql, { slug: "personne" })).toBe("campaign_not_found");
    expect(await everythingStored(database.sql)).toEqual(before);
  });
});

/** The customer of a review. */
async function customerOf(reviewId: string, sql: ISql = database.sql) {
  const [row] = await sql<
    {
      id: string;
      name: string;
      first_name: string;
      email: string | null;
      phone: string | null;
      consent_marketing: boolean;
      consent_at: Date | null;
    }[]
  >`
    select c.id, c.name, c.first_name, c.email, c.phone, c.consent_marketing, c.consent_at
    from public.pre_spin_reviews r join public.customers c on c.org_id = r.org_id and c.id = r.customer_id
    where r.id = ${reviewId}`;
  if (row === undefined) throw new Error("The review has no customer.");
  return row;
}

describe("a rating", () => {
  it("is stored with who gave it", async () => {
    const { sql } = database;
    const { outcome, review_id } = await review(sql, {
      campaignId: campaign.id,
      firstName: "Zoé",
      lastName: "de la Tour",
      email: "Zoe@Exemple.fr",
      consent: true,
      rating: 4,
      source: "vitrine",
    });
    expect(outcome).toBe("created");
    const [row] = await sql`
      select rating, source, customer_name, customer_email, customer_phone, end_user_email, consent_marketing,
        store_id, review_text, end_user_id = customer_id as same
      from public.pre_spin_reviews where id = ${review_id}`;
    expect(row).toEqual({
      rating: 4,
      source: "vitrine",
      customer_name: "Zoé de la Tour",
      customer_email: "Zoe@Exemple.fr",
      customer_phone: null,
      end_user_email: "Zoe@Exemple.fr",
      consent_marketing: true,
      store_id: campaign.storeId,
      review_text: null,
      same: true,
    });
    expect(await customerOf(review_id)).toMatchObject({
      name: "Zoé de la Tour",
      first_name: "Zoé",
      email: "Zoe@Exemple.fr",
      consent_marketing: true,
      consent_at: expect.any(Date),
    });
    expect(await figures()).toMatchObject({ reviews: 1, stars: 4 });
  });

  it("of the same visit is the first one, whatever the second says", async () => {
    const { sql } = database;
    const visit = { campaignId: campaign.id, visitId: randomUUID() };
    const first = await review(sql, { ...visit, rating: 2, email: "premiere@exemple.fr" });
    const before = await everythingStored(sql);
    const second = await review(sql, { ...visit, rating: 5, email: "seconde@exemple.fr" });
    expect(second).toEqual({ ...first, outcome: "repeated" });
    expect(await everythingStored(sql)).toEqual(before);
    await undone(sql, async (transaction) => {
      await transaction`update public.campaigns set active = false where id = ${campaign.id}`;
      const closed = await everythingStored(transaction);
      expect(await review(transaction, { ...visit, rating: 5 })).toEqual(second);
      expect(await everythingStored(transaction)).toEqual(closed);
    });
  });

  it("of the same visit to another campaign is another", async () => {
    const visitId = randomUUID();
    const other = await createCampaign(database.sql, { ...campaign, slug: `${campaign.slug}-bis` });
    const answers = await Promise.all(
      [campaign.id, other.id].map((campaignId) => review(database.sql, { campaignId, visitId })),
    );
    expect(new Set(answers.map(({ review_id }) => review_id)).size).toBe(2);
  });

  it("of a closed or unknown campaign stores nothing", async () => {
    await close();
    const before = await everythingStored(database.sql);
    for (const campaignId of [campaign.id, randomUUID()]) {
      expect(await review(database.sql, { campaignId })).toMatchObject({
        outcome: "campaign_not_found",
        review_id: null,
      });
    }
    expect(await everythingStored(database.sql)).toEqual(before);
  });

  it("is counted to the store's day", async () => {
    await undone(database.sql, async (sql) => {
      await sql`update public.stores set timezone = 'Pacific/Kiritimati' where id = ${campaign.storeId}`;
      await review(sql, { campaignId: campaign.id });
      const [row] = await sql<{ right: boolean }[]>`
        select day = (now() at time zone 'Pacific/Kiritimati')::date as right
        from public.campaign_daily_stats where campaign_id = ${campaign.id}`;
      expect(row?.right).toBe(true);
    });
  });
});

describe("marketing consent", () => {
  const give = (email: string, consent: boolean) =>
    review(database.sql, { campaignId: campaign.id, email, consent });

  it("once given stays when the box is left blank, with its date", async () => {
    const first = await customerOf((await give("oui@exemple.fr", true)).review_id);
    const { review_id } = await give("oui@exemple.fr", false);
    const second = await customerOf(review_id);
    expect(second).toMatchObject({ id: first.id, consent_marketing: true });
    expect(second.consent_at).toEqual(first.consent_at);
    const [row] = await database.sql`
      select consent_marketing from public.pre_spin_reviews where id = ${review_id}`;
    expect(row?.consent_marketing).toBe(false);
  });

  it("is given on any visit", async () => {
    const first = await customerOf((await give("ensuite@exemple.fr", false)).review_id);
    expect(first).toMatchObject({ consent_marketing: false, consent_at: null });
    const second = await customerOf((await give("ensuite@exemple.fr", true)).review_id);
    expect(second).toMatchObject({ id: first.id, consent_marketing: true });
    expect(second.consent_at).toBeInstanceOf(Date);
  });
});

describe("one person", () => {
  /** Customers behind several spellings, each in a review of its own. */
  async function customers(contacts: { email?: string; phone?: string }[]): Promise<string[]> {
    const ids = [];
    for (const { email = null, phone = null } of contacts) {
      const { review_id } = await review(database.sql, { campaignId: campaign.id, email, phone });
      ids.push((await customerOf(review_id)).id);
    }
    return ids;
  }

  it("has one mailbox, whatever its spelling", async () => {
    const ids = await customers([
      { email: "lea.petit@exemple.fr" },
      { email: "Lea.Petit@EXEMPLE.fr" },
      { email: "lea.petit+roue@exemple.fr" },
      { email: "lea.petit+1+2@exemple.fr" },
    ]);
    expect(new Set(ids).size).toBe(1);
    const others = await customers([
      { email: "leapetit@exemple.fr" },
      { email: "lea.petit@exemple.com" },
      { email: "+roue@exemple.fr" },
    ]);
    expect(new Set([...ids, ...others]).size).toBe(4);
  });

  it("has one Gmail mailbox, with or without dots", async () => {
    const ids = await customers([
      { email: "jean.dupont@gmail.com" },
      { email: "jeandupont@gmail.com" },
      { email: "j.e.a.n.dupont+x@googlemail.com" },
    ]);
    expect(new Set(ids).size).toBe(1);
  });

  it("has one phone, whatever its spelling", async () => {
    const ids = await customers([
      { phone: "06 12 34 56 78" },
      { phone: "0612345678" },
      { phone: "06-12-34-56-78" },
      { phone: "+33 6 12 34 56 78" },
      { phone: "+33 (0)6 12 34 56 78" },
      { phone: "0033612345678" },
      { phone: "33612345678" },
      { phone: "33 (0)6 12 34 56 78" },
      { phone: "(+33) 6 12 34 56 78" },
      { phone: "+33 06 12 34 56 78" },
    ]);
    expect(new Set(ids).size).toBe(1);
    const others = await customers([{ phone: "06 12 34 56 79" }, { phone: "+32 6 12 34 56 78" }]);
    expect(new Set([...ids, ...others]).size).toBe(3);
  });

  it("keeps the name that they gave first: whoever types their address does not rename them", async () => {
    const email = "connue@exemple.fr";
    const names = { firstName: "Ana", lastName: "Petit" };
    const first = await review(database.sql, { campaignId: campaign.id, email, ...names });
    const second = await review(database.sql, {
      campaignId: campaign.id,
      email,
      firstName: "Pirate",
      lastName: "Inconnu",
    });
    expect(await customerOf(second.review_id)).toMatchObject({
      id: (await customerOf(first.review_id)).id,
      name: "Ana Petit",
      first_name: "Ana",
    });
    const [row] = await database.sql`
      select customer_name from public.pre_spin_reviews where id = ${second.review_id}`;
    expect(row?.customer_name).toBe("Pirate Inconnu");
  });

  it("is somebody else to another merchant", async () => {
    const email = "partout@exemple.fr";
    const theirs = await createOrganization(database.sql);
    const elsewhere = await createCampaign(database.sql, {
      orgId: theirs.id,
      storeId: theirs.storeId,
    });
    const ids = await Promise.all(
      [campaign, elsewhere].map(async ({ id: campaignId }) => {
        const { review_id } = await review(database.sql, { campaignId, email });
        return (await customerOf(review_id)).id;
      }),
    );
    expect(new Set(ids).size).toBe(2);
  });
});

describe("reviews are limited", () => {
  it("to 20 an hour of one person, over all campaigns of the merchant", async () => {
    const { sql } = database;
    const email = "bavarde@exemple.fr";
    const visitId = randomUUID();
    const other = await createCampaign(sql, { ...campaign, slug: `${campaign.slug}-bis` });
    await review(sql, { campaignId: campaign.id, email, visitId });
    for (let n = 1; n < 20; n++) {
      const { outcome } = await review(sql, {
        campaignId: n % 2 === 0 ? campaign.id : other.id,
        email: n % 3 === 0 ? email : `bavarde+${n}@exemple.fr`,
      });
      expect(outcome).toBe("created");
    }
    const customer = () => sql`
      select * from public.customers where org_id = ${campaign.orgId} and email = ${email}`;
    const before = [...(await customer())];
    expect(before).toMatchObject([{ consent_marketing: false }]);
    const refused = await review(sql, {
      campaignId: campaign.id,
      email,
      consent: true,
      locale: "en",
    });
    expect(refused).toMatchObject({ outcome: "too_many_attempts", review_id: null });
    expect([...(await customer())]).toEqual(before);
    // A repeat is no attempt, and somebody else is somebody else.
    expect(await review(sql, { campaignId: campaign.id, email, visitId })).toMatchObject({
      outcome: "repeated",
    });
    expect(await review(sql, { campaignId: campaign.id })).toMatchObject({ outcome: "created" });

    await sql`
      update public.pre_spin_reviews set created_at = created_at - interval '1 hour'
      where visit_id = ${visitId}`;
    expect(await review(sql, { campaignId: campaign.id, email })).toMatchObject({
      outcome: "created",
    });
  });

  it("to 600 an hour of one address in one campaign", async () => {
    // In one transaction time stands still: no new hour begins in the middle.
    await undone(database.sql, async (sql) => {
      const address = randomUUID();
      await sql`
        select private.count_attempt(array[${`review address ${address} ${campaign.id}`}], '{600}', interval '1 hour')
        from generate_series(1, 599)`;
      expect((await review(sql, { campaignId: campaign.id, address })).outcome).toBe("created");
      const [row] = await sql<{ outcome: string; retry_after: number }[]>`
        select outcome, retry_after from public.record_review(${campaign.id}, gen_random_uuid(), 'Ana', 'Petit',
          'trop@exemple.fr', null, false, 5, 'qr', ${address})`;
      expect(row?.outcome).toBe("too_many_attempts");
      expect(row?.retry_after).toBeGreaterThanOrEqual(1);
      expect(row?.retry_after).toBeLessThanOrEqual(3600);
      const [stored] = await sql<{ count: number }[]>`
        select count(*)::integer as count from public.customers where email = 'trop@exemple.fr'`;
      expect(stored?.count).toBe(0);
      const other = await createCampaign(sql, { ...campaign, slug: `${campaign.slug}-bis` });
      expect((await review(sql, { campaignId: other.id, address })).outcome).toBe("created");
    });
  });
});

describe("private feedback", () => {
  const TEXT = "Le café était froid et la salle bruyante.";

  async function feedback(reviewId: string, text: string) {
    const [row] = await database.sql<{ outcome: string; google_review_url: string | null }[]>`
      select outcome, google_review_url from public.record_feedback(${reviewId}, ${text})`;
    return row;
  }

  it("is added once; the same text again is the same feedback, another is refused", async () => {
    const { review_id } = await review(database.sql, { campaignId: campaign.id, rating: 2 });
    const url = "https://g.page/r/magasin";
    expect(await feedback(review_id, TEXT)).toEqual({ outcome: "added", google_review_url: url });
    const before = await everythingStored(database.sql);
    expect(await feedback(review_id, TEXT)).toEqual({
      outcome: "repeated",
      google_review_url: url,
    });
    expect((await feedback(review_id, `${TEXT} Vraiment.`))?.outcome).toBe("feedback_exists");
    expect(await everythingStored(database.sql)).toEqual(before);
    const [row] = await database.sql`
      select review_text, feedback_at is not null as is_dated, rating
      from public.pre_spin_reviews where id = ${review_id}`;
    expect(row).toEqual({ review_text: TEXT, is_dated: true, rating: 2 });
  });

  it("of somebody who was forgotten meanwhile is not kept", async () => {
    const { sql } = database;
    const { review_id: early } = await review(sql, { campaignId: campaign.id, rating: 2 });
    const { review_id: late } = await review(sql, { campaignId: campaign.id, rating: 2 });
    await feedback(early, TEXT);
    await sql`
      select private.erase_customer_data(r.org_id, r.customer_id) from public.pre_spin_reviews r
      where r.id in (${early}, ${late})`;
    const before = await everythingStored(sql);
    for (const reviewId of [early, late]) {
      expect(await feedback(reviewId, TEXT)).toEqual({
        outcome: "review_not_found",
        google_review_url: null,
      });
    }
    expect(await everythingStored(sql)).toEqual(before);
  });

  it("needs a review", async () => {
    expect(await feedback(randomUUID(), TEXT)).toEqual({
      outcome: "review_not_found",
      google_review_url: null,
    });
  });
});

describe("a visit of the public reviews page", () => {
  it("counts once, for the campaign of the review only", async () => {
    const { sql } = database;
    const { review_id: reviewId } = await review(sql, { campaignId: campaign.id });
    const other = await createCampaign(sql, { ...campaign, slug: `${campaign.slug}-bis` });
    expect(await publicClick(sql, { reviewId, campaignId: other.id })).toBe("review_not_found");
    expect(await publicClick(sql, { reviewId: randomUUID(), campaignId: campaign.id })).toBe(
      "review_not_found",
    );
    expect((await figures()).clicks).toBe(0);
    expect(await publicClick(sql, { reviewId, campaignId: campaign.id })).toBe("counted");
    const before = await everythingStored(sql);
    expect(await publicClick(sql, { reviewId, campaignId: campaign.id })).toBe("repeated");
    expect(await everythingStored(sql)).toEqual(before);
    expect((await figures()).clicks).toBe(1);
  });
});

describe("attempts", () => {
  const take = async (sql: ISql, keys: string[], limits: number[], times = 1) => {
    const rows = await sql<{ wait: number | null }[]>`
      select private.count_attempt(${keys}::text[], ${limits}::integer[], interval '1 hour') as wait
      from generate_series(1, ${times})`;
    return rows.map(({ wait }) => wait);
  };

  it("pass up to the limit, each key by its own, and wait for the next window beyond it", async () => {
    await undone(database.sql, async (sql) => {
      expect(new Set(await take(sql, ["a", "b"], [20, 50], 20))).toEqual(new Set([null]));
      const [wait] = await take(sql, ["a", "b"], [20, 50]);
      const [rest] = await sql<{ seconds: number }[]>`
        select ceil(extract(epoch from
          private.window_start(interval '1 hour') + interval '1 hour' - now()))::integer as seconds`;
      expect(wait).toBe(rest?.seconds);
      expect(await take(sql, ["b", "c"], [50, 1])).toEqual([null]);
      expect(await take(sql, ["c"], [1])).toEqual([rest?.seconds]);
      await sql`update private.rate_limits set window_start = window_start - interval '1 hour'`;
      expect(await take(sql, ["a", "c"], [20, 1])).toEqual([null]);
    });
  });

  it("are added up over all connections", async () => {
    await undone(database.sql, async (sql) => {
      await sql`create sequence private.test_turn`;
      await sql`
        create or replace function private.shard() returns smallint
        language sql volatile as $$ select (nextval('private.test_turn') % 16)::smallint $$`;
      const waits = await take(sql, ["shared"], [320], 640);
      expect(waits.filter((wait) => wait === null)).toHaveLength(320);
      expect(waits.lastIndexOf(null)).toBe(319);
    });
  });
});
