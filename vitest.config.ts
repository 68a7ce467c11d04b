import { defineConfig } from "vitest/config";
import { instrumentedSources } from "./scripts/mutate/plugin.ts";
import { typesetTexts } from "./server/build/typeset-texts.ts";
import { isDeep } from "./tests/harness/depth.ts";
import { AsGiven, LongFirst } from "./tests/harness/long-first.ts";

/** Starts the run's database server once; every project that names it shares that server. */
const databaseServer = ["./tests/harness/global-setup.ts"];

/**
 * The first question of the database driver on every new connection, for the types of arrays. Its failure reaches no
 * caller: it fails where a test's database is dropped while a pool that is about to end still opens a connection.
 * Whoever waits for such a connection is told by their own query.
 */
function isDriversOwnQuestion(error: object): boolean {
  return "query" in error && /select b\.oid, b\.typarray\s/.test(String(error.query));
}

/** Where `npm run mutate` keeps the sources that have mutants in them; empty when only the database has one. */
const mutants = process.env.MUTANT_SOURCES;
const isMutating = mutants !== undefined;

/** Generated inputs come from one seed; a mutant is woken before each file. */
const seed = [...(isMutating ? ["./scripts/mutate/switch.ts"] : []), "./tests/harness/seed.ts"];

/**
 * Options of all kinds: their files share modules, but where one of these holds a mutant. How long `expect.poll` asks again
 * by default, a second, says more of the machine than of what is waited for.
 */
const shared = {
  isolate: Boolean(mutants),
  setupFiles: seed,
  expect: { poll: { timeout: isMutating ? 15_000 : 30_000 } },
};
const plugins = mutants ? [instrumentedSources(mutants)] : [];

/**
 * Tests of pages and of mails are written with the letters of a keyboard, as the sources of these are, and set as those:
 * all in a browser, and a few that ask for a page or a mail without one.
 */
const PAGE_TESTS = /\/(?:web|_shared\/domain|tests\/e2e)\/.*\.tsx?(?:\?|$)/;
const SERVED =
  /\/_shared\/messages\/.*\.copy\.ts$|\/tests\/server\/(?:mail-templates|monthly-report|pages|site|site-pages)\.test\.ts$/;

/**
 * How long a test, and a hook, may take in all, in milliseconds: enough for the slowest machine. Each wait in a test
 * has a shorter limit of its own, which says what did not come. A mutant that stops everything is known sooner.
 */
const TEST_MS = isMutating ? 120_000 : 300_000;
const HOOK_MS = 180_000;

/** Files that the deep suite alone runs. */
const deepFiles = isDeep ? [] : ["**/*.deep.test.ts"];

/**
 * Four kinds of tests, cheapest first. A kind starts when the one before it has ended: a slow browser never competes
 * with a race test for the same two cores. Nothing is retried: a test that fails sometimes is a defect.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    retry: 0,
    onUnhandledError: (error) => !isDriversOwnQuestion(error),
    passWithNoTests: false,
    sequence: { sequencer: isMutating ? AsGiven : LongFirst },
    projects: [
      {
        plugins,
        test: {
          name: "unit",
          environment: "node",
          include: [
            "web/**/*.test.{ts,tsx}",
            "supabase/functions/_shared/domain/**/*.test.ts",
            "tests/harness/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          exclude: deepFiles,
          ...shared,
          // Generated inputs take their time on a busy machine; speed is not what these tests are about.
          testTimeout: 60_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins,
        test: {
          name: "database",
          environment: "node",
          include: ["tests/database/**/*.test.ts"],
          // It brings every PostgreSQL of its own: what runs again on another one is all the rest (tests/run.ts).
          exclude: [
            ...deepFiles,
            ...(process.env.TESTS_AGAIN ? ["tests/database/migrations.test.ts"] : []),
          ],
          ...shared,
          globalSetup: databaseServer,
          testTimeout: TEST_MS,
          hookTimeout: HOOK_MS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [...plugins, typesetTexts(SERVED)],
        test: {
          name: "server",
          environment: "node",
          include: [
            "server/**/*.test.ts",
            "tests/server/**/*.test.ts",
            "supabase/functions/**/*.test.ts",
            "tests/conformance/**/*.test.ts",
          ],
          exclude: ["supabase/functions/_shared/domain/**", ...deepFiles],
          ...shared,
          globalSetup: databaseServer,
          // They mostly wait for programs that start and stop.
          maxWorkers: 3,
          testTimeout: TEST_MS,
          hookTimeout: HOOK_MS,
          sequence: { groupOrder: 2 },
        },
      },
      {
        plugins: [...plugins, typesetTexts(PAGE_TESTS)],
        test: {
          name: "e2e",
          environment: "node",
          include: ["tests/e2e/**/*.test.ts"],
          exclude: deepFiles,
          globalSetup: databaseServer,
          // A wheel turns for five seconds, a page waits for its network: two at a time leave two cores idle half the time.
          maxWorkers: 3,
          // The files of a worker share a browser, too.
          ...shared,
          testTimeout: TEST_MS,
          hookTimeout: HOOK_MS,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
