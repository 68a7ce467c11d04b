import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ROOT } from "../harness/program.ts";
import { killAndWait, temporaryFolder } from "./program.ts";

/** A first start, which builds the pages before it can serve them, and is told to stop meanwhile. */

/** Parts of the project that the build and the start read. */
const PARTS = ["server", "web", "supabase", "package.json", "package-lock.json", "vite.config.ts"];

/** A copy of the project that was never built; with the bundle of its server where only the pages are due. */
async function project({ isBundled = false } = {}): Promise<string> {
  const folder = await temporaryFolder();
  const { stdout } = spawnSync(
    "git",
    ["ls-files", "-co", "--exclude-standard", ...PARTS, "tsconfig*.json"],
    {
      cwd: ROOT,
      encoding: "utf8",
      maxBuffer: 10_000_000,
    },
  );
  for (const file of stdout.split("\n").filter((name) => name !== "")) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await cp(join(ROOT, file), join(folder, file));
  }
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  if (!isBundled) return folder;
  await mkdir(join(folder, "dist"));
  for (const name of ["server.js", "server.js.map"]) {
    await cp(join(ROOT, "dist", name), join(folder, "dist", name));
  }
  const stamp = JSON.parse(await readFile(join(ROOT, "dist", "stamp.json"), "utf8"));
  await writeFile(join(folder, "dist", "stamp.json"), JSON.stringify({ ...stamp, web: "other" }));
  return folder;
}

/** Starts the program there: by itself, or as npm starts it, behind a shell. */
function begin(folder: string, { isByNpm = false } = {}) {
  const start = ["server/start.js", "--no-demo"];
  const [command, argv] = isByNpm
    ? ["sh", ["-c", `"$0" ${start.join(" ")}; true`, process.execPath]]
    : [process.execPath, start];
  const child = spawn(command, argv, {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      HOME: folder,
      PORT: "0",
      TOURNAVIS_DATA: join(folder, "data"),
      ...(isByNpm && { npm_lifecycle_event: "start" }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint += text;
  });
  child.stdout.resume();
  // With its output: what still writes keeps it open.
  const ended = once(child, "close").then(() => ({
    code: child.exitCode,
    signal: child.signalCode,
  }));
  return { child, ended, complaint: () => complaint };
}

/** The process that builds there, once it does. */
async function builder(folder: string, started: ChildProcess): Promise<number> {
  for (;;) {
    const names = await readdir(join(folder, ".cache")).catch(() => []);
    const pids = names.flatMap((name) => /^dist-(\d+)$/.exec(name)?.[1] ?? []).map(Number);
    const living = pids.find(isThere);
    if (living !== undefined) {
      onTestFinished(() => killAndWait(living));
      return living;
    }
    if (started.exitCode !== null) throw new Error("It ended before it built.");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("a start that builds the pages", () => {
  it.each([
    ["before its server is bundled", { isBundled: false }],
    ["of a server that runs", { isBundled: true }],
  ])("ends with what builds, %s, and the next one takes its place", async (_, state) => {
    const folder = await project(state);
    const first = begin(folder);
    const building = await builder(folder, first.child);
    first.child.kill("SIGTERM");
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(first.complaint()).toBe("");
    expect(isThere(building)).toBe(false);

    const second = begin(folder);
    const other = await builder(folder, second.child);
    const names = await readdir(join(folder, ".cache"));
    expect(names.filter((name) => name.startsWith("dist-"))).toEqual([`dist-${other}`]);
    second.child.kill("SIGTERM");
    expect(await second.ended).toEqual({ code: 0, signal: null });
  });

  it("ends with npm, which hands a signal on to the shell in between alone", async () => {
    const folder = await project();
    const { child, ended, complaint } = begin(folder, { isByNpm: true });
    const building = await builder(folder, child);
    child.kill("SIGKILL");
    await ended;
    expect(complaint()).toBe("");
    expect(isThere(building)).toBe(false);
  });

  it("fails where what builds is killed", async () => {
    const folder = await project();
    const { child, ended, complaint } = begin(folder);
    await killAndWait(await builder(folder, child));
    expect(await ended).toEqual({ code: 1, signal: null });
    expect(complaint()).toBe("server/build.ts: SIGKILL\n");
  });
});
