import { expect, it } from "vitest";
import { z } from "zod";
import { campaignDates, campaignState } from "#domain/rules/campaign-state.ts";
import { zonedDayEnd, zonedDayStart } from "../../web/lib/zoned-time.ts";
import { setUpTestDatabase } from "../harness/database.ts";
import { createCampaign, createOrganization, createStore } from "../harness/fixtures.ts";

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
