import type { ISql } from "postgres";
import { describe, expect, it } from "vitest";
import { oddsOf } from "../../web/features/campaign-editor/odds/odds.ts";
import { setUpTestDatabase, undone } from "../harness/database.ts";
import { rounds } from "../harness/depth.ts";
import { deviates, expectTwiceNot } from "./support/chi-square.ts";

/** The draw gives every segment its odds. */

const DRAWS = 100_000;

const database = setUpTestDatabase();

/** A segment of a wheel: its weight, whether it wins something, and whether that can be won now. */
type Segment = { weight: number; kind: "reward" | "blocked" | "loss" };

const reward = (weight: number): Segment => ({ weight, kind: "reward" });
const blocked = (weight: number): Segment => ({ weight, kind: "blocked" });
const loss = (weight: number): Segment => ({ weight, kind: "loss" });

/** Wheels, with the share of each segment that the design (section 4) promises. */
const WHEELS: readonly { name: string; segments: Segment[]; shares: number[] }[] = [
  {
    name: "the example of the specification",
    segments: [reward(25), reward(25), reward(15), loss(35)],
    shares: [25, 25, 15, 35],
  },
  { name: "one chance in a hundred", segments: [reward(1), loss(99)], shares: [1, 99] },
  {
    name: "seven segments, none alike",
    segments: [reward(3), loss(7), reward(11), loss(13), reward(17), loss(19), reward(30)],
    shares: [3, 7, 11, 13, 17, 19, 30],
  },
  {
    name: "weights of 0, first, between and last",
    segments: [reward(0), reward(40), loss(0), loss(60), reward(0)],
    shares: [0, 40, 0, 60, 0],
  },
  { name: "a single segment", segments: [reward(100)], shares: [100] },
  {
    name: "a blocked reward: its 20 go to the losing segments, four to one",
    segments: [reward(30), blocked(20), loss(40), loss(10)],
    shares: [30, 0, 56, 14],
  },
  {
    name: "every reward blocked: the losing segments alone, three to one",
    segments: [blocked(50), loss(15), blocked(30), loss(5)],
    shares: [0, 3, 0, 1],
  },
  {
    name: "a blocked reward and no losing segment: the rest, six to one",
    segments: [reward(60), blocked(30), reward(10)],
    shares: [6, 0, 1],
  },
  {
    name: "a blocked reward and a losing segment of weight 0: never a loss",
    segments: [reward(45), blocked(40), loss(0), reward(15)],
    shares: [3, 0, 0, 1],
  },
];

/** How often `private.draw_segment` draws each segment; a last count tells how often none. */
async function drawTimes(
  sql: ISql,
  segments: readonly Segment[],
  times: number,
): Promise<number[]> {
  const weights = segments.map(({ weight }) => weight);
  const rewards = segments.map(({ kind }) => (kind === "loss" ? null : crypto.randomUUID()));
  const drawable = `{${segments.map(({ kind }) => kind !== "blocked").join()}}`;
  const rows = await sql<{ segment: number | null; count: number }[]>`
    select segment, count(*)::integer as count
    from (
      select private.draw_segment(${weights}::integer[], ${rewards}::uuid[], ${drawable}::text::boolean[]) as segment
      from generate_series(1, ${times})
    ) d
    group by segment`;
  const counts = new Array<number>(segments.length + 1).fill(0);
  for (const { segment, count } of rows) {
    const index = (segment ?? segments.length + 1) - 1;
    expect(index).toBeGreaterThanOrEqual(0);
    expect(index).toBeLessThan(counts.length);
    counts[index] = count;
  }
  return counts;
}

describe("private.draw_segment", () => {
  // Chance belongs in the deep suite; the quick one asks whether the generator is the database's at all.
  const unseeded = WHEELS.slice(0, rounds({ quick: 1, deep: WHEELS.length }));
  it.each(unseeded)("with the database's own generator: $name", async ({ segments, shares }) => {
    await expectTwiceNot(async () =>
      deviates(await drawTimes(database.sql, segments, DRAWS), [...shares, 0]),
    );
  });

  it.each(WHEELS)("with a seeded generator, the same in every run: $name", async (wheel) => {
    const counts = await undone(database.sql, async (sql) => {
      await sql`
        create or replace function private.random_below(p_bound integer) returns integer
        language plpgsql volatile
        as $$ begin return floor(random() * p_bound); end $$`;
      await sql`select setseed(0.20261121)`;
      return drawTimes(sql, wheel.segments, DRAWS);
    });
    expect(deviates(counts, [...wheel.shares, 0])).toBe(false);
  });

  it.each([
    { name: "no segment", segments: [] },
    { name: "only blocked rewards", segments: [blocked(70), blocked(30)] },
    { name: "only weights of 0", segments: [reward(0), loss(0)] },
    {
      name: "a blocked reward and a losing segment of weight 0",
      segments: [blocked(100), loss(0)],
    },
  ])("draws nothing from $name", async ({ segments }) => {
    const counts = await drawTimes(database.sql, segments, 1000);
    expect(counts).toEqual([...segments.map(() => 0), 1000]);
  });
});

describe("the odds that the editor tells", () => {
  /** The same wheel as its editor has it, a reward for each segment that wins. */
  const odds = (segments: readonly Segment[]) =>
    oddsOf(
      segments.map(({ weight, kind }, place) => ({
        weight,
        rewardId: kind === "loss" ? "" : `${place}`,
      })),
      segments.map(({ kind }, place) => ({
        id: `${place}`,
        name: "Lot",
        active: true,
        is_archived: false,
        stock: kind === "blocked" ? 0 : -1,
        value: null,
        picture: null,
        home: null,
      })),
    ).win;

  it.each(WHEELS)("are those of the draw: $name", ({ segments, shares }) => {
    const sum = shares.reduce((one, other) => one + other, 0);
    const winning = shares.filter((_, place) => segments[place]?.kind === "reward");
    expect(odds(segments)).toBeCloseTo(winning.reduce((one, other) => one + other, 0) / sum, 10);
  });

  it("are none where nothing is drawn", () => {
    expect(odds([blocked(100), loss(0)])).toBeNull();
  });
});

describe("a point of the wheel", () => {
  const SETS: readonly number[][] = [
    [25, 25, 15, 35],
    [1, 99],
    [3, 7, 11, 13, 17, 19, 30],
    [0, 40, 0, 60, 0],
    [100],
    [33, 33, 33, 1],
    [60, 10],
  ];

  it.each(SETS.map((weights) => ({ weights })))(
    "gives each of $weights as many points as it weighs, in order",
    async ({ weights }) => {
      const rewards = weights.map(() => crypto.randomUUID());
      const drawable = `{${weights.map(() => "t").join()}}`;
      const total = weights.reduce((sum, weight) => sum + weight, 0);
      const drawn = await undone(database.sql, async (sql) => {
        await sql`
          create or replace function private.random_below(p_bound integer) returns integer
          language sql stable return current_setting('test.point')::integer`;
        const indexes: (number | null)[] = [];
        for (let point = 0; point < total; point++) {
          await sql`select set_config('test.point', ${String(point)}, true)`;
          const [row] = await sql<{ index: number }[]>`
            select private.draw_segment(${weights}::integer[], ${rewards}::uuid[], ${drawable}::text::boolean[]) as index`;
          indexes.push(row?.index ?? null);
        }
        return indexes;
      });
      expect(drawn).toEqual(weights.flatMap((weight, index) => Array(weight).fill(index + 1)));
    },
  );
});

describe("private.random_below", () => {
  async function fall(bound: number, buckets: number): Promise<number[]> {
    const rows = await database.sql<{ bucket: number; count: number }[]>`
      select (number::bigint * ${buckets} / ${bound})::integer as bucket, count(*)::integer as count
      from (select private.random_below(${bound}) as number from generate_series(1, ${DRAWS})) r
      where number between 0 and ${bound} - 1
      group by 1`;
    const counts = new Array<number>(buckets).fill(0);
    for (const { bucket, count } of rows) counts[bucket] = count;
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(DRAWS);
    return counts;
  }

  it.each([1, 2, 3, 7, 10, 32, 100])("is uniform below %i", async (bound) => {
    const shares = new Array<number>(bound).fill(1);
    await expectTwiceNot(async () => deviates(await fall(bound, bound), shares));
  });

  // 2^32 holds this bound two and two thirds times: a plain remainder would fall below 2^30 three
  // times in four, where two in three are due.
  it("throws away what a remainder would favour", async () => {
    await expectTwiceNot(async () => deviates(await fall(1_610_612_736, 3), [1, 1, 1]));
  });

  // Each statistic is one of two shares of a half.
  it("has bits that are set half of the time, whatever those of the byte beside them are", async () => {
    const halves = async () => {
      const columns = Array.from({ length: 31 }, (_, bit) => [
        `count(*) filter (where n >> ${bit} & 1 = 1)::integer`,
        ...(bit < 23
          ? [`count(*) filter (where n >> ${bit} & 1 = n >> ${bit + 8} & 1)::integer`]
          : []),
      ]).flat();
      const [row] = await database.sql.unsafe<{ counts: number[] }[]>(`
        select array[${columns.join()}] as counts
        from (select private.random_below(2147483647) as n from generate_series(1, ${DRAWS})) r`);
      return row?.counts ?? [];
    };
    const deviating = async () =>
      (await halves()).flatMap((count, place) =>
        deviates([count, DRAWS - count], [1, 1]) ? [place] : [],
      );
    const suspects = await deviating();
    const again = suspects.length > 0 ? await deviating() : [];
    expect(suspects.filter((place) => again.includes(place))).toEqual([]);
  });

  it("reaches both ends of the largest bound", async () => {
    await expectTwiceNot(async () =>
      deviates(await fall(2_147_483_647, 100), new Array<number>(100).fill(1)),
    );
  });
});

describe("private.random_code", () => {
  const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
  const SIGNS = 8;
  const CODES = 40_000;

  async function codes(template: string | null, times = 1): Promise<string[]> {
    const rows = await database.sql<{ code: string }[]>`
      select private.random_code(${template}) as code from generate_series(1, ${times})`;
    return rows.map(({ code }) => code);
  }

  /** Places of the signs in the alphabet, a row a code. */
  async function digits(): Promise<number[][]> {
    const rows = await codes("{random}", CODES);
    return rows.map((code) => [...code].map((sign) => ALPHABET.indexOf(sign)));
  }

  function tally(values: readonly number[], size: number): number[] {
    const counts = new Array<number>(size).fill(0);
    for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
    return counts;
  }

  it("has 8 signs of 32, none of which looks like another", async () => {
    expect(new Set(ALPHABET).size).toBe(32);
    expect(ALPHABET).not.toMatch(/[O0I1]/);
    const strange = (await codes("{random}", 5000)).filter(
      (code) => !/^[A-HJ-NP-Z2-9]{8}$/.test(code),
    );
    expect(strange).toEqual([]);
  });

  it("draws every sign alike in every place", async () => {
    const shares = new Array<number>(ALPHABET.length).fill(1);
    let rows = await digits();
    for (let place = 0; place < SIGNS; place++) {
      const isRejected = () =>
        deviates(
          tally(
            rows.map((row) => row[place] ?? -1),
            32,
          ),
          shares,
        );
      await expectTwiceNot(async () => {
        if (!isRejected()) return false;
        rows = await digits();
        return isRejected();
      });
    }
  });

  // Neighbours that shared a bit would show here, though each alone is uniform.
  it("draws every sign without regard to its neighbour", async () => {
    const pairs = async () =>
      (await digits()).flatMap((row) =>
        [0, 2, 4, 6].map((place) => (row[place] ?? 0) * 32 + (row[place + 1] ?? 0)),
      );
    const shares = new Array<number>(1024).fill(1);
    await expectTwiceNot(async () => deviates(tally(await pairs(), 1024), shares));
  });

  it.each([
    [null, /^WIN[A-Z2-9]{8}$/],
    ["{random}", /^[A-Z2-9]{8}$/],
    ["CAFE-{random}", /^CAFE-[A-Z2-9]{8}$/],
    ["{random}-ete", /^[A-Z2-9]{8}-ete$/],
    ["NOEL", /^NOEL-[A-Z2-9]{8}$/],
    ["{random}/{random}", /^([A-Z2-9]{8})\/\1$/],
    ["{RANDOM}", /^\{RANDOM\}-[A-Z2-9]{8}$/],
  ])("makes a code after the template %s", async (template, shape) => {
    const [code] = await codes(template);
    expect(code).toMatch(shape);
  });
});
