import postgres from "postgres";
import { createVitest, type TestModule, type TestSpecification, type Vitest } from "vitest/node";
import { ROOT } from "../../server/root.ts";

/** How many test files are started before all the others: a mutant that they notice spares those. */
const AT_ONCE = 4;

/** What starting a test file takes, in milliseconds, whatever it tests. */
const STARTING_MS = 2_000;

/** What a test file did without a mutant, and how it has done since. */
type Baseline = { ms: number; met: ReadonlySet<string>; runs: number; failures: number };

export class TestsFail extends Error {}

/** What the tests say of a mutant: which file and test noticed it, if any did. */
type Verdict = { noticedBy: string | null };

/** One vitest for all mutants of an area: the tests' code is read once, the database server started once. */
export class Session {
  readonly #vitest: Vitest;
  readonly #specifications: readonly TestSpecification[];
  #baselines = new Map<string, Baseline>();
  #templates = 0;

  private constructor(vitest: Vitest, specifications: readonly TestSpecification[]) {
    this.#vitest = vitest;
    this.#specifications = specifications;
  }

  /** Runs an area's tests without any mutant; they have to pass. */
  static async open(tests: readonly string[]): Promise<Session> {
    const vitest = await createVitest("test", {
      watch: false,
      bail: 1,
      reporters: [{}],
      onConsoleLog: () => false,
    });
    vitest.provide("mutant", "");
    const all = await vitest.globTestSpecifications();
    const root = new URL(ROOT).pathname;
    const specifications = all.filter(({ moduleId }) =>
      tests.some((beginning) => moduleId.startsWith(root + beginning)),
    );
    const session = new Session(vitest, specifications);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications([
      ...specifications,
    ]);
    if (hasFailed(testModules, unhandledErrors)) {
      const failed = testModules.filter((module) => !module.ok()).map(failureOf);
      await session.close();
      throw new TestsFail(`without a mutant these fail:\n${failed.join("\n")}`);
    }
    for (const module of testModules) {
      const met = new Set(module.meta().mutantsMet ?? []);
      const ms = module.diagnostic().duration;
      session.#baselines.set(module.moduleId, { ms, met, runs: 0, failures: 0 });
    }
    return session;
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }

  /** What the tests that ran past a mutant say of it; null when none did. */
  async tryNumber(id: string): Promise<Verdict | null> {
    const chosen = this.#specifications.filter(({ moduleId }) =>
      this.#baselines.get(moduleId)?.met.has(id),
    );
    if (chosen.length === 0) return null;
    this.#vitest.provide("mutant", id);
    return this.#try(chosen);
  }

  /** What the tests say of a schema in which a statement changed something; null when PostgreSQL refuses it. */
  async tryStatement(statement: string): Promise<Verdict | null> {
    const project = this.#specifications[0]?.project;
    if (project === undefined) return null;
    const given = project.getProvidedContext().database;
    this.#templates += 1;
    const template = `${given.template}_m${this.#templates}`;
    const url = new URL(given.adminUrl);
    url.pathname = `/${template}`;
    const admin = postgres(given.adminUrl, { max: 1, onnotice: () => {} });
    const projects = new Set(this.#specifications.map((one) => one.project));
    try {
      await admin`
        create database ${admin(template)} template ${admin(given.template)} strategy file_copy`;
      if (!(await isAccepted(url.href, statement))) return null;
      for (const one of projects) one.provide("database", { ...given, template });
      return await this.#try(this.#specifications);
    } finally {
      for (const one of projects) one.provide("database", given);
      await dropAll(admin, template);
      await admin.end();
    }
  }

  /** The files that have noticed most for their time come first. */
  async #try(specifications: readonly TestSpecification[]): Promise<Verdict> {
    const promise = ({ moduleId }: TestSpecification) => {
      const { ms = 0, runs = 0, failures = 0 } = this.#baselines.get(moduleId) ?? {};
      return (failures + 1) / (runs + 2) / (ms + STARTING_MS);
    };
    const ordered = specifications.toSorted((a, b) => promise(b) - promise(a));
    const groups = [ordered.slice(0, AT_ONCE), ordered.slice(AT_ONCE)];
    for (const group of groups.filter(({ length }) => length > 0)) {
      const { testModules: known, unhandledErrors } =
        await this.#vitest.runTestSpecifications(group);
      // vitest names the modules of earlier runs, too, with what became of them then.
      const ids = new Set(group.map(({ moduleId }) => moduleId));
      const testModules = known.filter(({ moduleId }) => ids.has(moduleId));
      for (const module of testModules) this.#count(module);
      if (hasFailed(testModules, unhandledErrors)) {
        const failed = testModules.find((module) => module.state() === "failed");
        return { noticedBy: failed ? failureOf(failed) : String(unhandledErrors[0]) };
      }
    }
    return { noticedBy: null };
  }

  #count(module: TestModule): void {
    const baseline = this.#baselines.get(module.moduleId);
    if (baseline === undefined) return;
    baseline.runs += 1;
    if (module.state() === "failed") baseline.failures += 1;
  }
}

/** A file that failed, the first of its tests that did, and why. */
function failureOf(module: TestModule): string {
  const [test] = module.children.allTests("failed");
  const [error] = test?.result().errors ?? module.errors();
  return [module.relativeModuleId, test?.fullName, error?.message].filter(Boolean).join(" > ");
}

function hasFailed(modules: readonly TestModule[], errors: readonly unknown[]): boolean {
  return errors.length > 0 || modules.some((module) => !module.ok());
}

/** Runs a statement in a database; false when PostgreSQL refuses it. */
async function isAccepted(url: string, statement: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statement).simple();
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError) return false;
    throw error;
  } finally {
    await sql.end();
  }
}

/** Removes the copies that tests left when they ended early, and their original. */
async function dropAll(admin: postgres.Sql, template: string): Promise<void> {
  const names = await admin<{ name: string }[]>`
    select datname as name from pg_database where datname ^@ ${template}`;
  for (const { name } of names) await admin`drop database ${admin(name)} with (force)`;
}
