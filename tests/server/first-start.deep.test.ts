import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isRoot } from "../harness/program.ts";
import {
  needOrdinaryPerson,
  openAdmin,
  removeAtEnd,
  start,
  startProgram,
  temporaryFolder,
} from "./program.ts";

describe("a new data folder", () => {
  it("gets a database for French texts, whatever the terminal's language", async () => {
    const folder = await temporaryFolder();
    const { output } = await start(folder);
    const sql = await openAdmin(folder);
    const [database] = await sql`
      select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider,
             datlocale as locale, current_setting('fsync') as fsync
      from pg_database where datname = current_database()`;
    expect(database).toEqual({ encoding: "UTF8", provider: "i", locale: "fr-FR", fsync: "on" });
    const sorted = await sql<{ word: string }[]>`
      select word from unnest(array['zeste', 'école', 'eau', 'été', 'abricot']) as word order by word`;
    expect(sorted.map(({ word }) => word)).toEqual(["abricot", "eau", "école", "été", "zeste"]);
    expect(output()).not.toContain("demo@");
  });

  it("keeps its secrets to itself", async () => {
    const folder = await temporaryFolder();
    await start(folder);
    const modeOf = async (...path: string[]) => (await stat(join(folder, ...path))).mode & 0o777;
    expect(await modeOf("secrets")).toBe(0o700);
    expect(await modeOf("pg")).toBe(0o700);
    for (const name of await readdir(join(folder, "secrets"))) {
      expect(await modeOf("secrets", name)).toBe(0o600);
    }
    const key = (await readFile(join(folder, "secrets", "publishable-key"), "utf8")).trim();
    expect(key).toMatch(/^sb_publishable_/);
  });

  it("prints the address, the demo sign-in, the campaign and its QR code", async () => {
    const folder = await temporaryFolder();
    const { at, output } = await start(folder, []);
    const password = await readFile(join(folder, "secrets", "demo-password"), "utf8");
    for (const part of [at, "demo@tournavis.fr", password.trim(), `${at}/c/demo`, "▀▄"]) {
      expect(output()).toContain(part);
    }
  });

  it("can be tried with a phone of the network, without showing the password there", async () => {
    const folder = await temporaryFolder();
    const { at, output } = await start(folder, ["--lan"]);
    expect(output()).toContain(`${at}/c/demo`);
    expect((await fetch(`${at}/readyz`)).status).toBe(200);
    const password = await readFile(join(folder, "secrets", "demo-password"), "utf8");
    expect(output()).not.toContain(password.trim());
    expect(output()).toContain(join(folder, "secrets", "demo-password"));
  });

  it("works for an ordinary person", async ({ skip }) => {
    needOrdinaryPerson(skip);
    const folder = await temporaryFolder({ mode: 0o777 });
    const program = startProgram({
      env: { TOURNAVIS_DATA: join(folder, "data") },
      argv: ["--no-demo"],
      asNobody: true,
    });
    expect((await fetch(`${await program.url}/readyz`)).status).toBe(200);
    program.signal("SIGTERM");
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it("goes outside where the database's account cannot enter, and says so", async () => {
    const closed = await temporaryFolder({ mode: 0o700 });
    const asked = join(closed, "data");
    const { output, signal, ended } = await start(asked);
    const outside = /\/var\/lib\/tournavis\/\w+/.exec(output())?.[0];
    if (!isRoot()) {
      expect(outside).toBeUndefined();
      return;
    }
    if (outside === undefined) throw new Error(`no folder outside: ${output()}`);
    removeAtEnd(outside);
    expect(output()).toContain(asked);
    signal("SIGTERM");
    await ended;
    expect((await start(asked)).output()).toContain(outside);
  });

  it("is not spoilt by a start that died while making the database", async () => {
    const folder = await temporaryFolder();
    // Files that a dead process had begun.
    await mkdir(join(folder, "init-999999999-left", "pg"), { recursive: true });
    await writeFile(join(folder, "init-999999999-left", "pg", "PG_VERSION"), "18\n");
    const { at } = await start(folder);
    expect((await fetch(`${at}/readyz`)).status).toBe(200);
    expect(await readdir(folder)).not.toContain("init-999999999-left");
  });

  it("belongs to one of two processes that start at once; the other refuses", async () => {
    const folder = await temporaryFolder();
    const programs = [1, 2].map(() =>
      startProgram({ env: { TOURNAVIS_DATA: folder }, argv: ["--no-demo"] }),
    );
    const [loser, winner] = await Promise.race(
      programs.map(async (program, index) => {
        await program.ended;
        return [program, programs[1 - index]] as const;
      }),
    );
    expect((await loser.ended).code).toBeGreaterThan(0);
    expect(loser.complaint().split("\n")).toHaveLength(2);
    expect(loser.complaint()).toContain(folder);
    expect((await fetch(`${await winner?.url}/readyz`)).status).toBe(200);
  });
});

describe("npm run dev", () => {
  it("serves the same shop from the sources, and tells the browser of changes", async () => {
    const env = { TOURNAVIS_DATA: await temporaryFolder() };
    const program = startProgram({ env, script: "dev" });
    const at = await program.url;
    const page = await (await fetch(`${at}/c/demo/review`)).text();
    expect(page).toContain("/@vite/client");
    expect(page).toContain('id="page-data"');
    expect(page).toContain("Café Bertille");
    const application = await fetch(`${at}/dashboard`, { headers: { accept: "text/html" } });
    expect(await application.text()).toContain("/@vite/client");
    expect((await fetch(`${at}/main.tsx`)).headers.get("content-type")).toContain("javascript");
    // Compiling the sources keeps every processor busy: the database may seem silent meanwhile.
    await expect.poll(async () => (await fetch(`${at}/readyz`)).status).toBe(200);
    program.signal("SIGINT");
    expect((await program.ended).code).toBe(0);
  });
});
