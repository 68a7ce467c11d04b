import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { readChoices } from "../scripts/choices.ts";
import { readConfig } from "../server/config/config.ts";
import { startServer } from "../server/server.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";
import { median, row, say, table } from "./report.ts";

/**
 * `npm run bench:web`: Lighthouse on the public pages, or on those that are named (`-- / /auth`), with its mobile
 * defaults, five times each. It is fetched for the occasion, since an install of the product has no use for its hundred packages.
 *
 * Lighthouse counts a page's blocking by the clock, four times over. So it counts what another process or machine of
 * the same host took meanwhile. `TBT cpu` is the same figure, judged by Lighthouse from the same load, with each task
 * as long as the processor worked on it (docs/decisions/038). `stolen` is the share of the processors' busy time that
 * went to other machines, where the system reports it.
 */

const LIGHTHOUSE = "lighthouse@12.8.2";
const ALL = ["/", "/en-clair", "/pricing", "/auth", "/c/demo/review", "/c/demo/play"];
const { words: named } = readChoices(
  "npm run bench:web -- [/path …]",
  {},
  process.argv.slice(2).filter((word) => word.startsWith("/")),
);
const PAGES = named.length > 0 ? named : ALL;
const ROUNDS = 5;
const KINDS = ["document", "script", "stylesheet", "font", "image"] as const;

const score = z.object({ score: z.number().nullable() });
const measured = z.object({ numericValue: z.number() });
const result = z.object({
  categories: z.object({
    performance: score,
    accessibility: score,
    "best-practices": score,
    seo: score,
  }),
  audits: z.object({
    "largest-contentful-paint": measured,
    "total-blocking-time": measured,
    "cumulative-layout-shift": measured,
    "resource-summary": z.object({
      details: z.object({
        items: z.array(
          z.object({
            resourceType: z.string(),
            requestCount: z.number(),
            transferSize: z.number(),
          }),
        ),
      }),
    }),
  }),
});

/** One load of a page: as Lighthouse judges it, and how long it blocks by the processor's time, in ms. */
type Load = z.infer<typeof result> & { blockingOfProcessor: number };

/** A trace of Chromium's, in which complete events (`X`) carry their elapsed and processor time, in µs. */
const trace = z.looseObject({
  traceEvents: z.array(
    z.looseObject({ ph: z.string(), dur: z.number().optional(), tdur: z.number().optional() }),
  ),
});

const folder = await mkdtemp(join(tmpdir(), "tournavis-bench-web-"));
await chmod(folder, 0o711);
const server = await startServer(
  readConfig({ env: { PORT: "0", TOURNAVIS_DATA: folder }, argv: [], cwd: folder }),
  { log: Object.assign(() => {}, { flush: () => {} }) },
);
try {
  const lines: string[][] = [];
  const before = await processorTime();
  for (const path of PAGES) {
    const rounds: Load[] = [];
    // Now and then Lighthouse loses its own trace; twice in a row is the page's doing.
    for (let round = 0; round < ROUNDS; round += 1) {
      const once = () => measure(server.url + path);
      rounds.push(await once().catch(once));
    }
    const line = lineOf(path, rounds);
    lines.push(line);
    say(line.join("  "));
  }
  table(
    [
      ...["page", "perf", "a11y", "best", "seo", "LCP s", "TBT ms", "TBT cpu", "CLS"],
      ...[...KINDS, "kB", "requests"],
    ],
    lines,
  );
  const after = await processorTime();
  const share = (after.stolen - before.stolen) / (after.busy - before.busy);
  if (!Number.isNaN(share)) say(`stolen ${(share * 100).toFixed(0)} %`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Loads a page, keeps what Lighthouse gathered, and has it judged twice. */
async function measure(url: string): Promise<Load> {
  const gathered = join(folder, "gathered");
  await rm(gathered, { recursive: true, force: true });
  const judged = await lighthouse(url, `-GA=${gathered}`);
  await countProcessorTime(gathered);
  const again = await lighthouse(url, `-A=${gathered}`);
  return { ...judged, blockingOfProcessor: again.audits["total-blocking-time"].numericValue };
}

async function lighthouse(url: string, mode: string): Promise<z.infer<typeof result>> {
  const file = join(folder, "report.json");
  await promisify(execFile)(
    "npx",
    [
      "--yes",
      LIGHTHOUSE,
      url,
      mode,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-gpu --lang=fr-FR --accept-lang=fr-FR",
    ],
    { env: { ...process.env, CHROME_PATH: ensureChromium() }, maxBuffer: 64 * 1024 * 1024 },
  );
  return result.parse(JSON.parse(await readFile(file, "utf8")));
}

/** Makes each task of what was gathered as long as the processor worked on it. */
async function countProcessorTime(gathered: string): Promise<void> {
  const name = (await readdir(gathered)).find((file) => file.endsWith(".trace.json"));
  if (name === undefined) throw new Error("Lighthouse kept no trace.");
  const file = join(gathered, name);
  const loaded = trace.parse(JSON.parse(await readFile(file, "utf8")));
  for (const event of loaded.traceEvents) {
    const { ph, dur, tdur } = event;
    if (ph === "X" && dur !== undefined && tdur !== undefined) event.dur = Math.min(dur, tdur);
  }
  await writeFile(file, JSON.stringify(loaded));
}

/** How long the processors were busy since the system's start, and how long other machines had them; NaN where it is not told. */
async function processorTime(): Promise<{ busy: number; stolen: number }> {
  const [line = ""] = (await readFile("/proc/stat", "utf8").catch(() => "")).split("\n");
  const [, user = Number.NaN, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = Number.NaN] =
    line.split(/\s+/).map(Number);
  const busy = user + nice + system + irq + softirq + stolen;
  return { busy, stolen };
}

function lineOf(path: string, rounds: Load[]): string[] {
  const middle = (of: (round: Load) => number) => median(rounds.map(of));
  const percent = (name: keyof Load["categories"]) =>
    String(Math.round(middle(({ categories }) => (categories[name].score ?? 0) * 100)));
  const kilobytes = (kind: string) =>
    (
      middle(({ audits }) => {
        const { items } = audits["resource-summary"].details;
        return items.find(({ resourceType }) => resourceType === kind)?.transferSize ?? 0;
      }) / 1000
    ).toFixed(1);
  const requests = middle(({ audits }) => {
    const { items } = audits["resource-summary"].details;
    return items.find(({ resourceType }) => resourceType === "total")?.requestCount ?? 0;
  });
  return row(
    path,
    percent("performance"),
    percent("accessibility"),
    percent("best-practices"),
    percent("seo"),
    (middle(({ audits }) => audits["largest-contentful-paint"].numericValue) / 1000).toFixed(2),
    middle(({ audits }) => audits["total-blocking-time"].numericValue).toFixed(0),
    middle(({ blockingOfProcessor }) => blockingOfProcessor).toFixed(0),
    middle(({ audits }) => audits["cumulative-layout-shift"].numericValue).toFixed(3),
    ...KINDS.map(kilobytes),
    kilobytes("total"),
    String(requests),
  );
}
