import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { listMigrations } from "../../server/postgres/migrate.ts";
import { createTestDatabase } from "../harness/database.ts";
import { SEED } from "../harness/depth.ts";
import { numbers } from "../harness/numbers.ts";
import {
  embeddedUrl,
  type Program,
  readPostmaster,
  runningPostmaster,
} from "../harness/program.ts";
import {
  killAndWait,
  openAdmin,
  says,
  start,
  startProgram,
  temporaryFolder,
  usedFolders,
} from "./program.ts";

const usedFolder = usedFolders();

/** Makes everybody who reads a campaign wait; answers what lets them go on. */
async function holdCampaigns(sql: Sql): Promise<() => void> {
  return new Promise((resolve, reject) => {
    sql
      .begin(async (transaction) => {
        await transaction`lock table public.campaigns in access exclusive mode`;
        await new Promise<void>((release) => resolve(release));
      })
      .catch(reject);
  });
}

/** Settles when a statement of a pool waits for a lock; those of jobs may wait as well. */
async function untilSomebodyWaits(sql: Sql, pool = "tournavis functions"): Promise<void> {
  for (;;) {
    const [waiting] = await sql`
      select from pg_locks l join pg_stat_activity a on a.pid = l.pid
      where not l.granted and a.application_name = ${pool}`;
    if (waiting) return;
  }
}

/** Settles when nobody listens there any more. */
async function untilClosed(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  for (;;) {
    const socket = connect(Number(port), hostname);
    const refused = await once(socket, "connect").then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (refused) return;
  }
}

describe("stopping", () => {
  it("finishes the requests in flight, takes no more and stops the database cleanly", async () => {
    const folder = await temporaryFolder();
    const program = await start(folder, []);
    const sql = await openAdmin(folder);
    const postmaster = await runningPostmaster(folder);

    const release = await holdCampaigns(sql);
    const answer = fetch(`${program.at}/functions/v1/campaign?slug=demo`);
    await untilSomebodyWaits(sql);
    // Ctrl-C reaches everything in the terminal, not our process alone, and npm passes it on.
    program.signal("SIGINT");
    program.signal("SIGINT");
    await untilClosed(program.at);
    release();

    const response = await answer;
    expect(response.status).toBe(200);
    expect(response.headers.get("connection")).toBe("close");
    expect(await response.json()).toMatchObject({ slug: "demo" });
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.complaint()).toBe("");
    expect(await readPostmaster(folder)).toBeNull();
    expect(() => process.kill(postmaster.pid, 0)).toThrow();
  });

  it("says which setting somebody has most likely misspelt, whatever it is asked for", async () => {
    const program = startProgram({
      env: { PUBIC_URL: "https://avis.exemple.fr" },
      argv: ["--help"],
    });
    expect((await program.ended).code).toBe(0);
    expect(program.complaint()).toMatch(/^PUBIC_URL .* PUBLIC_URL \?\n$/);
  });

  it("goes on while nobody reads its log any more", async () => {
    const program = await start(await usedFolder());
    program.child.stdout?.destroy();
    program.child.stderr?.destroy();
    // Each request is a line of the log, which is written in handfuls of 32,768 signs and every 50 ms.
    for (let round = 0; round < 600; round += 1) {
      expect((await fetch(`${program.at}/c/none/review`)).status).toBe(404);
    }
    program.signal("SIGTERM");
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it("stops at once at a second signal, and the next start takes over", async () => {
    const folder = await usedFolder();
    const program = await start(folder);
    const sql = await openAdmin(folder);
    const release = await holdCampaigns(sql);
    const answer = fetch(`${program.at}/functions/v1/campaign?slug=demo`).catch(() => null);
    await untilSomebodyWaits(sql);
    program.signal("SIGTERM");
    await untilClosed(program.at);
    const impatience = setInterval(() => program.signal("SIGTERM"), 50);
    expect((await program.ended).code).toBeGreaterThan(0);
    clearInterval(impatience);
    expect(await answer).toBeNull();
    release();
    expect((await fetch(`${(await start(folder)).at}/readyz`)).status).toBe(200);
  });

  it("does not wait for data that nobody wants any more", async () => {
    const folder = await usedFolder();
    const program = await start(folder);
    const sql = await openAdmin(folder);
    // (The public key alone is refused before the database is asked.)
    const apikey = (await readFile(join(folder, "secrets", "secret-key"), "utf8")).trim();
    const release = await holdCampaigns(sql);
    const browsers = new AbortController();
    const answers = Array.from({ length: 40 }, () =>
      fetch(`${program.at}/rest/v1/campaigns`, {
        headers: { apikey },
        signal: browsers.signal,
      }).catch(() => "left"),
    );
    await untilSomebodyWaits(sql, "tournavis api");
    browsers.abort();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["left"]));
    program.signal("SIGTERM");
    await untilClosed(program.at);
    release();
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it("ends a start that waits for a database that says nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void silent.close());
    await once(silent, "listening");
    const address = silent.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const asked = once(silent, "connection");
    const program = startProgram({
      env: {
        DATABASE_URL: `postgres://personne:rien@127.0.0.1:${port}/base`,
        TOURNAVIS_DATA: await temporaryFolder(),
      },
    });
    await Promise.race([asked, program.ended]);
    program.signal("SIGTERM");
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.complaint()).toBe("");
  });

  /** Settles when a first start in this folder has come so far, and fails when it has ended before. */
  async function until(program: Program, isThere: () => Promise<boolean>): Promise<void> {
    const hasEnded = program.ended.then(({ code }) => {
      throw new Error(`It ended with ${code} before: ${program.complaint()}`);
    });
    const look = async () => {
      while (!(await isThere())) await new Promise((resolve) => setImmediate(resolve));
    };
    await Promise.race([look(), hasEnded]);
  }

  /** How many migrations a first start has made, as far as its database answers. */
  async function migrated(folder: string): Promise<number> {
    try {
      const sql = postgres(await embeddedUrl(folder), { max: 1, connect_timeout: 1 });
      try {
        const rows = await sql`select from supabase_migrations.schema_migrations`;
        return rows.length;
      } finally {
        await sql.end({ timeout: 1 });
      }
    } catch {
      return 0;
    }
  }

  it.each([
    ["makes the database", 0],
    ["starts the database", -1],
    ["migrates", Math.ceil(numbers(SEED)() * 80)],
    ["has migrated", Number.POSITIVE_INFINITY],
  ])(
    "ends a first start that %s (%d), leaves no database behind, and the next one serves",
    async (stage, count) => {
      const folder = await temporaryFolder();
      const program = startProgram({ env: { TOURNAVIS_DATA: folder } });
      const all = (await listMigrations()).length;
      await until(program, async () => {
        if (stage === "makes the database") {
          return (await readdir(folder)).some((name) => name.startsWith("init-"));
        }
        if (stage === "starts the database") return (await readPostmaster(folder)) !== null;
        return (await migrated(folder)) >= Math.min(count, all);
      });
      const postmaster = await readPostmaster(folder);
      // The server alone hears it, as from systemd.
      program.child.kill("SIGTERM");
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(program.complaint()).toBe("");
      expect(await readPostmaster(folder)).toBeNull();
      if (postmaster) expect(() => process.kill(postmaster.pid, 0)).toThrow();
      const next = await start(folder, []);
      expect((await fetch(`${next.at}/c/demo/review`)).status).toBe(200);
    },
  );

  it("ends with npm, which hands a signal on to the shell in between alone", async () => {
    const folder = await usedFolder();
    // As npm runs a script, and ends it.
    const shell = spawn("sh", ["-c", '"$0" server/start.js --no-demo; true', process.execPath], {
      cwd: new URL("../..", import.meta.url),
      env: {
        PATH: process.env.PATH ?? "",
        PORT: "0",
        TOURNAVIS_DATA: folder,
        npm_lifecycle_event: "start",
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    for await (const text of shell.stdout.setEncoding("utf8")) {
      output += text;
      // Its output ends when the server has, not with the shell.
      if (output.includes("http://")) shell.kill("SIGKILL");
    }
    expect(output).toContain("http://");
    expect(await readPostmaster(folder)).toBeNull();
  });

  it("starts its database again when that dies, and fails when it dies again and again", async () => {
    const folder = await usedFolder();
    const program = await start(folder);
    for (const times of [1, 2]) {
      await killAndWait((await runningPostmaster(folder)).pid);
      await says(program, "database_back", times);
      await expect.poll(async () => (await fetch(`${program.at}/readyz`)).status).toBe(200);
      expect((await fetch(`${program.at}/functions/v1/campaign?slug=aucune`)).status).toBe(404);
    }
    await killAndWait((await runningPostmaster(folder)).pid);
    expect((await program.ended).code).toBeGreaterThan(0);
    expect(program.output().split("database_died")).toHaveLength(2);
    expect(program.complaint()).toBe("");
  });
});

describe("starting again", () => {
  /** Something that somebody did, to be found again. */
  async function remember(folder: string): Promise<void> {
    const sql = await openAdmin(folder);
    await sql`insert into public.organizations (name, slug) values ('Chez Jeanne', 'chez-jeanne')`;
    await sql.end();
  }
  async function expectRemembered(at: string): Promise<void> {
    const folder = folders.get(at) ?? "";
    const sql = await openAdmin(folder);
    expect(await sql`select from public.organizations where slug = 'chez-jeanne'`).toHaveLength(1);
  }
  const folders = new Map<string, string>();
  async function startIn(folder: string, argv?: string[]) {
    const program = await start(folder, argv);
    folders.set(program.at, folder);
    return program;
  }

  it("keeps the data, the secrets and the demo's password", async () => {
    const folder = await temporaryFolder();
    const first = await startIn(folder, []);
    await remember(folder);
    const configuration = await (await fetch(`${first.at}/config.json`)).json();
    const password = /^ +Mot de passe +(\S+)$/m.exec(first.output())?.[1];
    expect(password).toMatch(/^\w{4}-\w{4}-\w{4}$/);
    first.signal("SIGTERM");
    await first.ended;

    const second = await startIn(folder, []);
    await expectRemembered(second.at);
    expect(await (await fetch(`${second.at}/config.json`)).json()).toMatchObject({
      publishable_key: configuration.publishable_key,
    });
    expect(second.output()).toContain(password);
  });

  it("takes over the database of a killed process", async () => {
    const folder = await usedFolder();
    const first = await startIn(folder);
    await remember(folder);
    const orphan = await runningPostmaster(folder);
    first.signal("SIGKILL");
    await first.ended;
    // The database runs in a session of its own: it is still there.
    expect(() => process.kill(orphan.pid, 0)).not.toThrow();

    const second = await startIn(folder);
    await expectRemembered(second.at);
    expect((await runningPostmaster(folder)).pid).not.toBe(orphan.pid);
  });

  it("recovers after everything was killed, the database too", async () => {
    const folder = await usedFolder();
    const first = await startIn(folder);
    await remember(folder);
    const database = await runningPostmaster(folder);
    first.signal("SIGKILL");
    await Promise.all([first.ended, killAndWait(database.pid)]);
    await expectRemembered((await startIn(folder)).at);
  });

  it("is not held up by a stranger that got the number of a killed database", async () => {
    const folder = await usedFolder();
    const first = await startIn(folder);
    await remember(folder);
    first.signal("SIGTERM");
    await first.ended;
    // The number of a process that runs, and is no PostgreSQL.
    const stranger = spawn("sleep", ["600"], { stdio: "ignore" });
    onTestFinished(() => void stranger.kill());
    await writeFile(
      join(folder, "pg", "postmaster.pid"),
      `${stranger.pid}\n${join(folder, "pg")}\n1700000000\n5432\n\n127.0.0.1\n0\nready\n`,
      { mode: 0o600 },
    );
    await expectRemembered((await startIn(folder)).at);
  });

  it("is not held up by a lock file that a power cut left empty", async () => {
    const folder = await usedFolder();
    const first = await startIn(folder);
    await remember(folder);
    first.signal("SIGTERM");
    await first.ended;
    await writeFile(join(folder, "pg", "postmaster.pid"), "", { mode: 0o600 });
    expect(await readPostmaster(folder)).toBeNull();
    await expectRemembered((await startIn(folder)).at);
  });

  it("says what is missing when the database's password is", async () => {
    const folder = await usedFolder();
    const first = await startIn(folder);
    first.signal("SIGTERM");
    await first.ended;
    await rm(join(folder, "secrets", "database-password"));
    const second = startProgram({ env: { TOURNAVIS_DATA: folder } });
    expect((await second.ended).code).toBeGreaterThan(0);
    expect(second.complaint()).toMatch(/^[^\n]+database-password[^\n]+\n$/);
    expect(await readPostmaster(folder)).toBeNull();
  });

  it("does not bring back a demo that was declined", async () => {
    expect((await startIn(await usedFolder(), [])).output()).not.toContain("demo@");
  });
});

describe("several processes on one DATABASE_URL", () => {
  it("start at once, migrate once, and serve the same shop", async () => {
    const database = await createTestDatabase();
    const empty = `${database.name}_empty`;
    await database.sql`create database ${database.sql(empty)} template template0`;
    onTestFinished(async () => {
      await database.sql`drop database if exists ${database.sql(empty)} with (force)`;
      await database.drop();
    });
    const url = new URL(database.url);
    url.pathname = `/${empty}`;
    const shared = await temporaryFolder();
    const env = { DATABASE_URL: url.href, TOURNAVIS_DATA: shared };
    const programs = [1, 2, 3].map(() => startProgram({ env }));
    const addresses = await Promise.all(programs.map((program) => program.url));

    const sql = postgres(url.href, { max: 1, onnotice: () => {} });
    onTestFinished(() => sql.end({ timeout: 1 }));
    const history = await sql<{ version: string }[]>`
      select version from supabase_migrations.schema_migrations order by version`;
    const known = await listMigrations();
    expect(history.map(({ version }) => version)).toEqual(known.map(({ version }) => version));
    expect(await sql`select from public.organizations`).toHaveLength(1);
    const configurations = await Promise.all(
      addresses.map(async (at) => {
        const { publishable_key } = await (await fetch(`${at}/config.json`)).json();
        expect((await fetch(`${at}/c/demo/review`)).status).toBe(200);
        return publishable_key;
      }),
    );
    expect(new Set(configurations).size).toBe(1);
    for (const program of programs) program.signal("SIGTERM");
    for (const program of programs) expect((await program.ended).code).toBe(0);
  });

  it("agree on the login of the API although their data folders differ", async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const programs = await Promise.all(
      [1, 2].map(async () => {
        const env = { DATABASE_URL: database.url, TOURNAVIS_DATA: await temporaryFolder() };
        return startProgram({ env, argv: ["--no-demo"] });
      }),
    );
    const addresses = await Promise.all(programs.map((program) => program.url));
    // Every process can still open connections after the last one has started. (Waits until the present ones are gone.)
    await database.sql`
      select pg_terminate_backend(pid, 10000) from pg_stat_activity
      where datname = current_database() and application_name = 'tournavis functions'`;
    for (const at of addresses) {
      expect((await fetch(`${at}/functions/v1/campaign?slug=aucune`)).status).toBe(404);
    }
  });
});
