import { beforeAll, describe, expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  type Organization,
} from "../harness/fixtures.ts";
import { readsDuring } from "../harness/table-reads.ts";

/** Searches that an index of words hardly knows, in lists that are long: what they find, and how much they read. */

const LONG = 10_000;

const database = setUpTestDatabase();
let org: Organization;
let rewardId: string;

beforeAll(async () => {
  org = await createOrganization(database.sql);
  const campaign = await createCampaign(database.sql, { orgId: org.id, storeId: org.storeId });
  rewardId = await createReward(database.sql, campaign, { name: "Café" });
  await database.sql.begin(async (sql) => {
    // Without the triggers, which count every one of them.
    await sql`set local session_replication_role = replica`;
    await sql`
      insert into public.customers (org_id, store_id, name, email, created_at)
      select ${org.id}, ${org.storeId}, 'Anne Leroy', 'c' || n || '@exemple.fr', now() - n * interval '1 minute'
      from generate_series(1, ${LONG}) n`;
    await sql`
      insert into public.pre_spin_reviews (org_id, campaign_id, store_id, visit_id, rating, review_text, created_at)
      select ${org.id}, ${campaign.id}, ${org.storeId}, gen_random_uuid(), 2,
        case n when 5 then 'Beaucoup trop d''attente' when ${LONG} then 'Cette fois peu d''attente' else 'Un accueil à revoir, là' end,
        now() - n * interval '1 minute'
      from generate_series(1, ${LONG}) n`;
    await sql`
      insert into public.redemptions (org_id, campaign_id, store_id, reward_id, spin_id, reward_name, code, end_user_name,
        end_user_email, created_at)
      select ${org.id}, ${campaign.id}, ${org.storeId}, ${rewardId}, gen_random_uuid(), 'Café', 'WIN-' || (100000 + n),
        case n when 7 then 'Zoé Quemener' else 'Anne Leroy' end, 'c' || n || '@exemple.fr', now() - n * interval '1 minute'
      from generate_series(1, ${LONG}) n`;
  });
  for (const table of ["customers", "pre_spin_reviews", "redemptions"]) {
    await database.sql.unsafe(`vacuum analyze public.${table}`);
  }
});

type Answer = { items: { id: string; name?: string; text?: string; customer?: string }[] };
type Found = { answer: Answer; rows: number };

/** Answer of a list to its owner, and the rows of a table that were read for it. */
async function ask(table: string, call: string, ...values: string[]): Promise<Found> {
  return database.as({ userId: org.users.owner.id }, async (sql) => {
    let answer: Answer = { items: [] };
    const reads = await readsDuring(sql, [table], async () => {
      const [row] = await sql.unsafe<{ answer: Answer }[]>(`select ${call} as answer`, values);
      answer = row?.answer ?? answer;
    });
    return { answer, rows: reads.reduce((sum, { rows }) => sum + rows, 0) };
  });
}
const ofCustomers = (search: string, sort = "") =>
  ask(
    "customers",
    "public.customer_list($1, jsonb_build_object('search', $2::text), p_sort => $3)",
    org.id,
    search,
    sort,
  );
const ofReviews = (search: string) =>
  ask(
    "pre_spin_reviews",
    "public.review_inbox($1, jsonb_build_object('search', $2::text))",
    org.id,
    search,
  );
const ofCodes = (search: string, sort = "") =>
  ask("redemptions", "public.reward_codes($1, $2, p_sort => $3)", rewardId, search, sort);

describe("a search of signs alone", () => {
  it.each(["?", "-", "@", "😀", "!!"])("finds nothing and reads no row: %s", async (signs) => {
    for (const sort of ["", "name", "-activity"]) {
      const { answer, rows } = await ofCustomers(signs, sort);
      expect([answer.items, rows]).toEqual([[], 0]);
    }
    const reviews = await ofReviews(signs);
    expect([reviews.answer.items, reviews.rows]).toEqual([[], 0]);
    for (const sort of ["", "created_at"]) {
      const codes = await ofCodes(signs, sort);
      // Those that the team gave are counted above the list.
      expect([codes.answer.items, codes.rows]).toEqual([[], 0]);
    }
  });
});

describe("one or two signs among the codes of a reward", () => {
  it("begin a word of the code, the address or the name, and read what they find alone", async () => {
    for (const search of ["z", "zo", "qu"]) {
      for (const sort of ["", "created_at", "-expires_at"]) {
        const { answer, rows } = await ofCodes(search, sort);
        expect(answer.items.map(({ customer }) => customer)).toEqual(["Zoé Quemener"]);
        expect(rows).toBeLessThan(20);
      }
    }
    for (const search of ["oe", "zz", "ñz"]) {
      const { answer, rows } = await ofCodes(search);
      expect(answer.items).toEqual([]);
      expect(rows).toBeLessThan(20);
    }
    expect((await ofCodes("wi")).answer.items).toHaveLength(25);
    // Three stand anywhere.
    expect((await ofCodes("oeq")).answer.items).toEqual([]);
    expect((await ofCodes("mener")).answer.items).toHaveLength(1);
  });
});

describe("short words of which an index knows the beginning of one", () => {
  it("are looked for among the next 3,000 reviews, and longer ones among all", async () => {
    const short = await ofReviews("d'a");
    expect(short.answer.items.map(({ text }) => text)).toEqual(["Beaucoup trop d'attente"]);
    // They are read once for what they say, and counted once.
    expect(short.rows).toBeLessThan(7_000);
    const long = await ofReviews("d'attente");
    expect(long.answer.items.map(({ text }) => text)).toEqual([
      "Beaucoup trop d'attente",
      "Cette fois peu d'attente",
    ]);
    expect(long.rows).toBeLessThan(1_000);
    const frequent = await ofReviews("accueil à");
    expect(frequent.answer.items).toHaveLength(25);
    expect(frequent.rows).toBeLessThan(1_000);
  });
});
