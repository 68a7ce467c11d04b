import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  devices,
  type Page,
} from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { ensureChromium } from "./chromium.ts";

/** Keeps the browser from talking to anybody but the server under test: no other name has an address. */
const FLAGS = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // A page that no test reaches would be asked for again after a second: one visit would look like two.
  "--disable-auto-reload",
  // No process is kept ready for a second site: no test visits one, and each visit would start it.
  "--renderer-process-limit=1",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/** A phone held by a customer or a cashier, and the computer of a merchant. Both speak French. */
const DEVICES = {
  phone: { ...devices["Pixel 7"], deviceScaleFactor: 1 },
  desktop: { ...devices["Desktop Chrome"], viewport: { width: 1280, height: 800 } },
} satisfies Record<string, BrowserContextOptions>;

/** Starts a browser: the lighter build that `npm test` found. */
export function launchBrowser(): Promise<Browser> {
  return launch(process.env.CHROME_SHELL_PATH ?? ensureChromium());
}

/** Starts the whole browser, for what the lighter build lacks: a camera made of a file, messages of a page. */
export function launchWholeBrowser(flags: readonly string[] = []): Promise<Browser> {
  return launch(ensureChromium(), flags);
}

function launch(executablePath: string, flags: readonly string[] = []): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: [...FLAGS, ...flags] });
}

/** Fault of a page that a visitor should never meet. */
export type Problem =
  | { kind: "console" | "exception"; text: string }
  | { kind: "status"; status: number; url: string }
  | { kind: "request" | "third-party"; url: string };

/** A page and what happened around it. */
export type Visit = {
  page: Page;
  /** Addresses outside the server that the page sent its visitor to, oldest first. */
  outside: string[];
  /** Everything unexpected so far; `expected` empties it of what a test provokes on purpose. */
  problems: Problem[];
};

type VisitOptions = {
  baseUrl: string;
  device?: keyof typeof DEVICES;
  /** Says of a problem that the test provokes it on purpose. */
  expected?: (problem: Problem) => boolean;
  /**
   * Another site that is to answer, with an empty page, where a test waits for it. The browser asks the test about every
   * request then and keeps no script from one page to the next: twice the work for all the others.
   */
  answering?: string | undefined;
  /** Further settings of the context: permissions, storage, reduced motion … */
  context?: BrowserContextOptions;
};

/** Browsers repeat in the console, without an address, what `status` and `request` already say. */
const REPEATED = /^Failed to load resource:/;

/**
 * Opens a page as one visitor with empty storage. It closes automatically at the end of the test, which fails on what
 * `expected` does not name. That is an error in the console (breaches of its security policy stand there), an
 * exception, an error status, a lost request or a call of a third party. Visits to other sites (the public reviews
 * page) lead nowhere (but see `answering`) and are noted.
 */
export async function visit(
  browser: Browser,
  {
    baseUrl,
    device = "phone",
    expected = () => false,
    answering,
    context: settings = {},
  }: VisitOptions,
): Promise<Visit> {
  const context = await browser.newContext({
    ...DEVICES[device],
    locale: "fr-FR",
    timezoneId: "Europe/Paris",
    reducedMotion: "no-preference",
    // A worker answers behind the tests' back: those that are about one let it in.
    serviceWorkers: "block",
    baseURL: baseUrl,
    ...settings,
  });
  await globalThis.testVisitWatch?.(context);
  const origin = new URL(baseUrl).origin;
  const outside: string[] = [];
  const problems: Problem[] = [];
  const note = (problem: Problem) => {
    if (!expected(problem)) problems.push(problem);
  };

  if (answering !== undefined) {
    const body = "<!doctype html><title>.</title>";
    await answerForOtherSite(context, answering, { contentType: "text/html", body });
  }
  context.on("request", (request) => {
    if (!request.isNavigationRequest()) return;
    const { href, protocol, origin: site } = new URL(request.url());
    if (/^https?:$/.test(protocol) && site !== origin) outside.push(href);
  });
  context.on("console", (message) => {
    if (message.type() !== "error" || REPEATED.test(message.text())) return;
    note({ kind: "console", text: message.text() });
  });
  context.on("weberror", (error) => {
    note({ kind: "exception", text: String(error.error()) });
  });
  context.on("response", (response) => {
    if (response.status() >= 400) {
      note({ kind: "status", status: response.status(), url: response.url() });
    }
  });
  context.on("requestfailed", (request) => {
    const { errorText } = request.failure() ?? {};
    // A page that is left gives up its own requests: nothing is lost that anybody waits for.
    if (errorText === "net::ERR_ABORTED") return;
    if (errorText !== "net::ERR_NAME_NOT_RESOLVED") note({ kind: "request", url: request.url() });
    else if (!request.isNavigationRequest()) note({ kind: "third-party", url: request.url() });
  });
  onTestFinished(async () => {
    await context.close();
    expect(problems, "what the visited pages did wrong").toEqual([]);
  });
  return { page: await context.newPage(), outside, problems };
}

/** Names under which this machine, and with it the server under test, is reached. */
const OURS = ["127.0.0.1", "localhost", "[::1]"];

/** Answers in place of another site, which no test can reach; never in place of our own server. */
export async function answerForOtherSite(
  where: BrowserContext | Page,
  address: string,
  answer: { contentType: string; body: string },
): Promise<void> {
  await where.route(address, async (route) => {
    const { hostname } = new URL(route.request().url());
    if (OURS.includes(hostname))
      throw new Error(`A test answers in place of the server: ${address}`);
    await route.fulfill(answer);
  });
}

/** Waits for what passes: colours on their way, after a switch to the dark, are no colours yet. */
async function coloursSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // A frame, by an animation that moves nothing: a page's clock may be held, which stops all else.
    const frame = () => document.documentElement.animate([], { duration: 1 }).finished;
    const passing = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === "running" && Number(effect?.getComputedTiming().endTime) < 2_000,
        );
    // The page learns of the switch in one frame, and what inherits a colour follows what passes it on.
    await frame();
    await frame();
    for (let moving = passing(); moving.length > 0; moving = passing()) {
      await Promise.allSettled(moving.map(({ finished }) => finished));
    }
  });
}

/** Of axe's rules those that may find in one width or light what they do not find in another. */
const RULES_OF_LOOKS = [
  "color-contrast",
  "link-in-text-block",
  "target-size",
  "scrollable-region-focusable",
];

/** Asked of what is read in the sun: contrast at the strictest level (7:1, large letters 4.5:1). */
const RULE_OF_SUN = "color-contrast-enhanced";

let sourceOfAxe: string | undefined;

/** Axe without its comments: each page reads it anew, and the package's own `source` is more than twice as long. */
function axeSource(): string {
  sourceOfAxe ??= readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
  return sourceOfAxe;
}

type Examination = {
  /** The page is read in the sun. */
  isSunlit?: boolean;
  /** Nothing but looks: all else was asked of this state in another width or light. */
  looksOnly?: boolean;
};

/**
 * Runs every rule of axe on the page as it stands and answers one readable line a violation
 * and place: `expect(await accessibilityProblems(page)).toEqual([])`.
 */
export async function accessibilityProblems(
  page: Page,
  { isSunlit = false, looksOnly = false }: Examination = {},
): Promise<string[]> {
  // Evaluated over the debugging protocol, which the page's security policy does not concern; once a page, it is large.
  if (!(await page.evaluate(() => "axe" in globalThis))) {
    await page.evaluate(axeSource());
    await page.evaluate(layEverythingOut);
  }
  await coloursSettled(page);
  const rules = [...RULES_OF_LOOKS, ...(isSunlit ? [RULE_OF_SUN] : [])];
  const { violations } = await page.evaluate((options) => globalThis.axe.run(document, options), {
    preload: false,
    resultTypes: ["violations" as const],
    rules: { [RULE_OF_SUN]: { enabled: isSunlit } },
    ...(looksOnly && { runOnly: { type: "rule" as const, values: rules } }),
  });
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} (${help}) at ${target.join(" ")}: ${(failureSummary ?? "").replaceAll(/\s+/g, " ")}`,
    ),
  );
}

/** Parts that nobody has come near (`content-visibility`) would be judged by the colours that they had before. */
function layEverythingOut(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { content-visibility: visible !important; }");
  document.adoptedStyleSheets.push(sheet);
}

declare global {
  /** Watcher of every visitor of a page, from before the first one opens, while mutants are tried (scripts/mutate/switch.ts). */
  var testVisitWatch: ((context: BrowserContext) => Promise<void>) | undefined;
  /** Present in a page once `accessibilityProblems` has put it there. */
  var axe: typeof import("axe-core");
}
