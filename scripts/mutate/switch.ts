import type { BrowserContext } from "playwright-core";
import postgres from "postgres";
import { afterAll, inject } from "vitest";
import { wakeInPage } from "./wake-in-page.ts";

/**
 * Runs before each test file while mutants are tried (vitest.config.ts): wakes the one that is meant, here and in pages.
 * Afterwards it reports which ones the file executed, and which functions of its databases it called. The names are those
 * that the instrumenter writes into the code.
 */

declare module "vitest" {
  interface ProvidedContext {
    /** Number of the mutant to wake; empty for none. */
    mutant: string;
  }
  interface TaskMeta {
    /** Numbers of the mutants that a test file ran past. */
    mutantsMet?: string[];
    /** How often a test file had each function of its databases called; none where it has no database. */
    functionsCalled?: Record<string, number>;
  }
}

/** A loop that a mutant made endless is broken after so many rounds. */
const ROUNDS = 1_000_000;

/**
 * How long a test waits in a page for what a mutant may keep away, in milliseconds: twice as long as a wheel turns, and a
 * busy machine takes.
 */
const WAIT_MS = 15_000;

const mutant = inject("mutant");
const state = {
  ...(mutant !== "" && { activeMutant: mutant }),
  hitCount: 0,
  hitLimit: ROUNDS,
  mutantCoverage: { static: {}, perTest: {} },
};
globalThis.__stryker__ = state;

/** Mutants that pages ran past. */
const metInPages = new Set<string>();

globalThis.testVisitWatch = async (context: BrowserContext) => {
  if (mutant === "") {
    await context.exposeFunction("mutantsMet", (numbers: readonly string[]) => {
      for (const number of numbers) metInPages.add(number);
    });
  } else {
    context.setDefaultTimeout(WAIT_MS);
  }
  await context.addInitScript(wakeInPage, { mutant, hitLimit: ROUNDS });
};

/** Calls by function, of all databases of the file. */
const called = new Map<string, number>();
let hasDatabase = false;

globalThis.testDatabaseWatch = {
  async begin(server, name) {
    hasDatabase = true;
    await server`alter database ${server(name)} set track_functions = 'all'`;
  },
  async end(url) {
    const sql = postgres(url, { max: 1, onnotice: () => {} });
    // A connection reports what it called when it ends. What ended with an error is named without being counted.
    await sql`
      select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    const functions = await sql<{ name: string; calls: number }[]>`
      select schemaname || '.' || funcname as name, greatest(calls, 1)::int as calls
      from pg_stat_user_functions`;
    await sql.end();
    for (const { name, calls } of functions) called.set(name, (called.get(name) ?? 0) + calls);
  },
};

// biome-ignore lint/correctness/noEmptyPattern: vitest reads the name of the first argument.
afterAll(({}, suite) => {
  suite.meta.mutantsMet = [
    ...new Set([...Object.keys(state.mutantCoverage.static), ...metInPages]),
  ];
  if (hasDatabase) suite.meta.functionsCalled = Object.fromEntries(called);
});
