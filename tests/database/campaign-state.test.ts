import { expect, it } from "vitest";
import { z } from "zod";
import { campaignDates, campaignState } from "#domain/rules/campaign-state.ts";
import { timezoneChange } from "#domain/schemas/timezone-change.ts";
import { zonedDayEnd, zonedDayStart } from "../../web/lib/zoned-time.ts";
import { secondsFromNow } from "../harness/clock.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import {
  createCampaign,
  createOrganization,
  createStore,
  giveRole,
  type User,
} from "../harness/fixtures.ts";

/** Where a campaign stands, asked of SQL (whether the public may take part, whether it is over) and of the domain. */

const database = setUpTestDatabase();

const answer = z.object({
  now: z.string(),
  dates: campaignDates,
  is_running: z.boolean(),
  todo: z.object({
    over_campaign: z.nullable(z.object({ id: z.string() })),
    empty_campaign: z.nullable(campaignDates),
  }),
});

/** Moments around the limits, as SQL writes them; null is no limit. */
const BEFORE = ["-400 days", "-1 hour", "-1 ms", "0", null];
const AFTER = ["0", "1 ms", "1 hour", "400 days", null];
/** Zones in which the database may write moments: ahead, behind, by half an hour, with summer time. */
const ZONES = ["UTC", "Europe/Paris", "America/St_Johns", "Pacific/Kiritimati"];

const CASES = [true, false].flatMap((active) =>
  [...BEFORE, ...AFTER].flatMap((starts) =>
    [...BEFORE, ...AFTER].map((ends) => ({ active, starts, ends })),
  ),
);

it("the state of a campaign is the same in SQL and in the domain, at every limit and in every zone", async () => {
  const { sql } = database;
  const org = await createOrganization(sql);
  const { id } = await createCampaign(sql, { orgId: org.id, storeId: org.storeId });
  const seen = new Set<string>();
  for (const zone of ZONES) {
    // One moment for a zone's cases: SQL asks the beginning of the transaction.
    await sql.begin(async (transaction) => {
      await transaction`select set_config('TimeZone', ${zone}, true)`;
      for (const { active, starts, ends } of CASES) {
        if (starts !== null && ends !== null && isBefore(ends, starts)) continue;
        await transaction`
          update public.campaigns set active = ${active},
            starts_at = now() + ${starts}::interval, ends_at = now() + ${ends}::interval
          where id = ${id}`;
        const [row] = await transaction<{ answer: unknown }[]>`
          select jsonb_build_object('now', now(), 'dates', to_jsonb(c), 'is_running', private.is_running(c, s),
            'todo', private.next_steps(c.org_id, false, false)) as answer
          from public.campaigns c join public.subscriptions s on s.org_id = c.org_id where c.id = ${id}`;
        const { now, dates, is_running, todo } = answer.parse(row?.answer);
        const state = campaignState(dates, new Date(now));
        seen.add(state);
        expect({
          zone,
          dates,
          isRunning: is_running,
          isOver: todo.over_campaign !== null,
          isOnOrToCome: todo.empty_campaign !== null,
        }).toEqual({
          zone,
          dates,
          isRunning: state === "running",
          isOver: state === "over",
          isOnOrToCome: state === "running" || state === "scheduled",
        });
      }
    });
  }
  expect([...seen].sort()).toEqual(["inactive", "over", "running", "scheduled"]);
});

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, hour: 3_600_000, days: 86_400_000 };
const length = (interval: string) => {
  const [count, unit = "ms"] = interval.split(" ");
  return Number(count) * (MILLISECONDS[unit] ?? Number.NaN);
};
/** Whether a campaign would end before it begins, which the database refuses. */
const isBefore = (one: string, other: string) => length(one) < length(other);

it.each([
  ["Europe/Paris", "2026-03-29"],
  ["Europe/Paris", "2026-10-25"],
  ["America/Santiago", "2026-09-06"],
  ["Pacific/Kiritimati", "2026-12-31"],
  ["America/St_Johns", "2026-11-01"],
])("of one that lasts a day is that of the day in its store's zone: %s, %s", async (zone, day) => {
  const [row] = await database.sql<{ first: boolean; last: boolean; outside: boolean }[]>`
    with lasting as (select ${zonedDayStart(day, zone)}::timestamptz as starts, ${zonedDayEnd(day, zone)}::timestamptz as ends)
    select (starts at time zone ${zone})::date = ${day}::date as first,
      (ends at time zone ${zone})::date = ${day}::date as last,
      ((starts - interval '1 second') at time zone ${zone})::date < ${day}::date
        and ((ends + interval '1 second') at time zone ${zone})::date > ${day}::date as outside
    from lasting`;
  expect(row).toEqual({ first: true, last: true, outside: true });
});

it("the dates of a campaign keep the time that was typed when its store gets its time zone", async () => {
  const { sql } = database;
  const { id: orgId, storeId } = await createOrganization(sql);
  const other = await createStore(sql, { orgId });
  // Begun already, over in some hours: the end never comes before the start.
  const [startsAt, endsAt] = [new Date("2026-11-27T09:00:00Z"), new Date("2026-11-27T17:00:00Z")];
  const { id } = await createCampaign(sql, { orgId, storeId, startsAt, endsAt });
  const elsewhere = await createCampaign(sql, { orgId, storeId: other, startsAt, endsAt });
  const endless = await createCampaign(sql, { orgId, storeId });
  const dates = async (campaignId: string) => {
    const [row] = await sql<{ starts: Date | null; ends: Date | null; version: number }[]>`
      select starts_at as starts, ends_at as ends, version from public.campaigns where id = ${campaignId}`;
    return [row?.starts?.toISOString(), row?.ends?.toISOString(), row?.version];
  };
  await sql`update public.stores set timezone = 'Pacific/Auckland' where id = ${storeId}`;
  expect(await dates(id)).toEqual(["2026-11-26T21:00:00.000Z", "2026-11-27T05:00:00.000Z", 2]);
  await sql`update public.stores set timezone = 'Pacific/Tahiti' where id = ${storeId}`;
  expect(await dates(id)).toEqual(["2026-11-27T20:00:00.000Z", "2026-11-28T04:00:00.000Z", 3]);
  await sql`update public.stores set timezone = 'Pacific/Tahiti', name = 'Pirae' where id = ${storeId}`;
  expect(await dates(id)).toEqual(["2026-11-27T20:00:00.000Z", "2026-11-28T04:00:00.000Z", 3]);
  expect(await dates(elsewhere.id)).toEqual([startsAt.toISOString(), endsAt.toISOString(), 1]);
  expect(await dates(endless.id)).toEqual([undefined, undefined, 1]);
});

/** Dates of campaigns in Paris, in hours from now; what a zone 12 hours ahead, and one 12 or 13 behind, do to them. */
const MOVES: readonly {
  name: string;
  hours: readonly [number | null, number | null];
  isActive?: boolean;
  ahead?: string;
  behind?: string;
}[] = [
  { name: "a, ends soon", hours: [-50, 5], ahead: "stops", behind: "moves" },
  { name: "b, begins soon", hours: [5, null], ahead: "starts", behind: "moves" },
  { name: "c, begun lately", hours: [-5, null], behind: "stops" },
  { name: "d, over lately", hours: [-50, -5], behind: "starts" },
  { name: "e, goes on", hours: [-50, 50], ahead: "moves", behind: "moves" },
  { name: "f, over for long", hours: [-90, -50] },
  { name: "g, begun long ago", hours: [-50, null] },
  { name: "h, always", hours: [null, null] },
  { name: "i, at rest", hours: [-50, 5], isActive: false },
];

async function askTimezoneChange(user: User, storeId: string, zone: string | null) {
  const [row] = await database.as(
    { userId: user.id },
    (sql) =>
      sql<{ answer: unknown }[]>`select public.timezone_change(${storeId}, ${zone}) as answer`,
  );
  return timezoneChange.parse(row?.answer);
}

/** A shop with the campaigns of `MOVES`, and a second store with one whose dates move as well. */
async function createDatedCampaigns() {
  const { sql } = database;
  const shop = await createOrganization(sql);
  const moment = (hours: number | null) => (hours === null ? null : secondsFromNow(hours * 3600));
  for (const { name, hours, isActive: active = true } of MOVES) {
    const dates = { startsAt: moment(hours[0]), endsAt: moment(hours[1]) };
    await createCampaign(sql, { orgId: shop.id, storeId: shop.storeId, name, active, ...dates });
  }
  const other = await createStore(sql, { orgId: shop.id });
  await createCampaign(sql, { orgId: shop.id, storeId: other, endsAt: secondsFromNow(5 * 3600) });
  return shop;
}

it.each([
  ["ahead", "Pacific/Auckland"],
  ["behind", "Pacific/Pago_Pago"],
] as const)(
  "what a time zone %s is said to do to a store's campaigns is what it does",
  async (way, zone) => {
    const { sql } = database;
    const { storeId, users } = await createDatedCampaigns();
    const running = async () => {
      const rows = await sql<{ name: string }[]>`
      select name from public.campaigns c where c.store_id = ${storeId} and private.is_in_time(c) order by name`;
      return rows.map(({ name }) => name);
    };
    const [told, before] = [await askTimezoneChange(users.owner, storeId, zone), await running()];
    expect(told).toEqual(
      MOVES.flatMap(({ name, [way]: effect }) => (effect ? [{ name, effect }] : [])),
    );
    await sql`update public.stores set timezone = ${zone} where id = ${storeId}`;
    const named = (effect: string) =>
      MOVES.flatMap((campaign) => (campaign[way] === effect ? [campaign.name] : []));
    expect(await running()).toEqual(
      [...before.filter((name) => !named("stops").includes(name)), ...named("starts")].toSorted(),
    );
  },
);

it("effects of a time zone are for readers of the store, names for readers of campaigns", async () => {
  const { sql } = database;
  const { id: orgId, storeId, users } = await createDatedCampaigns();
  expect(await askTimezoneChange(users.owner, storeId, "Europe/Paris")).toEqual([]);
  // The same clock under another name.
  expect(await askTimezoneChange(users.owner, storeId, "Europe/Brussels")).toEqual([]);
  for (const zone of ["Europe/Atlantis", null]) {
    await expect(askTimezoneChange(users.owner, storeId, zone)).rejects.toMatchObject({
      code: "23514",
      constraint_name: "stores_timezone_check",
    });
  }
  await giveRole(sql, users.member, { orgId, permissions: ["stores.read"] });
  const told = await askTimezoneChange(users.member, storeId, "Pacific/Pago_Pago");
  expect(told?.map(({ effect }) => effect)).toEqual(MOVES.flatMap(({ behind }) => behind ?? []));
  expect(told?.filter(({ name }) => name !== null)).toEqual([]);
  await giveRole(sql, users.member, { orgId, permissions: ["campaigns.read"] });
  expect(await askTimezoneChange(users.member, storeId, "Pacific/Pago_Pago")).toBeNull();
  const stranger = (await createOrganization(sql)).users.owner;
  expect(await askTimezoneChange(stranger, storeId, "Pacific/Pago_Pago")).toBeNull();
});
