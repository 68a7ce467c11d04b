import { type Browser, chromium, type Page } from "playwright-core";
import * as z from "zod";
import { readChoices } from "../scripts/choices.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";
import { openBenchApp } from "./bench-app.ts";
import { createCleanUp } from "./clean-up.ts";
import { median, say, table } from "./report.ts";

/** How much slower the page's own thread is made: a cheap phone beside this machine. */
const SLOW_DOWN = 6;

/** A frame, or a task of the page, that takes longer is seen as a jerk. */
const JERK_MS = 50;

const ROUNDS = 3;

/** From the answer, which is there when this begins, until the wheel has almost stopped. */
const WATCHED_MS = 4_000;

/** The scene of a win. */
const SCENE_MS = 2_500;

const CATEGORIES = [
  "blink.user_timing",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
];

/** Set by the page itself when the watching begins: distinguishes its thread from the others. */
const MARK = "watched";

const traceEvent = z.object({
  name: z.string(),
  pid: z.number(),
  tid: z.number(),
  ts: z.number(),
  dur: z.optional(z.number()),
});
type TraceEvent = z.infer<typeof traceEvent>;

/** Observations of the time that the page was watched. */
type Watched = {
  /** Milliseconds between two frames that came on the screen. */
  gaps: number[];
  /** The longest task of the page's own thread, in milliseconds. */
  longestTask: number;
  /** The share of the time for which the page's own thread worked, in percent. */
  busy: number;
  layouts: number;
  paints: number;
};

async function slowPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    locale: "fr-FR",
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
  return page;
}

/** Records what the browser does for a while, from a mark that the page sets itself once something has begun. */
async function watch(
  browser: Browser,
  page: Page,
  duration = WATCHED_MS,
  begun: () => Promise<void> = async () => {},
): Promise<Watched> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await begun();
  await page.evaluate((name) => {
    performance.mark(name);
  }, MARK);
  await page.waitForTimeout(duration);
  const trace = z
    .object({ traceEvents: z.array(z.unknown()) })
    .parse(JSON.parse((await browser.stopTracing()).toString("utf8")));
  const events = trace.traceEvents.flatMap((event) => traceEvent.safeParse(event).data ?? []);
  return readTrace(events, duration);
}

function readTrace(events: readonly TraceEvent[], duration: number): Watched {
  const mark = events.find(({ name }) => name === MARK);
  if (mark === undefined) throw new Error("The trace shows no page.");
  const { pid, tid, ts: start } = mark;
  const own = events.filter(
    (event) => event.pid === pid && event.ts >= start && event.ts < start + duration * 1000,
  );
  const tasks = own
    .filter((event) => event.tid === tid && event.name === "RunTask")
    .map(({ dur = 0 }) => dur / 1000);
  const frames = own.filter(({ name }) => name === "DrawFrame").map(({ ts }) => ts / 1000);
  const count = (name: string) => own.filter((event) => event.name === name).length;
  return {
    gaps: frames.slice(1).map((frame, index) => frame - (frames[index] ?? frame)),
    longestTask: Math.max(0, ...tasks),
    busy: (tasks.reduce((sum, task) => sum + task, 0) / duration) * 100,
    layouts: count("Layout"),
    paints: count("Paint"),
  };
}

/** The wheel of the test mode, before it turns. */
async function wheelPage(browser: Browser, url: string): Promise<Page> {
  const page = await slowPage(browser);
  await page.goto(`${url}/c/banc-7/play`, { waitUntil: "networkidle" });
  // It sends nothing before the page's script is there.
  await page.locator("button[type=submit]").waitFor();
  await page.getByLabel("Votre nom").fill("Banc d'essai");
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByLabel("Adresse e-mail").fill("banc@exemple.fr");
  await page.getByRole("button", { name: "Continuer" }).click();
  return page;
}

/** A turn of the wheel, from its answer on. */
async function watchWheel(browser: Browser, url: string): Promise<Watched> {
  const page = await wheelPage(browser, url);
  const answered = page.waitForResponse("**/spin_wheel");
  await page.getByRole("button", { name: "Lancer la roue" }).click();
  await (await answered).finished();
  await page.getByRole("heading", { level: 1, name: "La roue tourne…" }).waitFor();
  const watched = await watch(browser, page);
  await page.close();
  return watched;
}

/** The scene of a win, which a loss does not have: the wheel of the test mode is turned until it wins. */
async function watchWin(browser: Browser, url: string): Promise<Watched> {
  const page = await wheelPage(browser, url);
  for (;;) {
    const answered = page.waitForResponse("**/spin_wheel");
    await page.getByRole("button", { name: "Lancer la roue" }).click();
    const { reward } = z
      .object({ reward: z.nullable(z.object({})) })
      .parse(await (await answered).json());
    if (reward !== null) break;
    await page.getByRole("button", { name: "Tester à nouveau" }).click();
  }
  const scene = page.locator("[data-win-scene]");
  const watched = await watch(browser, page, SCENE_MS, () => scene.waitFor({ state: "attached" }));
  await page.close();
  return watched;
}

/** The plainest thing that moves, a square that the browser turns by itself: what the machine can do. */
async function watchSquare(browser: Browser): Promise<Watched> {
  const page = await slowPage(browser);
  await page.setContent('<div style="width:350px;height:350px;background:teal"></div>');
  await page.evaluate(() => {
    const full = [{ transform: "rotate(0deg)" }, { transform: "rotate(3600deg)" }];
    document.querySelector("div")?.animate(full, { duration: 10_000 });
  });
  const watched = await watch(browser, page);
  await page.close();
  return watched;
}

function describe(name: string, { gaps, longestTask, busy, layouts, paints }: Watched): string[] {
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000;
  const worst = Math.max(0, ...gaps);
  return [
    name,
    (gaps.length / seconds).toFixed(1),
    median(gaps).toFixed(1),
    worst.toFixed(1),
    String(gaps.filter((gap) => gap > JERK_MS).length),
    longestTask.toFixed(1),
    busy.toFixed(0),
    String(layouts),
    String(paints),
  ];
}

readChoices("npm run bench:wheel", {});
const executablePath = ensureChromium();
const cleanUp = createCleanUp();
const app = await openBenchApp();
cleanUp.add(() => app.stop());
try {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  cleanUp.add(() => browser.close());
  const rows: string[][] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rows.push(describe(`a square ${round}`, await watchSquare(browser)));
    rows.push(describe(`the wheel ${round}`, await watchWheel(browser, app.url)));
    rows.push(describe(`a win ${round}`, await watchWin(browser, app.url)));
  }
  say(`Frames of a turning wheel, the page's own thread ${SLOW_DOWN} times slower`);
  const jerks = `over ${JERK_MS}`;
  table(
    ["", "frames/s", "median ms", "worst ms", jerks, "task ms", "busy %", "layouts", "paints"],
    rows,
  );
} finally {
  await cleanUp.run();
}
