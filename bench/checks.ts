import { readChoices, refuseChoices } from "../scripts/choices.ts";
import { fromSchemas } from "../scripts/schema/databases.ts";
import { startTestCluster } from "../tests/harness/cluster.ts";
import {
  createCampaign,
  createOrganization,
  createReward,
  drawWheel,
} from "../tests/harness/fixtures.ts";
import { type KindResult, type MonthOptions, playMonth } from "../tests/harness/simulated-month.ts";
import { createCleanUp } from "./clean-up.ts";
import { say, table } from "./report.ts";

/**
 * `npm run bench:checks [-- --seeds=1,2,3] [--days=30]`: a simulated month of honest customers and of cheats, through the product's own SQL:
 * how many prizes of cheats are marked, and how many honest ones.
 */

const USAGE = "npm run bench:checks -- [--seeds=<whole numbers>] [--days=<whole number>]";
const { values: options } = readChoices(USAGE, {
  seeds: { type: "string", default: "1,2,3" },
  days: { type: "string", default: "30" },
});
const seeds = options.seeds.split(",").map(Number);
const days = Number(options.days);
if (!seeds.every(Number.isSafeInteger) || !Number.isSafeInteger(days) || days < 1) {
  refuseChoices(USAGE);
}

const HEAD = ["", "turns", "prizes", "marked", "share", "people", "seen", "reasons"];

function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((part / whole) * 100).toFixed(1)} %`;
}

function sum(results: readonly KindResult[]): Omit<KindResult, "kind" | "isCheat" | "reasons"> {
  const total = { turns: 0, prizes: 0, marked: 0, episodes: 0, seen: 0 };
  for (const result of results) {
    total.turns += result.turns;
    total.prizes += result.prizes;
    total.marked += result.marked;
    total.episodes += result.episodes;
    total.seen += result.seen;
  }
  return total;
}

function line(name: string, results: readonly KindResult[]): string[] {
  const { turns, prizes, marked, episodes, seen } = sum(results);
  const reasons = new Map<string, number>();
  for (const [reason, count] of results.flatMap((result) => Object.entries(result.reasons))) {
    reasons.set(reason, (reasons.get(reason) ?? 0) + count);
  }
  return [
    name,
    ...[turns, prizes, marked].map(String),
    percent(marked, prizes),
    ...[episodes, seen].map(String),
    [...reasons].map(([reason, count]) => `${reason} ${count}`).join(", "),
  ];
}

function tell(title: string, results: readonly KindResult[]): void {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const honest = results.filter(({ isCheat }) => !isCheat);
  const cheats = results.filter(({ isCheat }) => isCheat);
  say(`\n${title}`);
  table(HEAD, [
    ...kinds.map((kind) =>
      line(
        kind,
        results.filter((result) => result.kind === kind),
      ),
    ),
    line("all honest", honest),
    line("all cheats", cheats),
  ]);
}

const cluster = await startTestCluster();
const cleanUp = createCleanUp();
cleanUp.add(() => cluster.stop());
try {
  const { sql } = await fromSchemas(cluster);
  cleanUp.add(() => sql.end());
  const play = async (month: MonthOptions) => {
    const ours = await createOrganization(sql);
    const campaign = await createCampaign(sql, { orgId: ours.id, storeId: ours.storeId });
    const rewardId = await createReward(sql, campaign);
    await drawWheel(sql, campaign, [{ weight: 100, rewardId }]);
    return playMonth(sql, { ours, campaign }, month);
  };
  const month = { days, customersADay: 70, cheats: 4 };
  for (const isWatched of [true, false]) {
    const results: KindResult[] = [];
    for (const seed of seeds) results.push(...(await play({ ...month, seed, isWatched })));
    tell(
      `${isWatched ? "Somebody looks each evening" : "Nobody ever looks"}: ${days} days, seeds ${seeds.join(", ")}`,
      results,
    );
  }
} finally {
  await cleanUp.run();
}
