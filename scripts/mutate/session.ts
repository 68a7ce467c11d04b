import postgres from "postgres";
import { createVitest, type TestModule, type TestSpecification, type Vitest } from "vitest/node";
import { applyPlatform, platformFingerprint } from "../../server/postgres/bootstrap.ts";
import { listMigrations } from "../../server/postgres/migrate.ts";
import { ROOT } from "../../server/root.ts";

/** How many test files are started together: a mutant that the first ones notice spares the others. */
const AT_ONCE = 4;

/** What a test file did without a mutant. */
type Baseline = { ms: number; met: ReadonlySet<string> };

export class TestsFail extends Error {}

/** One vitest for all mutants of an area: the tests' code is read once, the database server started once. */
export class Session {
  readonly #vitest: Vitest;
  readonly #specifications: readonly TestSpecification[];
  #baselines = new Map<string, Baseline>();
  #count = 0;

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
      session.#baselines.set(module.moduleId, { ms: module.diagnostic().duration, met });
    }
    return session;
  }

  close(): Promise<void> {
    return this.#vitest.close();
  }

  /** Whether the tests that ran past a mutant notice it; null when none did. */
  async noticesNumber(id: string): Promise<boolean | null> {
    const chosen = this.#specifications.filter(({ moduleId }) =>
      this.#baselines.get(moduleId)?.met.has(id),
    );
    if (chosen.length === 0) return null;
    this.#vitest.provide("mutant", id);
    return this.#notices(chosen);
  }

  /** Whether the tests notice another schema; null when PostgreSQL refuses it. */
  async noticesSchema(schema: string): Promise<boolean | null> {
    const project = this.#specifications[0]?.project;
    if (project === undefined) return null;
    const given = project.getProvidedContext().database;
    this.#count += 1;
    const template = `${given.template}_m${this.#count}`;
    const url = new URL(given.adminUrl);
    url.pathname = `/${template}`;
    const admin = postgres(given.adminUrl, { max: 1, onnotice: () => {} });
    const projects = new Set(this.#specifications.map((one) => one.project));
    try {
      await admin`create database ${admin(template)} template template0`;
      if (!(await isMade(url.href, schema))) return null;
      for (const one of projects) one.provide("database", { ...given, template });
      return await this.#notices(this.#specifications);
    } finally {
      for (const one of projects) one.provide("database", given);
      await dropAll(admin, template);
      await admin.end();
    }
  }

  async #notices(specifications: readonly TestSpecification[]): Promise<boolean> {
    const ms = ({ moduleId }: TestSpecification) => this.#baselines.get(moduleId)?.ms ?? 0;
    const quickFirst = specifications.toSorted((a, b) => ms(a) - ms(b));
    for (let at = 0; at < quickFirst.length; at += AT_ONCE) {
      const { testModules, unhandledErrors } = await this.#vitest.runTestSpecifications(
        quickFirst.slice(at, at + AT_ONCE),
      );
      if (hasFailed(testModules, unhandledErrors)) return true;
    }
    return false;
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

/** Makes a database of another schema than the migrations', with their history; false when PostgreSQL refuses it. */
async function isMade(url: string, schema: string): Promise<boolean> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await applyPlatform(sql, await platformFingerprint());
    await sql.unsafe(schema).simple();
    await sql.unsafe("reset all");
    for (const { version, name } of await listMigrations()) {
      await sql`
        insert into supabase_migrations.schema_migrations (version, statements, name)
        values (${version}, ${[""]}, ${name})`;
    }
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
