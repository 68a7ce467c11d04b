import { randomUUID } from "node:crypto";
import type { Sql } from "postgres";
import { z } from "zod";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { playOf, ratingOf } from "../database/support/calls.ts";
import {
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  PASSWORD,
} from "../harness/fixtures.ts";
import type { Who } from "./requests.ts";
import { send } from "./send.ts";

/** Two organisations, of which the second is everybody's but the stranger's « foreign » one. */
type World = {
  /** Values that `$name$` stands for in a request. */
  names: Readonly<Record<string, string>>;
  /** Headers with which each of them says who they are. */
  headers: Readonly<Record<Who, Readonly<Record<string, string>>>>;
};

/** The server that requests go to. */
export type Target = {
  url: string;
  publishableKey: string;
  sql: Sql;
  /** Waits for work that goes on after its answer. */
  settled: () => Promise<void>;
};

const session = z.object({ access_token: z.string() });

async function post(target: Target, path: string, body: object): Promise<unknown> {
  const answer = await send(target.url, {
    method: "POST",
    path,
    headers: { apikey: target.publishableKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return JSON.parse(answer.text);
}

/**
 * Makes data for the requests to damage: a shop with a running campaign, a review, a win and its code, a team and keys,
 * and a shop next door.
 */
export async function createWorld(target: Target): Promise<World> {
  const { sql, publishableKey } = target;
  const organization = await createOrganization(sql);
  const foreign = await createOrganization(sql);
  const campaign = await createCampaign(sql, {
    orgId: organization.id,
    storeId: organization.storeId,
  });
  const foreignCampaign = await createCampaign(sql, {
    orgId: foreign.id,
    storeId: foreign.storeId,
  });
  const reward = await createReward(sql, campaign);
  await drawWheel(sql, campaign, [{ weight: 100, rewardId: reward }]);
  const play = playOf(campaign);
  const spin = spinResult.parse(await post(target, "/functions/v1/spin_wheel", play));
  const rating = ratingOf(campaign);
  const review = reviewResponse.parse(await post(target, "/functions/v1/review_record", rating));
  await post(target, "/functions/v1/review_record", ratingOf(foreignCampaign));
  const customerOf = async (orgId: string) => {
    const [row] = await sql<{ id: string }[]>`
      select id from public.customers where org_id = ${orgId} order by id limit 1`;
    return row?.id ?? "";
  };
  const tokenOf = async ({ email }: { email: string }) => {
    const path = "/auth/v1/token?grant_type=password";
    return session.parse(await post(target, path, { email, password: PASSWORD })).access_token;
  };
  const asUser = async (user: { email: string }) => ({
    apikey: publishableKey,
    authorization: `Bearer ${await tokenOf(user)}`,
  });
  const asKey = async (scope: "read" | "redeem") => {
    const { key } = await createApiKey(sql, { orgId: organization.id, scope });
    return { apikey: key, authorization: `Bearer ${key}` };
  };
  return {
    names: {
      organization: organization.id,
      orgSlug: organization.slug,
      store: organization.storeId,
      campaign: campaign.id,
      slug: campaign.slug,
      reward,
      customer: await customerOf(organization.id),
      review: review.review_id,
      spin: spin.spin_id,
      nonce: play.play_id,
      code: spin.redemption_code ?? "",
      ownerEmail: organization.users.owner.email,
      foreignOrganization: foreign.id,
      foreignStore: foreign.storeId,
      foreignCampaign: foreignCampaign.id,
      foreignCustomer: await customerOf(foreign.id),
    },
    headers: {
      nobody: {},
      visitor: { apikey: publishableKey },
      member: await asUser(organization.users.member),
      owner: await asUser(organization.users.owner),
      cashier: await asUser(organization.users.cashier),
      stranger: await asUser(foreign.users.owner),
      "read key": await asKey("read"),
      "till key": await asKey("redeem"),
    },
  };
}

/** Puts a world's names into a text; `$new$` is somebody new each time. */
export function fill(text: string, names: World["names"]): string {
  return text.replace(/\$(\w+)\$/g, (whole, name: string) =>
    name === "new" ? randomUUID() : (names[name] ?? whole),
  );
}
