import type { TransactionSql } from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { pushSettings } from "#domain/schemas/settings.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  type Campaign,
  createApiKey,
  createCampaign,
  createOrganization,
  createReward,
  createSession,
  createStore,
  daysFromNow,
  drawWheel,
  giveRole,
  type Organization,
  type Role,
} from "../harness/fixtures.ts";
import { review, spin } from "../harness/journey.ts";
import { makePushDevice, type PushDevice } from "../harness/push-device.ts";
import { whole } from "./support/whole.ts";

/** Devices of members: who registers one, who is told of what, and when nobody is any more. */

const database = setUpTestDatabase();
let ours: Organization;
let theirs: Organization;
let campaign: Campaign;

beforeEach(async () => {
  ours = await createOrganization(database.sql);
  theirs = await createOrganization(database.sql);
  campaign = await createCampaign(database.sql, {
    orgId: ours.id,
    storeId: ours.storeId,
    playIntervalDays: 0,
  });
});

type Who = { role?: Role; of?: Organization; sessionId?: string };

const as = <T>(
  { role = "owner", of = ours, sessionId }: Who,
  run: (sql: TransactionSql) => Promise<T>,
) => database.as({ userId: of.users[role].id, ...(sessionId && { sessionId }) }, run);

async function save(device: PushDevice, who: Who = {}): Promise<string> {
  const { endpoint, p256dh, auth } = device;
  const [row] = await as(
    who,
    (sql) => sql<{ id: string }[]>`
      select public.save_push_device(${(who.of ?? ours).id}, ${endpoint}, ${p256dh}, ${auth}, 'Chrome sur Android') as id`,
  );
  return row?.id ?? "";
}

async function settings(who: Who = {}) {
  const [row] = await as(
    who,
    (sql) => sql<{ answer: unknown }[]>`
      select public.push_settings(${(who.of ?? ours).id}) as answer`,
  );
  return whole(pushSettings, row?.answer);
}

/** Messages that wait for devices, without the owner's name: kind, device, data. */
const messages = () => database.sql<{ template: string; recipient: string; data: object }[]>`
  select template, recipient, data from private.outbox where channel = 'push' order by id`;

/** Devices of ours that a message of this kind reaches now. */
async function reached(kind: string): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select d.id from private.push_devices d
    cross join lateral private.push_target(d.id, ${kind}) t where d.org_id = ${ours.id} order by d.id`;
  return rows.map(({ id }) => id);
}

const bad = (rating = 2) => review(database.sql, { campaignId: campaign.id, rating });

describe("a device", () => {
  it("is registered for one session, is seen by its owner alone, and never says its address", async () => {
    const device = makePushDevice();
    const id = await save(device);
    expect(await settings()).toMatchObject({
      low_ratings: true,
      low_stock: true,
      is_asked: false,
      devices: [{ id, label: "Chrome sur Android", last_used_at: null, is_current: true }],
    });
    const text = JSON.stringify(await settings());
    for (const secret of [device.endpoint, device.p256dh, device.auth]) {
      expect(text).not.toContain(secret);
    }
    expect((await settings({ role: "admin" })).devices).toEqual([]);
    const sessionId = await createSession(database.sql, ours.users.owner);
    expect((await settings({ sessionId })).devices).toMatchObject([{ id, is_current: false }]);
  });

  it("keeps its place when it is registered again, and goes to whoever signs in on it", async () => {
    const device = makePushDevice();
    const id = await save(device);
    expect(await save(device)).toBe(id);
    // The browser's vendor gave it another address: the former one is dead.
    const other = makePushDevice();
    const next = await save(other);
    expect((await settings()).devices.map((found) => found.id)).toEqual([next]);
    expect(await save(other, { role: "admin" })).not.toBe(next);
    expect((await settings()).devices).toEqual([]);
    // A person who only knows the address lacks its keys.
    const stolen = { ...makePushDevice(), endpoint: other.endpoint };
    await expect(save(stolen, { of: theirs })).rejects.toMatchObject({ code: "42501" });
    expect((await settings({ role: "admin" })).devices).toHaveLength(1);
  });

  it("brings nobody else what waited for its former owner", async () => {
    const device = makePushDevice();
    await save(device);
    await bad();
    const [waiting] = await messages();
    await database.sql`update private.push_devices set last_used_at = now()`;
    await save(device, { of: theirs });
    const target = await database.sql`
      select * from private.push_target(${waiting?.recipient ?? ""}, ${waiting?.template ?? ""})`;
    expect(target).toEqual([]);
    // Nothing of the former owner is shown with it either.
    expect((await settings({ of: theirs })).devices).toMatchObject([{ last_used_at: null }]);
    await database.sql`delete from private.outbox`;
  });

  it("is one of ten at most", async () => {
    const sessions = await Promise.all(
      Array.from({ length: 11 }, () => createSession(database.sql, ours.users.owner)),
    );
    const [eleventh, ...ten] = sessions;
    for (const sessionId of ten) await save(makePushDevice(), { sessionId });
    const oneMore = () => save(makePushDevice(), { sessionId: eleventh ?? "" });
    await expect(oneMore()).rejects.toMatchObject({ code: "TV200", detail: "10" });
    expect((await settings()).devices).toHaveLength(10);
    // One whose session has ended makes room.
    await database.sql`delete from auth.sessions where id = ${ten[0] ?? ""}`;
    await oneMore();
    expect((await settings()).devices).toHaveLength(10);
  });

  it("is registered sixty times an hour at most", async () => {
    const { endpoint, p256dh, auth } = makePushDevice();
    // Exact on one connection; others may let a few more through.
    const register = (times: number) =>
      as({}, async (sql) => {
        for (let n = 0; n < times; n += 1)
          await sql`select public.save_push_device(${ours.id}, ${endpoint}, ${p256dh}, ${auth}, 'x')`;
      });
    await expect(register(61)).rejects.toMatchObject({ code: "PGRST" });
    await register(60);
    const [window] = await database.sql`
      select bool_and(expires_at = window_start + interval '1 hour') as is_hour
      from private.rate_limits where key = ${`push device ${ours.users.owner.id}`}`;
    expect(window).toEqual({ is_hour: true });
  });

  it.each([
    "http://push.example.com/1",
    "https://push.example.com:8443/1",
    "https://user:secret@push.example.com/1",
    "https://push.example.com@10.0.0.1/1",
    "https://127.0.0.1/1",
    "https://2130706433/1",
    "https://0x7f.0x1/1",
    "https://[::1]/1",
    "https://localhost/1",
    "https://printer.local/1",
    "https://metadata.google.internal/1",
    "https://PUSH.example.com/1",
    "https://push.example.com",
    "https://push.example.com\\@10.0.0.1/1",
    "https://push.example.com/1 2",
    `https://push.example.com/${"a".repeat(1000)}`,
  ])("has no address like %s", async (endpoint) => {
    await expect(save({ ...makePushDevice(), endpoint })).rejects.toMatchObject({ code: "23514" });
  });

  it.each([
    "https://fcm.googleapis.com/fcm/send/dA3x:APA91bH_x-y",
    "https://jmt17.google.com/fcm/send/dA3x:APA91bH_x-y",
    "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABl",
    "https://web.push.apple.com/QGuQyavXutnMH",
    "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD%2bx%3d",
  ])("has an address like %s", async (endpoint) => {
    expect(await save({ ...makePushDevice(), endpoint })).not.toBe("");
    await database.sql`delete from private.push_devices where endpoint = ${endpoint}`;
  });

  it("is taken off by its owner alone, and no other of theirs with it", async () => {
    const sessionId = await createSession(database.sql, ours.users.owner);
    const kept = await save(makePushDevice(), { sessionId });
    const id = await save(makePushDevice());
    const remove = async (who: Who) => {
      const [row] = await as(
        who,
        (sql) => sql<{ was: boolean }[]>`select public.remove_push_device(${id}) as was`,
      );
      return row?.was;
    };
    expect(await remove({ role: "admin" })).toBe(false);
    expect(await remove({ of: theirs })).toBe(false);
    expect((await settings()).devices).toHaveLength(2);
    expect(await remove({})).toBe(true);
    expect(await remove({})).toBe(false);
    expect((await settings()).devices.map((found) => found.id)).toEqual([kept]);
  });

  it("is of a member who may read, in an organisation of theirs: not of a key, a cashier or a stranger", async () => {
    const { endpoint, p256dh, auth } = makePushDevice();
    const { id: apiKeyId } = await createApiKey(database.sql, { orgId: ours.id });
    const register = (sql: TransactionSql) =>
      sql`select public.save_push_device(${ours.id}, ${endpoint}, ${p256dh}, ${auth}, 'x')`;
    await expect(database.as({ apiKeyId }, register)).rejects.toMatchObject({ code: "42501" });
    await expect(as({ role: "cashier" }, register)).rejects.toMatchObject({ code: "42501" });
    await expect(as({ of: theirs }, register)).rejects.toMatchObject({ code: "42501" });
    for (const call of [
      (sql: TransactionSql) => sql`select public.push_settings(${ours.id})`,
      (sql: TransactionSql) => sql`select public.save_push_kinds(${ours.id}, false, false)`,
      (sql: TransactionSql) => sql`select public.answer_push_question(${ours.id})`,
    ]) {
      await expect(database.as({ apiKeyId }, call)).rejects.toMatchObject({ code: "42501" });
      await expect(as({ of: theirs }, call)).rejects.toMatchObject({ code: "42501" });
    }
    const [row] =
      await database.sql`select count(*)::integer as n from private.push_devices where org_id = ${ours.id}`;
    expect(row?.n).toBe(0);
  });

  it("goes once its session is over by time, and not while that still runs", async () => {
    const [ended, running] = [
      await save(makePushDevice()),
      await save(makePushDevice(), { role: "admin" }),
    ];
    const { owner, admin } = ours.users;
    await database.sql`
      update auth.sessions set not_after = now() + case user_id when ${owner.id} then interval '0' else interval '1 hour' end
      where user_id in (${owner.id}, ${admin.id})`;
    expect(await reached("low_rating")).toEqual([running]);
    const [swept] = await database.sql`select private.sweep_push_devices(10) as n`;
    expect(swept?.n).toBe(1);
    const left = await database.sql<{ id: string }[]>`
      select id from private.push_devices where id in (${ended}, ${running})`;
    expect(left.map(({ id }) => id)).toEqual([running]);
  });

  it("goes with its session, its member, its account and its organisation", async () => {
    const count = async () => {
      const [row] = await database.sql<{ n: number }[]>`
        select count(*)::integer as n from private.push_devices where org_id = ${ours.id}`;
      return row?.n;
    };
    for (const role of ["owner", "admin", "member"] as const)
      await save(makePushDevice(), { role });
    await database.sql`delete from auth.sessions where user_id = ${ours.users.admin.id}`;
    expect(await reached("low_rating")).toHaveLength(2);
    const [swept] = await database.sql`select private.sweep_push_devices(10) as n`;
    expect(swept?.n).toBe(1);
    expect(await count()).toBe(2);
    const [exported] = await database.sql<{ data: unknown }[]>`
      select private.export_push_devices(${ours.users.member.id}) as data`;
    expect(exported?.data).toMatchObject([
      { device: "Chrome sur Android", service: "push.example.com", last_used_at: null },
    ]);
    expect(JSON.stringify(exported)).not.toContain("wpush");
    await database.sql`select private.release_account(${ours.users.member.id})`;
    await database.sql`delete from auth.users where id = ${ours.users.member.id}`;
    expect(await count()).toBe(1);
    await database.sql`select private.erase_rows(${ours.id}, 10000)`;
    expect(await count()).toBe(0);
  });
});

describe("a review of 3 stars or fewer", () => {
  it("is sent at once to every device that wants it, with store and stars alone", async () => {
    const owner = await save(makePushDevice());
    const admin = await save(makePushDevice(), { role: "admin" });
    await save(makePushDevice(), { of: theirs });
    await review(database.sql, { campaignId: campaign.id, rating: 4 });
    expect(await messages()).toEqual([]);
    await as(
      { role: "admin" },
      (sql) => sql`select public.save_push_kinds(${ours.id}, false, true)`,
    );
    await review(database.sql, {
      campaignId: campaign.id,
      rating: 1,
      firstName: "Zélie",
      lastName: "Quintefeuille",
      email: "zelie@exemple.fr",
    });
    const [found, ...others] = await messages();
    expect(others).toEqual([]);
    const [store] = await database.sql`select name from public.stores where id = ${ours.storeId}`;
    expect(found).toEqual({
      template: "low_rating",
      recipient: owner,
      data: { store: store?.name, rating: 1, review: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    expect(JSON.stringify(found)).not.toMatch(/z[ée]lie|quintefeuille/i);
    // Its alias, which opens nothing but the inbox.
    const [known] = await database.sql`
      select 1 as is_key from public.pre_spin_reviews where id = ${String(Reflect.get(found?.data ?? {}, "review"))}`;
    expect(known).toBeUndefined();
    await as(
      { role: "admin" },
      (sql) => sql`select public.save_push_kinds(${ours.id}, true, true)`,
    );
    await bad();
    expect((await messages()).map(({ recipient }) => recipient).sort()).toEqual(
      [owner, owner, admin].sort(),
    );
    await database.sql`delete from private.outbox`;
  });

  it.each([
    ["customers", ["activity.read", "reviews.read", "campaigns.read", "stores.read"]],
    ["reviews", ["activity.read", "customers.read", "campaigns.read", "stores.read"]],
  ])("leads whoever may not see %s to the campaign", async (_, permissions) => {
    await giveRole(database.sql, ours.users.member, { orgId: ours.id, permissions });
    await save(makePushDevice(), { role: "member" });
    await bad();
    expect(await messages()).toMatchObject([{ data: { campaign: campaign.id, rating: 2 } }]);
    expect((await messages())[0]?.data).not.toHaveProperty("review");
    await database.sql`delete from private.outbox`;
  });

  it("is sent thirty times an hour at most", async () => {
    await save(makePushDevice());
    for (let n = 0; n < 32; n += 1) await bad();
    expect(await messages()).toHaveLength(30);
    await database.sql`delete from private.outbox`;
  });

  it("reaches nobody any more whom it waits for in vain", async () => {
    const { sql } = database;
    const { owner, admin } = ours.users;
    const ids = [await save(makePushDevice()), await save(makePushDevice(), { role: "admin" })];
    const [first] = ids;
    expect(await reached("low_rating")).toEqual(ids);
    expect(await reached("something_else")).toEqual([]);

    // A role that reads nothing, and its former one.
    await sql`update public.organization_members set role = 'cashier', store_id = ${ours.storeId} where user_id = ${admin.id}`;
    expect(await reached("low_rating")).toEqual([first]);
    await sql`update public.organization_members set role = 'admin', store_id = null where user_id = ${admin.id}`;
    await sql`delete from public.organization_members where user_id = ${admin.id}`;
    expect(await reached("low_rating")).toEqual([first]);

    // A role that works in the back-office, and may not read what happens.
    await giveRole(sql, ours.users.member, { orgId: ours.id, permissions: ["activity.read"] });
    const third = await save(makePushDevice(), { role: "member" });
    expect(await reached("low_rating")).toEqual([first, third]);
    await giveRole(sql, ours.users.member, { orgId: ours.id, permissions: ["stores.read"] });
    expect(await reached("low_rating")).toEqual([first]);

    // Switched off, for this kind alone.
    await as({}, (own) => own`select public.save_push_kinds(${ours.id}, false, true)`);
    expect(await reached("low_rating")).toEqual([]);
    expect(await reached("low_stock")).toEqual([first]);
    await as({}, (own) => own`select public.save_push_kinds(${ours.id}, true, true)`);

    // Suspended, being ended, unread for 30 days; open again.
    for (const [off, on] of [
      [{ suspended_at: daysFromNow(0) }, { suspended_at: null }],
      [{ is_ending: true }, { is_ending: false }],
      [
        { status: "canceled", closed_at: daysFromNow(-31) },
        { status: "active", closed_at: null },
      ],
    ]) {
      await sql`update public.subscriptions set ${sql(off ?? {})} where org_id = ${ours.id}`;
      expect(await reached("low_rating")).toEqual([]);
      await sql`update public.subscriptions set ${sql(on ?? {})} where org_id = ${ours.id}`;
      expect(await reached("low_rating")).toEqual([first]);
    }

    // A session that is over, in either way.
    await sql`update auth.sessions set not_after = now() - interval '1 second' where user_id = ${owner.id}`;
    expect(await reached("low_rating")).toEqual([]);
    await bad();
    expect(await messages()).toEqual([]);
  });
});

describe("a stock", () => {
  const stockOf = (id: string, stock: number) =>
    database.sql`update public.rewards set stock = ${stock} where id = ${id}`;
  const told = async () => (await messages()).map(({ data }) => Reflect.get(data, "stock")).sort();

  it("is announced when five are left and when none is, once a day each", async () => {
    const id = await save(makePushDevice());
    await createStore(database.sql, { orgId: ours.id });
    const [store] = await database.sql`select name from public.stores where id = ${ours.storeId}`;
    const reward = await createReward(database.sql, campaign, { name: "Café offert", stock: 7 });
    await drawWheel(database.sql, campaign, [{ weight: 100, rewardId: reward }]);
    await spin(database.sql, { campaignId: campaign.id });
    expect(await messages()).toEqual([]);
    for (let left = 6; left > 0; left -= 1) await spin(database.sql, { campaignId: campaign.id });
    const data = { store: store?.name, prize: "Café offert", reward };
    expect([...(await messages())]).toEqual([
      { template: "low_stock", recipient: id, data: { ...data, stock: 5 } },
      { template: "low_stock", recipient: id, data: { ...data, stock: 0 } },
    ]);
    const [windows] = await database.sql`
      select bool_and(expires_at = window_start + interval '1 day') as are_days
      from private.rate_limits where key like ${`stock push ${reward} %`}`;
    expect(windows).toEqual({ are_days: true });
    await stockOf(reward, 9);
    await stockOf(reward, 2);
    await stockOf(reward, 0);
    expect(await messages()).toHaveLength(2);
    await database.sql`delete from private.outbox`;
  });

  it("is announced to its only reader after a mistyped number, and when a campaign sells it again", async () => {
    await save(makePushDevice());
    const typed = await createReward(database.sql, campaign, { stock: 50 });
    const type = (stock: number) =>
      as({}, (sql) => sql`update public.rewards set stock = ${stock} where id = ${typed}`);
    await type(5);
    await type(30);
    await database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
    await stockOf(typed, 4);
    await database.sql`update public.campaigns set active = true where id = ${campaign.id}`;
    await stockOf(typed, 30);
    expect(await told()).toEqual([]);
    await stockOf(typed, 5);
    await stockOf(typed, 30);
    await stockOf(typed, 5);
    expect(await told()).toEqual([5]);
    await database.sql`delete from private.outbox`;
  });

  it("is not announced to whoever typed it, of a campaign that is over, nor where it is unlimited", async () => {
    await save(makePushDevice());
    await save(makePushDevice(), { role: "admin" });
    const typed = await createReward(database.sql, campaign, { stock: 50 });
    await as({}, (sql) => sql`update public.rewards set stock = 3 where id = ${typed}`);
    expect(await messages()).toHaveLength(1);
    const unlimited = await createReward(database.sql, campaign);
    await stockOf(unlimited, 20);
    await stockOf(unlimited, -1);
    const stopped = await createReward(database.sql, campaign, { stock: 50, active: false });
    await stockOf(stopped, 1);
    const over = await createReward(database.sql, campaign, { stock: 50 });
    await database.sql`update public.campaigns set active = false where id = ${campaign.id}`;
    await stockOf(over, 1);
    expect(await told()).toEqual([3]);
    await database.sql`delete from private.outbox`;
  });
});

describe("the question", () => {
  it("is answered once, for its member alone, and changes nothing else", async () => {
    const before = await settings();
    await as({}, (sql) => sql`select public.answer_push_question(${ours.id})`);
    const [first] = await database.sql`
      select push_asked_at as at from public.notification_preferences where user_id = ${ours.users.owner.id}`;
    await as({}, (sql) => sql`select public.answer_push_question(${ours.id})`);
    const [second] = await database.sql`
      select push_asked_at as at from public.notification_preferences where user_id = ${ours.users.owner.id}`;
    expect(second).toEqual(first);
    expect(await settings()).toEqual({ ...before, is_asked: true });
    expect((await settings({ role: "admin" })).is_asked).toBe(false);
  });
});
