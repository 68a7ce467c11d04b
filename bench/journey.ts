import { type Browser, chromium, type Page } from "playwright-core";
import { readChoices } from "../scripts/choices.ts";
import { ensureChromium } from "../tests/harness/chromium.ts";
import { openBenchApp } from "./bench-app.ts";
import { createCleanUp } from "./clean-up.ts";
import { median, say, table } from "./report.ts";

/** 3G as it is in a shop's back room. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};

/** How much slower the processor is made: a cheap phone beside this machine. */
const SLOW_DOWN = 4;

const ROUNDS = 3;

/** Waits of a customer, in milliseconds from the action that causes each. */
type Waits = Readonly<Record<string, number>>;

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });

async function slowPhone(browser: Browser): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 390, height: 844 },
    locale: "fr-FR",
  });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: SLOW_DOWN });
  return page;
}

function firstPaint(page: Page): Promise<number> {
  return page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
}

async function timed(deed: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await deed();
  return performance.now() - begun;
}

/** A customer who types as fast as a machine: what is left is the product's own time. */
async function journey(browser: Browser, url: string, round: number): Promise<Waits> {
  const page = await slowPhone(browser);
  await page.goto(`${url}/c/banc-${round}/play?source=qr`, { waitUntil: "commit" });
  await heading(page, "Donnez votre avis, tournez la roue.").waitFor();
  await page.waitForLoadState("load");
  const scan = await firstPaint(page);
  await page.getByRole("textbox", { name: "Prénom", exact: true }).fill("Zoé");
  await page.getByRole("textbox", { name: "Nom", exact: true }).fill("Lambert");
  await page.getByRole("textbox", { name: "Adresse e-mail" }).fill("zoe@exemple.fr");
  // It sends nothing before the page's script is there.
  await page.locator("button[type=submit]").waitFor();
  const stars = await timed(async () => {
    await page.getByRole("button", { name: "Continuer" }).click();
    await heading(page, "Comment s'est passée votre visite ?").waitFor();
  });
  const thanks = await timed(async () => {
    await page.getByRole("button", { name: "4 sur 5" }).click();
    await heading(page, "À vous de tourner la roue").waitFor();
  });
  const wheel = await timed(async () => {
    await page.getByRole("link", { name: "Tourner la roue" }).click();
    await heading(page, "La roue est à vous").waitFor();
  });
  const wheelPaint = await firstPaint(page);
  const turns = await timed(async () => {
    await page.getByRole("button", { name: "Lancer la roue" }).click();
    await heading(page, "La roue tourne…").waitFor();
  });
  await page.close();
  return {
    "scan to first paint": scan,
    "« Continuer » to the stars": stars,
    "star to thanks": thanks,
    "thanks to the wheel": wheel,
    "first paint of that page": wheelPaint,
    "« Lancer » to a turning wheel": turns,
    "product's own time, scan to spin": scan + stars + thanks + wheel + turns,
  };
}

readChoices("npm run bench:journey", {});
const executablePath = ensureChromium();
const cleanUp = createCleanUp();
const app = await openBenchApp();
cleanUp.add(() => app.stop());
try {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  cleanUp.add(() => browser.close());
  const rounds: Waits[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) {
    rounds.push(await journey(browser, app.url, round));
  }
  say(`A customer on 3G, processor ${SLOW_DOWN} times slower, median of ${ROUNDS}`);
  const names = Object.keys(rounds[0] ?? {});
  table(
    ["", "ms"],
    names.map((name) => [
      name,
      median(rounds.map((waits) => waits[name] ?? Number.NaN)).toFixed(0),
    ]),
  );
} finally {
  await cleanUp.run();
}
