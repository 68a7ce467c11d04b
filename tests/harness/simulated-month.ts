import type { Sql } from "postgres";
import { spinResult } from "#domain/schemas/journey.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/text/durations.ts";
import { become } from "./database.ts";
import type { Campaign, Organization } from "./fixtures.ts";
import { spin } from "./journey.ts";
import { numbers } from "./numbers.ts";

/**
 * A shop's customers and cheats, who play through the product's own SQL: each turn is drawn by `spin_wheel`, then what it wrote is
 * moved to its simulated instant, and judged by `judge_spins` as the job would.
 */

/**
 * Honest players: with a phone of their own (on a mobile network, or the shop's Wi-Fi), as a
 * family, on the lent phone, in a group.
 */
const HONEST = ["passer-by", "shop Wi-Fi", "family", "counter phone", "group"] as const;
/**
 * Cheats: one device with invented addresses, private windows on one network, disposable addresses,
 * prizes used at night.
 */
const CHEATS = ["burst", "windows", "disposable", "night"] as const;
type PlayerKind = (typeof HONEST)[number] | (typeof CHEATS)[number];

/** A turn of the month, and the prize that it won. */
type Turn = {
  kind: PlayerKind;
  /** Turns that one person, family or group takes belong together. */
  episode: string;
  at: number;
  device: string;
  network: string;
  email: string;
  /** When its prize is used at the till; null where nobody brings it. */
  useAt: number | null;
};

/** How a kind of players fared. */
export type KindResult = {
  kind: PlayerKind;
  isCheat: boolean;
  turns: number;
  prizes: number;
  marked: number;
  /** Cheats (people, families, groups), and how many of them have a marked prize. */
  episodes: number;
  seen: number;
  /** Marked prizes by reason. */
  reasons: Record<string, number>;
};

export type MonthOptions = {
  seed: number;
  days: number;
  /** Turns of customers who come alone, a day. */
  customersADay: number;
  /** Cheats of each kind in the month. */
  cheats: number;
  /** Whether somebody looks at the prizes to check each evening, and says that the lent phone is normal. */
  isWatched: boolean;
};

/** Midnight in Paris of a Monday, far from a change of the clock. */
const START = Date.UTC(2026, 0, 4, 23);
const COUNTER_DEVICE = "lent at the counter";
const SHOP_NETWORK = "Wi-Fi of the shop";
/** Where people get an address for a few minutes; the last ones give names that change from week to week, which no list has. */
const DISPOSABLE = ["yopmail.com", "yopmail.fr", "jetable.org", "mailinator.com", "temp-mail.org"];

/** Everything that happens, in the order of time. */
function planMonth({ seed, days, customersADay, cheats }: MonthOptions): Turn[] {
  const random = numbers(seed);
  const between = (from: number, to: number) => from + random() * (to - from);
  const whole = (from: number, to: number) => Math.floor(between(from, to + 1));
  const day = (n: number) => START + n * DAY_MS;
  const turns: Turn[] = [];
  let serial = 0;
  const newName = () => {
    serial += 1;
    return `${seed}-${serial}`;
  };
  /** Opening hours are 8 to 20, with a rush at noon and one in the evening. */
  const opening = (n: number) => {
    const rush = random();
    const hour = rush < 0.35 ? between(12, 14) : rush < 0.55 ? between(17, 19) : between(8, 20);
    return day(n) + hour * HOUR_MS;
  };
  /** Three prizes of five are used: most at once, the others on a later day. */
  const laterUse = (at: number) => {
    const chance = random();
    if (chance > 0.6) return null;
    if (chance < 0.45) return at + between(1, 40) * MINUTE_MS;
    return opening(Math.floor((at - START) / DAY_MS) + whole(1, 10));
  };
  /** Moment at which a player at home brings the prizes, on a later day. */
  const comeBy = (at: number) => opening(Math.floor((at - START) / DAY_MS) + whole(1, 5));
  const add = (turn: Omit<Turn, "device" | "network" | "email" | "useAt"> & Partial<Turn>) => {
    const name = newName();
    turns.push({
      device: `device ${name}`,
      // A mobile operator's customers share addresses.
      network: `mobile ${whole(1, 60)}`,
      email: `client.${name}@exemple.fr`,
      useAt: laterUse(turn.at),
      ...turn,
    });
  };

  for (let n = 0; n < days; n += 1) {
    for (let i = 0; i < customersADay; i += 1) {
      const isOnWifi = random() < 0.25;
      add({
        kind: isOnWifi ? "shop Wi-Fi" : "passer-by",
        episode: newName(),
        at: opening(n),
        ...(isOnWifi && { network: SHOP_NETWORK }),
      });
    }
    for (let i = 0, count = whole(2, 4); i < count; i += 1) {
      const episode = newName();
      const begin = opening(n);
      const network = random() < 0.6 ? SHOP_NETWORK : `home ${episode}`;
      const adults = whole(2, 3);
      for (let member = 0, count = whole(3, 6); member < count; member += 1) {
        add({
          kind: "family",
          episode,
          at: begin + between(0, 8) * MINUTE_MS,
          network,
          // Children play on a parent's phone.
          ...(member >= adults && { device: `parent ${episode}` }),
          ...(member === 0 && { device: `parent ${episode}` }),
        });
      }
    }
    for (let i = 0, count = whole(3, 9); i < count; i += 1) {
      add({
        kind: "counter phone",
        episode: "counter",
        at: opening(n),
        device: COUNTER_DEVICE,
        network: SHOP_NETWORK,
      });
    }
  }
  for (let i = 0; i < Math.round(days / 15); i += 1) {
    const episode = newName();
    const begin = opening(whole(0, days - 1));
    for (let member = 0, count = whole(8, 12); member < count; member += 1) {
      add({
        kind: "group",
        episode,
        at: begin + between(0, 15) * MINUTE_MS,
        network: SHOP_NETWORK,
      });
    }
  }

  for (let i = 0; i < cheats; i += 1) {
    const [burst, windows, disposable, night] = [newName(), newName(), newName(), newName()];
    let at = opening(whole(0, days - 1));
    for (let turn = 0, count = whole(12, 20); turn < count; turn += 1) {
      at += between(0.7, 1.6) * MINUTE_MS;
      add({
        kind: "burst",
        episode: burst,
        at,
        device: burst,
        network: `home ${burst}`,
        useAt: comeBy(at),
      });
    }
    // Each at a pace of their own: the hasty ones take a minute a turn, the patient ones five.
    const pace = between(0.8, 5);
    at = opening(whole(0, days - 1));
    for (let turn = 0, count = whole(10, 20); turn < count; turn += 1) {
      at += between(0.7, 1.3) * pace * MINUTE_MS;
      add({ kind: "windows", episode: windows, at, network: `home ${windows}`, useAt: comeBy(at) });
    }
    for (let turn = 0, count = whole(8, 15); turn < count; turn += 1) {
      const domain = DISPOSABLE[whole(0, DISPOSABLE.length)] ?? `${newName()}.example`;
      add({
        kind: "disposable",
        episode: disposable,
        at: opening(whole(0, days - 1)),
        network: `home ${disposable}`,
        email: `${newName()}@${domain}`,
      });
    }
    for (let turn = 0, count = whole(5, 10); turn < count; turn += 1) {
      const played = opening(whole(0, days - 1));
      const midnight = START + (Math.floor((played - START) / DAY_MS) + 1) * DAY_MS;
      // Between half an hour before midnight and six, when nobody else is in the shop.
      const useAt = midnight + between(-0.5, 6) * HOUR_MS;
      add({ kind: "night", episode: night, at: played, useAt });
    }
  }
  return turns.toSorted((one, other) => one.at - other.at);
}

/** Plays a month in a campaign, whose wheel should always win, so that the same seed gives the same figures; answers how each kind fared. */
export async function playMonth(
  sql: Sql,
  { ours, campaign }: { ours: Organization; campaign: Campaign },
  options: MonthOptions,
): Promise<KindResult[]> {
  const turns = planMonth(options);
  const codes = new Map<Turn, string>();
  const uses: { turn: Turn; at: number; code: string }[] = [];
  let hour = 0;
  let judgedAt = 0;
  let evening = START + 20 * HOUR_MS;

  const use = async (at: number, code: string) => {
    await sql`
      with used as (
        update public.redemptions set status = 'used', used_at = ${new Date(at)}, used_store_id = store_id
        where org_id = ${ours.id} and code = ${code} and status = 'available' and verdict is null returning *
      )
      select private.mark_quiet_use(u::public.redemptions, 'Europe/Paris') from (
        select (used).* from used) u`;
  };
  const usesUntil = async (at: number) => {
    uses.sort((one, other) => one.at - other.at);
    for (let next = uses[0]; next && next.at <= at; next = uses[0]) {
      uses.shift();
      await use(next.at, next.code);
    }
  };
  const judge = () => sql`select private.judge_spins(1000)`;
  const look = () =>
    sql.begin(async (transaction) => {
      const groups = await transaction<{ id: string }[]>`
        select id from private.check_groups
        where org_id = ${ours.id} and closed_at is null and group_key = ${COUNTER_DEVICE}`;
      await become(transaction, { userId: ours.users.owner.id });
      for (const { id } of groups) {
        await transaction`select public.decide_check(${id}, 'clear')`;
      }
    });

  for (const turn of turns) {
    if (turn.at - judgedAt > MINUTE_MS) {
      await judge();
      judgedAt = turn.at;
    }
    while (turn.at > evening) {
      if (options.isWatched) await look();
      evening += DAY_MS;
    }
    await usesUntil(turn.at);
    // Attempts are counted by the hour, and the month is over in minutes.
    if (Math.floor(turn.at / HOUR_MS) !== hour) await sql`delete from private.rate_limits`;
    hour = Math.floor(turn.at / HOUR_MS);
    const { device, email, network } = turn;
    const { body, outcome } = await spin(sql, {
      campaignId: campaign.id,
      device,
      email,
      address: network,
    });
    if (body === null) throw new Error(`A turn of ${turn.kind}: ${outcome}`);
    const { spin_id, redemption_code } = spinResult.parse(JSON.parse(body));
    const at = new Date(turn.at);
    await sql`
      with origin as (
        update private.spin_origins set created_at = ${at} where org_id = ${ours.id} and spin_id = ${spin_id}
        returning customer_id
      ), spin as (
        update public.spins set created_at = ${at} where org_id = ${ours.id} and id = ${spin_id}
      ), customer as (
        update public.customers c set created_at = ${at} from origin o
        where c.org_id = ${ours.id} and c.id = o.customer_id
      )
      update public.redemptions set created_at = ${at} where org_id = ${ours.id} and spin_id = ${spin_id}`;
    if (redemption_code !== null) {
      codes.set(turn, redemption_code);
      if (turn.useAt !== null) uses.push({ turn, at: turn.useAt, code: redemption_code });
    }
  }
  await judge();
  await usesUntil(Number.POSITIVE_INFINITY);

  const marks = await sql<{ code: string; kinds: string[] }[]>`
    select d.code, array_agg(distinct g.kind) as kinds
    from private.check_codes m
    join private.check_groups g on g.org_id = m.org_id and g.id = m.group_id
    join public.redemptions d on d.org_id = m.org_id and d.id = m.redemption_id
    where m.org_id = ${ours.id} group by 1`;
  const reasonsOf = new Map(marks.map(({ code, kinds }) => [code, kinds]));
  return [...HONEST, ...CHEATS].map((kind) => {
    const all = turns.filter((turn) => turn.kind === kind);
    const prizes = all.filter((turn) => codes.has(turn));
    const marked = prizes.filter((turn) => reasonsOf.has(codes.get(turn) ?? ""));
    const reasons: Record<string, number> = {};
    for (const turn of marked) {
      for (const reason of reasonsOf.get(codes.get(turn) ?? "") ?? []) {
        reasons[reason] = (reasons[reason] ?? 0) + 1;
      }
    }
    return {
      kind,
      isCheat: CHEATS.some((cheat) => cheat === kind),
      turns: all.length,
      prizes: prizes.length,
      marked: marked.length,
      episodes: new Set(all.map(({ episode }) => episode)).size,
      seen: new Set(marked.map(({ episode }) => episode)).size,
      reasons,
    };
  });
}
