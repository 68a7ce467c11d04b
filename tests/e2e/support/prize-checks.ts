import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { spin } from "../../harness/journey.ts";
import { createShop, type Shop } from "./shop.ts";
import type { TestApp } from "./test-app.ts";

/** A shop where one phone played under eight names, of which six won; and one of their codes. */
export async function suspiciousShop(sql: Sql): Promise<{ shop: Shop; code: string }> {
  const shop = await createShop(sql);
  const device = randomUUID();
  const play = async (turns: number) => {
    for (let i = 0; i < turns; i += 1) await spin(sql, { campaignId: shop.campaign.id, device });
  };
  const prize = shop.reward?.id ?? null;
  const drawn = (reward: string | null) =>
    sql`update public.wheel_segments set reward_id = ${reward} where campaign_id = ${shop.campaign.id}`;
  await drawn(null);
  await play(2);
  await drawn(prize);
  await play(6);
  await sql`select private.judge_spins(100)`;
  const [row] = await sql<{ code: string }[]>`
    select code from public.redemptions where org_id = ${shop.id} order by id limit 1`;
  return { shop, code: row?.code ?? "" };
}

/** States of a shop's codes. */
export async function statesOf(sql: Sql, shop: Pick<Shop, "id">): Promise<string[]> {
  const rows = await sql<{ state: string }[]>`
    select coalesce(verdict, status) as state from public.redemptions where org_id = ${shop.id}`;
  return rows.map(({ state }) => state);
}

/** Decides on a shop's one group of prizes as its owner does, on a screen elsewhere. */
export async function decide(
  { server }: TestApp,
  { id, users }: Shop,
  action: "hold" | "cancel" | "release",
): Promise<void> {
  const [group] = await server.database.sql<{ id: string }[]>`
    select id from private.check_groups where org_id = ${id}`;
  await server.database.as(
    { userId: users.owner.id },
    (sql) => sql`select public.decide_check(${group?.id ?? ""}, ${action})`,
  );
}
