import { type Browser, chromium, type Page } from "playwright-core";
import { ensureChromium } from "../tests/harness/chromium.ts";
import { say, table } from "./report.ts";
import { openStage } from "./stage.ts";

/** How much slower the processor is made: a cheap phone beside this machine. */
const SLOW_DOWN = 6;

/** A frame that takes longer is seen as a jerk. */
const JERK_MS = 50;

const ROUNDS = 3;

/** Collects the moments of frames in the page until it is told to stop. */
async function recordFrames(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const frames: number[] = [];
    Object.assign(window, { frames });
    const next = (now: number) => {
      frames.push(now);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  return () =>
    page.evaluate(() => {
      const frames: unknown = Reflect.get(window, "frames");
      return Array.isArray(frames) ? frames.map(Number) : [];
    });
}

async function slowPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
  return page;
}

/** The frames of a turn, from a second after the touch, when the answer is there, until it has stopped. */
async function framesOfWheel(browser: Browser, url: string): Promise<number[]> {
  const page = await slowPage(browser);
  await page.goto(`${url}/c/banc-7/play`, { waitUntil: "networkidle" });
  await page.getByLabel("Votre nom").fill("Banc d'essai");
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByLabel("Adresse e-mail").fill("banc@exemple.fr");
  await page.getByRole("button", { name: "Continuer" }).click();
  await page.getByRole("button", { name: "Lancer la roue" }).click();
  await page.getByRole("heading", { level: 1, name: "La roue tourne…" }).waitFor();
  const read = await recordFrames(page);
  await page.waitForTimeout(4_500);
  const frames = await read();
  await page.close();
  return frames;
}

/** The same on a page where nothing happens: what the machine itself loses. */
async function framesOfNothing(browser: Browser): Promise<number[]> {
  const page = await slowPage(browser);
  const read = await recordFrames(page);
  await page.waitForTimeout(4_500);
  const frames = await read();
  await page.close();
  return frames;
}

function describe(name: string, frames: readonly number[]): string[] {
  const gaps = frames.slice(1).map((frame, index) => frame - (frames[index] ?? frame));
  const sorted = gaps.toSorted((a, b) => a - b);
  const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000;
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  const jerks = gaps.filter((gap) => gap > JERK_MS).length;
  return [name, (gaps.length / seconds).toFixed(1), at(0.5), at(0.99), at(1), String(jerks)];
}

const stage = await openStage();
const browser = await chromium.launch({ executablePath: ensureChromium(), args: ["--no-sandbox"] });
try {
  const rows: string[][] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rows.push(describe(`empty page ${round}`, await framesOfNothing(browser)));
    rows.push(describe(`wheel ${round}`, await framesOfWheel(browser, stage.url)));
  }
  say(`Frames of a turning wheel, processor ${SLOW_DOWN} times slower`);
  table(["page", "frames/s", "median ms", "p99 ms", "worst ms", `over ${JERK_MS} ms`], rows);
} finally {
  await browser.close();
  await stage.stop();
}
