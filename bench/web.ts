import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { readConfig } from "../server/config.ts";
import { startServer } from "../server/server.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";
import { median, row, say, table } from "./report.ts";

/**
 * `npm run bench:web`: Lighthouse on the public pages, or on those that are named (`-- / /auth`), with its mobile
 * defaults, five times each. It is fetched for the occasion, since an install of the product has no use for its hundred packages.
 */

const LIGHTHOUSE = "lighthouse@12.8.2";
const ALL = ["/", "/pricing", "/auth", "/c/demo/review", "/c/demo/play"];
const NAMED = process.argv.slice(2);
const PAGES = NAMED.length > 0 ? NAMED : ALL;
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
type Result = z.infer<typeof result>;

const folder = await mkdtemp(join(tmpdir(), "tournavis-bench-web-"));
await chmod(folder, 0o711);
const server = await startServer(
  readConfig({ env: { PORT: "0", TOURNAVIS_DATA: folder }, argv: [], cwd: folder }),
  { log: Object.assign(() => {}, { flush: () => {} }) },
);
try {
  const lines: string[][] = [];
  for (const path of PAGES) {
    const rounds: Result[] = [];
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
    ["page", "perf", "a11y", "best", "seo", "LCP s", "TBT ms", "CLS", ...KINDS, "kB", "requests"],
    lines,
  );
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(url: string): Promise<Result> {
  const file = join(folder, "report.json");
  await promisify(execFile)(
    "npx",
    [
      "--yes",
      LIGHTHOUSE,
      url,
      "--quiet",
      "--output=json",
      `--output-path=${file}`,
      "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ],
    { env: { ...process.env, CHROME_PATH: ensureChromium() }, maxBuffer: 64 * 1024 * 1024 },
  );
  return result.parse(JSON.parse(await readFile(file, "utf8")));
}

function lineOf(path: string, rounds: Result[]): string[] {
  const middle = (of: (round: Result) => number) => median(rounds.map(of));
  const percent = (name: keyof Result["categories"]) =>
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
    middle(({ audits }) => audits["cumulative-layout-shift"].numericValue).toFixed(3),
    ...KINDS.map(kilobytes),
    kilobytes("total"),
    String(requests),
  );
}
