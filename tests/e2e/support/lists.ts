import type { Sql } from "postgres";
import { review } from "../../harness/journey.ts";
import { createShop } from "./shop.ts";

/** A shop with three customers, of whom the first two allow messages. */
export async function shopWithCustomers(sql: Sql, options?: Parameters<typeof createShop>[1]) {
  const shop = await createShop(sql, options);
  for (const [firstName, consent] of [
    ["Anaïs", true],
    ["Bruno", true],
    ["Chloé", false],
  ] as const) {
    const email = `${firstName.normalize("NFD").replaceAll(/\P{ASCII}/gu, "")}@exemple.fr`;
    await review(sql, {
      campaignId: shop.campaign.id,
      firstName,
      lastName: "Roy",
      email,
      consent,
    });
  }
  return shop;
}
