import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { TABLES } from "../database/expectations.ts";
import type { Role } from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { enter } from "./support/member.ts";
import { createShop, type Shop } from "./support/shop.ts";
import { setUpTestApp } from "./support/test-app.ts";

/** Two people in two organisations, each at their own computer: neither sees anything of the other's. */

const app = setUpTestApp();

type Furnished = Shop & { customerId: string; customer: string; word: string };

/** A shop in which everything bears the same word. */
async function furnish(word: string): Promise<Furnished> {
  const shop = await createShop(app.sql, {
    store: { name: `Comptoir ${word}` },
    campaign: { name: `Roue ${word}` },
    reward: { name: `Café ${word}` },
  });
  const { review_id: reviewId } = await review(app.sql, {
    campaignId: shop.campaign.id,
    firstName: "Anaïs",
    lastName: word,
    rating: 2,
  });
  await spin(app.sql, { campaignId: shop.campaign.id, reviewId });
  const [customer] = await app.sql<{ id: string }[]>`
    select id from public.customers where org_id = ${shop.id}`;
  return { ...shop, word, customer: `Anaïs ${word}`, customerId: customer?.id ?? "" };
}

async function open(shop: Furnished, role: Role): Promise<Page> {
  const { page } = await app.desktop();
  await enter(app, page, shop.users[role]);
  await page.goto("/dashboard");
  return page;
}

/** Entries of a shop in each list, by the list's place in the menu. */
const lists = (shop: Furnished): [string, string][] => [
  ["Clients", shop.customer],
  ["Campagnes", `Roue ${shop.word}`],
  ["Récompenses", `Café ${shop.word}`],
  ["Magasins", `Comptoir ${shop.word}`],
];

/** Every address of one thing, as the route tree has them, with a shop's own things. */
async function addressesOf(shop: Furnished): Promise<string[]> {
  const tree = await readFile(new URL("../../web/route-tree.gen.ts", import.meta.url), "utf8");
  const list = /interface FileRoutesByTo \{([^}]*)\}/.exec(tree)?.[1] ?? "";
  const ids: Record<string, string | undefined> = {
    campaignId: shop.campaign.id,
    customerId: shop.customerId,
    rewardId: shop.reward?.id,
    storeId: shop.storeId,
  };
  return [...list.matchAll(/'([^']+)': typeof Member/g)]
    .map(([, path = ""]) => path)
    .filter((path) => path.includes("$"))
    .map((path) => path.replaceAll(/\$(\w+)/g, (_, name) => ids[name] ?? `no ${name}`));
}

describe("two organisations", () => {
  it("do not see each other in any list, nor by a typed address", async () => {
    const shops = [await furnish("Alpha"), await furnish("Oméga")] as const;
    const pages = await Promise.all([open(shops[0], "owner"), open(shops[1], "member")]);
    for (const [index, shop] of shops.entries()) {
      const page = pages[index] ?? pages[0];
      const other = shops[1 - index] ?? shops[0];
      for (const [entry, own] of [...lists(shop), ["Dashboard", shop.customer]] as const) {
        await page.getByRole("navigation").getByRole("link", { name: entry, exact: true }).click();
        await page.getByRole("main").getByText(own).first().waitFor();
        expect(await page.getByText(other.word).count(), entry).toBe(0);
      }
    }
    const [theirs] = shops;
    const addresses = await addressesOf(theirs);
    expect(addresses.length).toBeGreaterThanOrEqual(9);
    // An address without an identifier leads to nothing either.
    for (const address of [...addresses, "/rewards/rien/codes"]) {
      await pages[1].goto(address);
      await pages[1].getByRole("heading", { name: /^\p{L}+ non trouvée?$/u }).waitFor();
      expect(await pages[1].getByText(theirs.word).count(), address).toBe(0);
    }
  });

  it("do not reach each other's rows by calling the API", async () => {
    const [ours, theirs] = [await furnish("Bêta"), await furnish("Sigma")];
    const { token } = await app.server.signIn(ours.users.owner);
    const call = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${app.server.url}/rest/v1/${path}`, {
        method,
        headers: {
          apikey: app.server.running.secrets.publishableKey,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          prefer: "return=representation",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    // Tables that nobody may write are left out: a write is refused as a whole, and jobs write
    // there meanwhile.
    const stored = async () => {
      const lines: string[] = [];
      for (const [name, expectation] of Object.entries(TABLES)) {
        const { tenantColumn, source = name, insert, update } = expectation;
        if (tenantColumn === null || (!insert && !update && !expectation.delete)) continue;
        const [row] = await app.sql.unsafe<{ line: string }[]>(`
          select md5(string_agg(t::text, ' ' order by t::text)) as line from public.${source} t
          where ${tenantColumn} = '${theirs.id}'`);
        lines.push(`${name} ${row?.line}`);
      }
      return lines;
    };
    const before = await stored();
    const answered: string[] = [];
    for (const [name, { tenantColumn, update, insert }] of Object.entries(TABLES)) {
      if (tenantColumn === null) continue;
      const rows = `${name}?${tenantColumn}=eq.${theirs.id}`;
      const tries: [string, string, unknown?][] = [
        ["GET", `${rows}&select=*`],
        ["PATCH", rows, { [update?.column ?? tenantColumn]: update ? "Volé" : ours.id }],
        ["DELETE", rows],
      ];
      if (insert) tries.push(["POST", name, { [tenantColumn]: theirs.id }]);
      for (const [method, path, body] of tries) {
        const { status, text } = await call(method, path, body);
        const isNothing = status < 300 ? text === "[]" || text === "" : status < 500;
        if (!isNothing) answered.push(`${method} ${path}: ${status} ${text}`);
      }
    }
    for (const [rpc, body] of [
      ["dashboard", { p_org_id: theirs.id }],
      ["customer_list", { p_org_id: theirs.id }],
      ["team", { p_org_id: theirs.id }],
    ] as const) {
      const { status, text } = await call("POST", `rpc/${rpc}`, body);
      expect([status, text.includes("42501")]).toEqual([403, true]);
    }
    expect(answered).toEqual([]);
    expect(await stored()).toEqual(before);
  });
});
