import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { Sql } from "postgres";
import { afterAll, beforeAll } from "vitest";
import {
  launchBrowser,
  launchWholeBrowser,
  type Problem,
  type Visit,
  visit,
} from "../../harness/browser.ts";
import { startTestServer, type TestServer } from "../../harness/server.ts";

/** How a visitor of a test differs from anybody. */
type VisitorOptions = {
  /** Says of a problem that the test provokes it on purpose. */
  expected?: (problem: Problem) => boolean;
  /** The wheel turns for five seconds: tests that are not about that ask for less motion. */
  motion?: "reduce" | "no-preference";
  /** Another site that answers (see `visit`). */
  answering?: string;
  context?: BrowserContextOptions;
};

/** The running product and a browser, shared by the tests of one file. */
export type TestApp = {
  readonly server: TestServer;
  readonly browser: Browser;
  readonly sql: Sql;
  /** A phone in somebody's hand, with empty storage. */
  phone(options?: VisitorOptions): Promise<Visit>;
  /** A computer with empty storage. */
  desktop(options?: VisitorOptions): Promise<Visit>;
};

const PHONE = { width: 390, height: 844 };

/**
 * Chromium sometimes skips the transition between two pages (`@view-transition`) and reports that as an exception of
 * the page, with one of these reasons. The page looks the same without.
 */
const SKIPPED_TRANSITION = /ViewTransition opt-in disabled|Page already revealed/;

function isBrowsersOwn(problem: Problem): boolean {
  return problem.kind === "exception" && SKIPPED_TRANSITION.test(problem.text);
}

/**
 * One browser a worker, whose files follow each other in it (`isolate: false`): each visit has a storage of
 * its own. It ends with the worker.
 */
let shared: Browser | undefined;

async function sharedBrowser(): Promise<Browser> {
  if (!shared?.isConnected()) shared = await launchBrowser();
  return shared;
}

/**
 * Sets the app of a test file: a fresh database, the real server (configured as `env` says when the
 * first test begins), a real browser. A `whole` one is the file's own.
 */
export function setUpTestApp(
  env: () => Promise<Record<string, string>> = async () => ({}),
  { whole = false } = {},
): TestApp {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    const settings = await env();
    [server, browser] = await Promise.all([
      startTestServer({ env: settings }),
      whole ? launchWholeBrowser() : sharedBrowser(),
    ]);
  });
  afterAll(async () => {
    if (whole) await browser?.close();
    await server?.stop();
  });

  function here<T>(part: T | undefined): T {
    if (part === undefined) throw new Error("The app is set when the first test begins.");
    return part;
  }

  const open = (
    device: "phone" | "desktop",
    { expected = () => false, motion = "reduce", answering, context = {} }: VisitorOptions = {},
  ) =>
    visit(here(browser), {
      baseUrl: here(server).url,
      device,
      expected: (problem) => isBrowsersOwn(problem) || expected(problem),
      answering,
      context: {
        ...(device === "phone" && { viewport: PHONE }),
        reducedMotion: motion,
        ...context,
      },
    });

  return {
    get server() {
      return here(server);
    },
    get browser() {
      return here(browser);
    },
    get sql() {
      return here(server).database.sql;
    },
    phone: (options) => open("phone", options),
    desktop: (options) => open("desktop", options),
  };
}

/** Expects requests to an address to fail, because the test cuts the line. */
export function lost(path: string): (problem: Problem) => boolean {
  return (problem) => problem.kind === "request" && problem.url.includes(path);
}

/** The same of the authentication service, whose client logs to the console too (specification, section 8). */
export function unreachable(path: string): (problem: Problem) => boolean {
  return (problem) =>
    lost(path)(problem) || (problem.kind === "console" && problem.text.includes("Failed to fetch"));
}

/** Expects a page shown without its scripts to log that to the console. */
export function unscripted(problem: Problem): boolean {
  return problem.kind === "console" && problem.text.startsWith("Blocked script execution");
}

/** Expects answers with one of these statuses, because the test asks for what is refused. */
export function refusing(...statuses: number[]): (problem: Problem) => boolean {
  return (problem) => problem.kind === "status" && statuses.includes(problem.status);
}

/** Expects a session to be refused, which the router logs to the console as well. */
export function sessionRefused(problem: Problem): boolean {
  return (
    refusing(400, 401, 403)(problem) ||
    (problem.kind === "console" && problem.text.includes("unauthenticated"))
  );
}

/** The bodies of the calls that a page makes to a server function, or to one of the database, as they leave. */
export function callsTo(page: Page, name: string, under = "functions/v1"): unknown[] {
  const bodies: unknown[] = [];
  page.context().on("request", (request) => {
    if (new URL(request.url()).pathname === `/${under}/${name}`) {
      bodies.push(request.postDataJSON());
    }
  });
  return bodies;
}
