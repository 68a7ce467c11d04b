import { relative } from "node:path";
import { inspect } from "node:util";
import postgres from "postgres";
import type { ProvidedContext } from "vitest";
import { createVitest, type TestModule, type TestSpecification, type Vitest } from "vitest/node";
import { ROOT } from "../../server/root.ts";

/** How many test files are started together, the most promising first: a mutant that they notice spares the others. */
const GROUPS = [1, 3];

/** Time to start a test file, in milliseconds, whatever it tests. */
const STARTING_MS = 2_000;

/** How much more a file's earlier success with the same function says than its success with all of them. */
const SAME_FUNCTION = 4;

/** How much it says that a file calls a function, as often as the one that calls it most. */
const CALLED = 4;

/** Tests that read what functions are, and call none of them. */
const READS_CATALOG = /^tests\/database\/(catalog|schema)\.test/;

/** How often a test file has each function of its databases called; null where it is unknown. */
type Called = Readonly<Record<string, number>> | null;

/** How long a test file takes without a mutant, what it has called, and the numbers of the mutants that it ran past. */
export type FileRecord = { ms: number; called: Called; met: ReadonlySet<string> };

/** Record of a test file without a mutant, and its results since. */
type Baseline = FileRecord & { runs: number; failures: number };

/** Knowledge of earlier sessions: the test files, and which of them noticed which mutants. */
export type Memory = {
  files: Readonly<Record<string, FileRecord>>;
  noticed: readonly { where: string; file: string }[];
};

/** A test, a hook, a wait in a page or a poll that did not end in time: on a busy machine it may only have been slow. */
const TIMED_OUT = /timed out|Timeout \d+ms exceeded|did not succeed in time/i;

export class TestsFail extends Error {}

/** Verdict of the tests on a mutant: the test that noticed it, and its file, if any did. */
type Verdict = { noticedBy: string | null; by?: string | undefined };

/** One vitest for all mutants of an area: the tests' code is read once, the database server started once. */
export class Session {
  readonly #vitest: Vitest;
  readonly #specifications: readonly TestSpecification[];
  readonly #baselines = new Map<string, Baseline>();
  /** How often each file has noticed a mutant of a function, by function and file. */
  readonly #noticed = new Map<string, Map<string, number>>();
  #templates = 0;
  /** Whether tests run without a mutant. */
  #isClean = false;
  /** Files that have passed without a mutant in this session. */
  readonly #proven = new Set<string>();
  /** Number of the mutant of the moment; empty for none. */
  #number = "";
  readonly #started = new Set<TestSpecification["project"]>();
  /** Database that has the mutant of the moment. */
  #planted: ProvidedContext["database"] | null = null;

  readonly #learn: (file: string, known: FileRecord) => void;

  private constructor(
    vitest: Vitest,
    specifications: readonly TestSpecification[],
    learn: (file: string, known: FileRecord) => void,
  ) {
    this.#vitest = vitest;
    this.#learn = learn;
    this.#specifications = specifications;
  }

  /**
   * Runs an area's tests without any mutant; they have to pass. `learn` hears of each that did. Those that an earlier
   * session knew are not run again.
   */
  static async open(
    tests: readonly string[],
    memory: Memory,
    learn: (file: string, known: FileRecord) => void,
  ): Promise<Session> {
    let session: Session | undefined;
    const vitest = await createVitest("test", {
      watch: false,
      bail: 1,
      // Records of finished files stay when the run is ended.
      reporters: [
        {
          onTestModuleEnd(module) {
            if (session) session.#learnFrom(module);
          },
        },
      ],
      onConsoleLog: () => false,
    });
    vitest.provide("mutant", "");
    const all = await vitest.globTestSpecifications();
    const root = new URL(ROOT).pathname;
    // In the order of the area: those that are most about it come first while nothing else is known.
    const place = ({ moduleId }: TestSpecification) =>
      tests.findIndex((beginning) => moduleId.startsWith(root + beginning));
    const specifications = all
      .filter((one) => place(one) >= 0)
      .toSorted((a, b) => place(a) - place(b));
    session = new Session(vitest, specifications, learn);
    try {
      await session.#remember(memory);
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  async #remember({ files, noticed }: Memory): Promise<void> {
    const ids = new Map(this.#specifications.map((one) => [fileOf(one.moduleId), one.moduleId]));
    for (const [file, id] of ids) {
      const known = files[file];
      if (known) this.#baselines.set(id, { ...known, runs: 0, failures: 0 });
    }
    const unknown = this.#specifications.filter(({ moduleId }) => !this.#baselines.has(moduleId));
    if (unknown.length > 0) await this.#runClean(unknown);
    for (const { where, file } of noticed) {
      const id = ids.get(file);
      const baseline = id && this.#baselines.get(id);
      if (!baseline) continue;
      baseline.runs += 1;
      baseline.failures += 1;
      this.#countNoticed(where, id);
    }
    await this.#start(this.#byTime().slice(0, 1));
  }

  #byTime(): TestSpecification[] {
    const ms = ({ moduleId }: TestSpecification) => this.#baselines.get(moduleId)?.ms ?? 0;
    return this.#specifications.toSorted((a, b) => ms(a) - ms(b));
  }

  /** Runs a file of each project that has not begun without a mutant: the first one starts the database server. */
  async #start(specifications: readonly TestSpecification[]): Promise<void> {
    for (const { project } of specifications) {
      const one = this.#byTime().find((other) => other.project === project);
      if (one === undefined || this.#started.has(project)) continue;
      this.#started.add(one.project);
      await this.#runClean([one]);
      if (this.#planted) one.project.provide("database", this.#planted);
    }
  }

  /** Test files have to pass without a mutant; one that ran out of time may do so when it runs alone. */
  async #runClean(specifications: readonly TestSpecification[], isAgain = false): Promise<void> {
    this.#isClean = true;
    this.#vitest.provide("mutant", "");
    const { testModules: known, unhandledErrors } = await this.#vitest.runTestSpecifications([
      ...specifications,
    ]);
    this.#isClean = false;
    this.#vitest.provide("mutant", this.#number);
    const testModules = amongThese(known, specifications);
    for (const { project } of specifications) this.#started.add(project);
    if (!hasFailed(testModules, unhandledErrors)) return;
    const failed = testModules.filter((module) => module.state() === "failed");
    const isLate = failed.length > 0 && failed.every((module) => TIMED_OUT.test(failureOf(module)));
    if (!isLate || isAgain) {
      const failures = testModules.filter((module) => !module.ok()).map(failureOf);
      throw new TestsFail(`without a mutant these fail:\n${failures.join("\n")}`);
    }
    for (const specification of amongThese(specifications, failed)) {
      await this.#runClean([specification], true);
    }
    // Its failure ended the run before the others did.
    const rest = specifications.filter(({ moduleId }) => !this.#proven.has(moduleId));
    if (rest.length > 0) await this.#runClean(rest);
  }

  /** Keeps what a file that has passed without a mutant has done. */
  #learnFrom(module: TestModule): void {
    if (!this.#isClean || module.state() !== "passed") return;
    const { mutantsMet, functionsCalled: called = null } = module.meta();
    const ms = module.diagnostic().duration;
    const { runs = 0, failures = 0 } = this.#baselines.get(module.moduleId) ?? {};
    const known: FileRecord = { ms, called, met: new Set(mutantsMet) };
    this.#proven.add(module.moduleId);
    this.#baselines.set(module.moduleId, { ...known, runs, failures });
    this.#learn(fileOf(module.moduleId), known);
  }

  /** How long each file took without a mutant, in milliseconds. */
  times(): Record<string, number> {
    return Object.fromEntries(
      [...this.#baselines].map(([id, { ms }]) => [fileOf(id), Math.round(ms)]),
    );
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }

  /** Verdict of the tests that ran past a mutant; null when none did. */
  async tryNumber(id: string, where: string): Promise<Verdict | null> {
    const chosen = this.#specifications.filter(({ moduleId }) =>
      this.#baselines.get(moduleId)?.met.has(id),
    );
    if (chosen.length === 0) return null;
    this.#number = id;
    this.#vitest.provide("mutant", id);
    const verdict = await this.#try(chosen, where);
    this.#number = "";
    // A test that fails without the mutant as well, since something else has changed, has not
    // noticed it.
    const { by } = verdict;
    const remembered = chosen.filter(
      ({ moduleId }) => moduleId === by && !this.#proven.has(moduleId),
    );
    if (remembered.length > 0) await this.#runClean(remembered);
    return verdict;
  }

  /**
   * Verdict of the tests on a schema in which a statement changed something; null when PostgreSQL
   * refuses it.
   */
  async tryStatement(statement: string, where: string): Promise<Verdict | null> {
    const [project] = this.#started;
    if (project === undefined) return null;
    const given = project.getProvidedContext().database;
    this.#templates += 1;
    const template = `${given.template}_m${this.#templates}`;
    const url = new URL(given.adminUrl);
    url.pathname = `/${template}`;
    const admin = postgres(given.adminUrl, { max: 1, onnotice: () => {} });
    try {
      await admin`
        create database ${admin(template)} template ${admin(given.template)} strategy file_copy`;
      if (!(await isAccepted(url.href, statement))) return null;
      this.#planted = { ...given, template };
      this.#provide(this.#planted);
      return await this.#try(this.#callersOf(statement, where), where);
    } finally {
      this.#planted = null;
      this.#provide(given);
      await dropAll(admin, template);
      await admin.end();
    }
  }

  /**
   * Test files that have a function called, or read what it is. Of rights all files may know something, and of what becomes
   * part of a query nobody counts the calls.
   */
  #callersOf(statement: string, where: string): readonly TestSpecification[] {
    if (!/^create\b/i.test(statement) || !/\bset search_path\b/i.test(statement)) {
      return this.#specifications;
    }
    return this.#specifications.filter(({ moduleId }) => {
      const called = this.#baselines.get(moduleId)?.called;
      return !called || where in called || READS_CATALOG.test(fileOf(moduleId));
    });
  }

  #provide(database: ProvidedContext["database"]): void {
    for (const project of this.#started) project.provide("database", database);
  }

  /** The files that have noticed most for their time come first, and those that know the function before all. */
  async #try(specifications: readonly TestSpecification[], where: string): Promise<Verdict> {
    const noticed = this.#noticed.get(where);
    const callsOf = (id: string) => this.#baselines.get(id)?.called?.[where] ?? 0;
    const most = Math.max(1, ...specifications.map(({ moduleId }) => callsOf(moduleId)));
    const promise = ({ moduleId }: TestSpecification) => {
      const { ms = 0, runs = 0, failures = 0 } = this.#baselines.get(moduleId) ?? {};
      const known = SAME_FUNCTION * (noticed?.get(moduleId) ?? 0);
      const calls = (CALLED * callsOf(moduleId)) / most;
      return ((failures + 1) / (runs + 2) + known + calls) / (ms + STARTING_MS);
    };
    const ordered = specifications.toSorted((a, b) => promise(b) - promise(a));
    for (const group of grouped(ordered)) {
      const failed = await this.#failureIn(group);
      if (failed === null) continue;
      const { moduleId } = failed.module ?? {};
      if (moduleId !== undefined) this.#countNoticed(where, moduleId);
      return { noticedBy: failed.reason, by: moduleId };
    }
    return { noticedBy: null };
  }

  /**
   * Failure in some files. A timeout counts only when the file times out again while it runs alone.
   */
  async #failureIn(
    group: readonly TestSpecification[],
    isAgain = false,
  ): Promise<{ module?: TestModule; reason: string } | null> {
    await this.#start(group);
    const { testModules: known, unhandledErrors } = await this.#vitest.runTestSpecifications([
      ...group,
    ]);
    const testModules = amongThese(known, group);
    for (const module of testModules) if (!isAgain) this.#count(module);
    if (!hasFailed(testModules, unhandledErrors)) return null;
    const failed = testModules.filter((module) => module.state() === "failed");
    const asserted = failed.find((module) => !isLate(module));
    if (asserted) return { module: asserted, reason: failureOf(asserted) };
    const [late] = failed;
    if (late === undefined) return { reason: `outside any test: ${inspect(unhandledErrors[0])}` };
    if (isAgain) return { module: late, reason: `(twice) ${failureOf(late)}` };
    // Its failure ended the run: the others of the group have not been heard to their end.
    for (const specification of group) {
      const failure = await this.#failureIn([specification], true);
      if (failure) return failure;
    }
    return null;
  }

  #countNoticed(where: string, moduleId: string): void {
    const noticed = this.#noticed.get(where) ?? new Map<string, number>();
    noticed.set(moduleId, (noticed.get(moduleId) ?? 0) + 1);
    this.#noticed.set(where, noticed);
  }

  #count(module: TestModule): void {
    const baseline = this.#baselines.get(module.moduleId);
    if (baseline === undefined) return;
    baseline.runs += 1;
    if (module.state() === "failed") baseline.failures += 1;
    else baseline.ms = module.diagnostic().duration;
  }
}

/** Of a run vitest names the modules of earlier ones, too, with what became of them then. */
function amongThese<Known extends { moduleId: string }>(
  known: readonly Known[],
  chosen: readonly { moduleId: string }[],
): Known[] {
  const ids = new Set(chosen.map(({ moduleId }) => moduleId));
  return known.filter(({ moduleId }) => ids.has(moduleId));
}

const fileOf = (moduleId: string) => relative(new URL(ROOT).pathname, moduleId);

/** Files in groups that run one after the other: a few, some more, all the others. */
function grouped(ordered: readonly TestSpecification[]): TestSpecification[][] {
  const groups: TestSpecification[][] = [];
  let from = 0;
  for (const size of [...GROUPS, ordered.length]) {
    groups.push(ordered.slice(from, from + size));
    from += size;
  }
  return groups.filter(({ length }) => length > 0);
}

/** Why a file failed: the first error of the first of its tests that did. */
function errorOf(module: TestModule) {
  const [test] = module.children.allTests("failed");
  const [error] = test?.result().errors ?? module.errors();
  return { test, error };
}

/** Whether a file failed by waiting in vain; a poll names what it last saw, and says so in the cause. */
function isLate(module: TestModule): boolean {
  const { error } = errorOf(module);
  return TIMED_OUT.test(`${error?.message} ${error?.cause?.message}`);
}

/** A file that failed, the first of its tests that did, and why. */
function failureOf(module: TestModule): string {
  const { test, error } = errorOf(module);
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
