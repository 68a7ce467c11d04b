import { beforeAll, expect, it } from "vitest";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  createStore,
  drawWheel,
  type Organization,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";

/** Every list is searched by the same words: case, accents and ligatures are left out of what is typed and of what is there. */

const database = setUpTestDatabase();
let ours: Organization;
let rewardId: string;

beforeAll(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  const storeId = await createStore(sql, { orgId: ours.id, name: "Épicerie Noël" });
  const campaign = await createCampaign(sql, { orgId: ours.id, storeId, name: "Été de l'Œuvre" });
  rewardId = await createReward(sql, campaign, { name: "Café crème" });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  const { review_id: reviewId } = await review(sql, {
    campaignId: campaign.id,
    firstName: "Zoé",
    lastName: "Bœuf-Ângé",
    email: "zb@exemple.fr",
  });
  await spin(sql, { campaignId: campaign.id, reviewId });
});

/** How many things a list finds, asked as a member. */
const LISTS: Record<string, (search: string) => [statement: string, values: string[]]> = {
  campaigns: (search) => [
    "json_array_length(public.campaign_list($1::uuid, $2) -> 'items')",
    [ours.id, search],
  ],
  rewards: (search) => [
    "json_array_length(public.reward_list($1::uuid, $2) -> 'items')",
    [ours.id, search],
  ],
  stores: (search) => [
    "json_array_length(public.store_list($1::uuid, $2) -> 'items')",
    [ours.id, search],
  ],
  customers: (search) => [
    "json_array_length(public.customer_list($1::uuid, jsonb_build_object('search', $2::text)) -> 'items')",
    [ours.id, search],
  ],
  codes: (search) => [
    "json_array_length(public.reward_codes($1::uuid, $2) -> 'items')",
    [rewardId, search],
  ],
  everything: (search) => ["jsonb_array_length(public.find_anything($1))", [search]],
};

async function found(list: string, search: string): Promise<number> {
  const [statement, values] = LISTS[list]?.(search) ?? ["0", []];
  return database.as({ userId: ours.users.owner.id }, async (sql) => {
    const [row] = await sql.unsafe<{ found: number }[]>(`select ${statement} as found`, values);
    return row?.found ?? -1;
  });
}

it.each([
  ["campaigns", ["ete", "ÉTÉ", "ete\u0301", "oeuvre", "EPICERIE", "l'oeuvre"]],
  ["rewards", ["cafe", "CAFÉ CREME", "ete", "Œuvre"]],
  ["stores", ["epicerie", "Épicerie noel", "ÉPI"]],
  ["customers", ["zoe", "BOEUF", "bœuf ange"]],
  ["codes", ["zoe", "boeuf-ange"]],
  ["everything", ["ete", "cafe", "epicerie", "boeuf"]],
])("%s are found without accents", async (list, searches) => {
  for (const search of searches) {
    expect([search, await found(list, search)]).toEqual([search, 1]);
  }
  for (const search of ["zzz", "%", "é%é"]) {
    expect([search, await found(list, search)]).toEqual([search, 0]);
  }
});

it("the short ways of a search find what its words do", async () => {
  const texts = [
    "Cadeau 40",
    "CADEAU-40",
    "Café crème",
    "L'Œuvre",
    "50 % de quoi ? Rien",
    "a_b\\c",
    " ",
    "",
    "06 12 34",
    "le 0612345678",
    "Приз дня",
    "ete\u0301",
    "Weiß",
  ];
  const searches = [
    ...[
      "cadeau",
      "cadeau 4",
      "u 4",
      "40",
      "4",
      "c",
      "ca",
      "le",
      "é",
      "oeuvre",
      "?",
      "%",
      "_",
      "a b",
      "b\\c",
    ],
    ...["06", "0612", "06 12", "приз", "ПРИЗ Д", "ete", "weiss", "QAB", "-"],
  ];
  const differing = await database.sql`
    select t.text, s.search
    from unnest(${texts}::text[]) t (text) cross join unnest(${searches}::text[]) s (search)
    cross join lateral (
      select private.words_pattern(s.search) as words, private.search_pattern(s.search) as parts
    ) p
    where private.has_words(t.text, p.words, private.pattern_hint(p.words))
        is distinct from private.words(t.text) like p.words
      or private.has_review_words(t.text, p.parts, private.pattern_hint(p.parts))
        is distinct from private.review_words(t.text) like p.parts`;
  expect(differing).toEqual([]);
});
