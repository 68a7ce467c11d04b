import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { customerDetail } from "#domain/schemas/customers.ts";
import { spinResult } from "#domain/schemas/journey.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
  type Organization,
  withoutQuietHours,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { everythingStored } from "./support/stored.ts";

/** Links by which customers withdraw their consent to marketing: who gets one, what it does, and what it does not. */

const database = setUpTestDatabase();
let ours: Organization;
let campaign: Campaign;
let rewardId: string;

beforeEach(async () => {
  const { sql } = database;
  ours = await createOrganization(sql);
  campaign = await createCampaign(sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    playIntervalDays: 0,
  });
  rewardId = await createReward(sql, campaign, { name: "Café offert" });
  await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
  await withoutQuietHours(sql, campaign);
});

const somebody = () => `${randomUUID()}@exemple.fr`;
const visit = (parts: Partial<Parameters<typeof review>[1]>) =>
  review(database.sql, { campaignId: campaign.id, ...parts });

/** A customer who agreed to marketing; answers their identifier. */
async function consenting(email = somebody()): Promise<string> {
  await visit({ email, consent: true });
  const [row] = await database.sql<{ id: string }[]>`
    select id from public.customers where org_id = ${ours.id} and email = ${email}`;
  return row?.id ?? "";
}

async function detailOf(id: string) {
  const answer = await database.as({ userId: ours.users.member.id }, async (sql) => {
    const [row] = await sql`select public.customer_detail(${id}) as answer`;
    return row?.answer;
  });
  return customerDetail.parse(answer);
}

async function tokenOf(customerId: string, orgId = ours.id): Promise<string> {
  const [row] = await database.sql<{ token: string }[]>`
    select private.consent_token(${orgId}, ${customerId}) as token`;
  return row?.token ?? "";
}

async function withdraw(token: string | null, address: string = randomUUID()) {
  const [row] = await database.sql<{ outcome: string; retry_after: number | null }[]>`
    select * from public.withdraw_own_consent(${token}, ${address})`;
  return row;
}

async function organizerOf(token: string): Promise<unknown> {
  const [row] = await database.sql`select public.consent_organizer(${token}) as link`;
  return row?.link;
}

const trail = () => database.sql`
  select user_id, action, subject_id, detail from public.audit_events
  where org_id = ${ours.id} and action like 'customer%'`;

const WITHDRAWN = { outcome: "withdrawn", retry_after: null };
const UNKNOWN = { outcome: "link_unknown", retry_after: null };

describe("a mail", () => {
  const mailed = z.object({
    offers: z.optional(z.object({ token: z.string(), organizer: z.string() })),
  });

  /** Links in mails of a kind to an address, in the order in which they were written. */
  async function offersTo(address: string, template: string) {
    const rows = await database.sql<{ data: unknown }[]>`
      select data from private.outbox where recipient = ${address} and template = ${template} order by id`;
    return rows.map(({ data }) => mailed.parse(data).offers);
  }

  async function winAndMail(
    contact: { email?: string | null; phone?: string | null },
    typed: string | null = null,
  ): Promise<void> {
    const { body } = await spin(database.sql, { campaignId: campaign.id, ...contact });
    const { spin_id, nonce } = spinResult.parse(JSON.parse(body ?? ""));
    await database.sql`
      select public.mail_prize(${campaign.id}, ${spin_id}, ${nonce}, ${typed}, ${randomUUID()})`;
  }

  it("about a prize brings the link to somebody who agreed, and to nobody else", async () => {
    const [email, other] = [somebody(), somebody()];
    const id = await consenting(email);
    await visit({ email: other });
    await winAndMail({ email });
    await winAndMail({ email: other });
    expect(await offersTo(email, "prize")).toEqual([
      { token: await tokenOf(id), organizer: ours.name },
    ]);
    expect(await offersTo(other, "prize")).toEqual([undefined]);
    // A consent that was withdrawn is asked for no more.
    await withdraw(await tokenOf(id));
    await winAndMail({ email });
    expect((await offersTo(email, "prize"))[1]).toBeUndefined();
  });

  it("to another address than the customer's goes without; who has none is at that which they write", async () => {
    const { sql } = database;
    const [stranger, typed] = [somebody(), somebody()];
    const phone = "06 12 34 56 78";
    await visit({ email: null, phone, consent: true });
    await winAndMail({ email: null, phone }, typed);
    expect(await offersTo(typed, "prize")).toEqual([
      { token: expect.any(String), organizer: ours.name },
    ]);
    await sql`update public.customers set email = ${somebody()} where org_id = ${ours.id}`;
    await winAndMail({ email: stranger, phone });
    expect(await offersTo(stranger, "prize")).toEqual([undefined]);
  });

  it("that answers a review brings it, alone and with a code; the team's alert about it does not", async () => {
    const { owner } = ours.users;
    await database.sql`
      insert into public.notification_preferences (org_id, user_id, low_ratings) values (${ours.id}, ${owner.id}, true)`;
    const email = somebody();
    const reviews = [
      await visit({ email, rating: 2, consent: true }),
      await visit({ email, rating: 2 }),
    ];
    const gifts = [null, rewardId];
    for (const [index, { review_id }] of reviews.entries()) {
      const [named] = await database.sql`select private.alias_of(${review_id}) as alias`;
      await database.as({ userId: owner.id }, async (sql) => {
        const [row] = await sql`
          select public.answer_review(${named?.alias}, 0, 'Merci.', ${randomUUID()}, ${gifts[index] ?? null}) as answer`;
        expect(row?.answer).toEqual({ outcome: "saved" });
      });
    }
    const link = [{ token: expect.any(String), organizer: ours.name }];
    expect(await offersTo(email, "review_answer")).toEqual(link);
    expect(await offersTo(email, "review_gesture")).toEqual(link);
    const alerts = await offersTo(owner.email, "low_rating");
    expect(alerts.length).toBeGreaterThan(0);
    expect(alerts.filter(Boolean)).toEqual([]);
  });
});

describe("a link", () => {
  it("withdraws the consent, and the merchant sees when and by whom", async () => {
    const id = await consenting();
    const before = await detailOf(id);
    expect(before).toMatchObject({ consent: { by: "customer" }, consent_withdrawn: null });
    expect(await withdraw(await tokenOf(id))).toEqual(WITHDRAWN);
    const after = await detailOf(id);
    expect(after).toMatchObject({
      consent: null,
      consent_withdrawn: { at: expect.any(String), by: "customer" },
    });
    // A form that was open before cannot give it back: its version is older.
    expect(after?.version).toBe((before?.version ?? 0) + 1);
    const [totals] = await database.sql`
      select consents::int from private.customer_totals_now(${ours.id})`;
    expect(totals).toEqual({ consents: 0 });
    expect([...(await trail())]).toEqual([
      { user_id: null, action: "customer.consent_withdrawn", subject_id: id, detail: {} },
    ]);
  });

  it("answers the same once more, and changes nothing", async () => {
    const id = await consenting();
    const token = await tokenOf(id);
    await withdraw(token);
    const before = await everythingStored(database.sql);
    expect(await withdraw(token)).toEqual(WITHDRAWN);
    expect(await everythingStored(database.sql)).toEqual(before);
    // The token is that of the customer, whenever it is made.
    expect(await tokenOf(id)).toBe(token);
  });

  it("is no end: a visit with the box ticked gives the consent anew, one without does not", async () => {
    const email = somebody();
    const id = await consenting(email);
    await withdraw(await tokenOf(id));
    await visit({ email });
    expect(await detailOf(id)).toMatchObject({
      consent: null,
      consent_withdrawn: { by: "customer" },
    });
    await visit({ email, consent: true });
    expect(await detailOf(id)).toMatchObject({
      consent: { by: "customer" },
      consent_withdrawn: null,
    });
    expect(await withdraw(await tokenOf(id))).toEqual(WITHDRAWN);
    expect(await detailOf(id)).toMatchObject({ consent: null });
  });

  it("answers as if done once the customer was erased, or the organisation", async () => {
    const { sql } = database;
    const id = await consenting();
    const token = await tokenOf(id);
    await sql`select private.erase_customer_data(${ours.id}, ${id})`;
    const before = await everythingStored(sql);
    expect(await withdraw(token)).toEqual(WITHDRAWN);
    expect(await organizerOf(token)).toEqual({ organizer: ours.name });
    expect(await everythingStored(sql)).toEqual(before);
    const gone = await tokenOf(randomUUID(), randomUUID());
    expect(await withdraw(gone)).toEqual(WITHDRAWN);
    expect(await organizerOf(gone)).toEqual({ organizer: null });
  });

  it("works after the end of a plan, and in a suspended organisation", async () => {
    const id = await consenting();
    await database.sql`
      update public.subscriptions set status = 'canceled', closed_at = now() - interval '1 year', suspended_at = now()
      where org_id = ${ours.id}`;
    expect(await withdraw(await tokenOf(id))).toEqual(WITHDRAWN);
    const [row] =
      await database.sql`select consent_marketing from public.customers where id = ${id}`;
    expect(row).toEqual({ consent_marketing: false });
  });

  it("names the merchant and nothing of the customer", async () => {
    const id = await consenting();
    expect(await organizerOf(await tokenOf(id))).toEqual({ organizer: ours.name });
  });
});

describe("a link that is none of ours", () => {
  /** The token with its byte at a place turned over. */
  const turned = (token: string, place: number): string => {
    const bytes = Buffer.from(token, "base64url");
    bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
    return bytes.toString("base64url");
  };

  it("changes nothing and names nobody: forged, of another tenant, cut, or a member's", async () => {
    const theirs = await createOrganization(database.sql);
    const id = await consenting();
    const token = await tokenOf(id);
    const [seal, customer] = [token.slice(43), id.replaceAll("-", "")];
    const forged = [
      ...Array.from({ length: 48 }, (_, place) => turned(token, place)),
      // The signature of one organisation's customer, for another organisation.
      Buffer.from(theirs.id.replaceAll("-", "") + customer, "hex").toString("base64url") + seal,
      token.slice(1),
      `${token}A`,
      ` ${token}`,
      token.replace(/^./, "é"),
      "",
      "0".repeat(64),
      randomUUID(),
    ];
    const before = await everythingStored(database.sql);
    for (const wrong of forged) {
      expect([wrong, await withdraw(wrong)]).toEqual([wrong, UNKNOWN]);
      expect(await organizerOf(wrong)).toBeNull();
    }
    expect(await withdraw(null)).toEqual(UNKNOWN);
    expect(await everythingStored(database.sql)).toEqual(before);
    expect(await withdraw(token)).toEqual(WITHDRAWN);
  });

  it("opens nothing where the secret is another one, or none yet", async () => {
    const id = await consenting();
    const token = await tokenOf(id);
    await database.sql`delete from private.link_keys`;
    expect(await withdraw(token)).toEqual(UNKNOWN);
    await tokenOf(id);
    expect(await withdraw(token)).toEqual(UNKNOWN);
    expect(await detailOf(id)).toMatchObject({ consent: { by: "customer" } });
  });
});

it("a network address tries 600 links an hour", async () => {
  const { sql } = database;
  const token = await tokenOf(await consenting());
  const address = randomUUID();
  await sql`
    insert into private.rate_limits (key, window_start, shard, hits, expires_at)
    select ${`consent link address ${address}`}, private.window_start(interval '1 hour'), s, 60, now() + interval '1 hour'
    from generate_series(0, 15) s`;
  const before = await everythingStored(sql);
  const refused = await withdraw(token, address);
  expect(refused).toEqual({ outcome: "too_many_attempts", retry_after: expect.any(Number) });
  expect(await everythingStored(sql)).toEqual(before);
  expect(await withdraw(token)).toEqual(WITHDRAWN);
});

it("a consent that the team withdraws says so, by the list as by the form", async () => {
  const [listed, saved] = [await consenting(), await consenting()];
  await database.as({ userId: ours.users.member.id }, async (sql) => {
    await sql`select public.withdraw_consents(${ours.id}, ${[listed]})`;
    await sql`
      select public.save_customer(c.id, c.version, c.first_name, c.last_name, c.email, c.phone, false, c.note)
      from public.customers c where c.id = ${saved}`;
  });
  for (const id of [listed, saved]) {
    expect(await detailOf(id)).toMatchObject({
      consent: null,
      consent_withdrawn: { at: expect.any(String), by: "team" },
    });
  }
});
