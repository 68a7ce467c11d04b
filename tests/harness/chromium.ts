import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

/** Why the browser tests cannot run, in one line that says what to do. */
export class ChromiumMissing extends Error {}

const ADVICE = "Install Chromium or Google Chrome, or set CHROME_PATH to its program.";

/** Program names on the PATH, most open first. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

/** Debian's build of Chromium without the windows that a test never looks at: a quarter of the work. */
const SHELL = "chromium-headless-shell";

function usualPlaces(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string[] {
  if (platform === "win32") {
    return [env.PROGRAMFILES, env["PROGRAMFILES(X86)"], env.LOCALAPPDATA].flatMap((folder) =>
      folder === undefined
        ? []
        : [
            join(folder, "Google", "Chrome", "Application", "chrome.exe"),
            join(folder, "Chromium", "Application", "chrome.exe"),
            join(folder, "Microsoft", "Edge", "Application", "msedge.exe"),
          ],
    );
  }
  const onPath = (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  if (platform !== "darwin") return [...onPath, "/opt/google/chrome/chrome"];
  return ["/Applications", join(env.HOME ?? "/", "Applications")]
    .flatMap((folder) => [
      join(folder, "Chromium.app/Contents/MacOS/Chromium"),
      join(folder, "Google Chrome.app/Contents/MacOS/Google Chrome"),
    ])
    .concat(onPath);
}

/**
 * Longest that a browser may take to say which it is: it first reads a quarter of a gigabyte, and has taken more than 20 seconds
 * on a disk and processors that others used. What is taken for missing would be installed.
 */
const START_MS = 180_000;

/** A file that exists may still be a stub (Ubuntu's snap launcher) or miss its libraries. */
function starts(program: string, platform: NodeJS.Platform): boolean {
  if (!existsSync(program)) return false;
  // On Windows the question for a version opens a window instead of answering.
  if (platform === "win32") return true;
  return spawnSync(program, ["--version"], { stdio: "ignore", timeout: START_MS }).status === 0;
}

/** The machine that is searched: replaced as a whole by the tests of the search. */
type Machine = {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  starts: (program: string, platform: NodeJS.Platform) => boolean;
};

/**
 * The browser that is there: `CHROME_PATH`, then the usual places, then Playwright's own download.
 * A `CHROME_PATH` that does not start is an error, since somebody meant that browser and no other.
 */
export function findChromium(
  machine: Machine = { env: process.env, platform: process.platform, starts },
): string | undefined {
  const { env, platform } = machine;
  const wanted = env.CHROME_PATH;
  if (wanted !== undefined && wanted !== "") {
    if (machine.starts(wanted, platform)) return wanted;
    throw new ChromiumMissing(`CHROME_PATH is ${wanted}, which does not start. ${ADVICE}`);
  }
  return [...usualPlaces(env, platform), chromium.executablePath()].find((program) =>
    machine.starts(program, platform),
  );
}

/**
 * The lighter build, for all but what needs a whole browser (a camera); undefined where it is not there,
 * and where `CHROME_PATH` names the browser that is meant.
 */
export function findShell(
  machine: Machine = { env: process.env, platform: process.platform, starts },
): string | undefined {
  const { env, platform } = machine;
  if (env.CHROME_PATH) return undefined;
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, SHELL))
    .find((program) => machine.starts(program, platform));
}

function run(program: string, args: string[]): boolean {
  process.stdout.write(`  ${program} ${args.join(" ")}\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync(program, args, { stdio: "inherit", env }).status === 0;
}

/** Finds a browser or installs one: from Debian's packages as root, else Playwright's download. */
export function ensureChromium(): string {
  const found = findChromium();
  if (found !== undefined) return found;
  process.stdout.write("No Chromium or Chrome found: installing one.\n");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    run("apt-get", ["update"]);
    run("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]);
    // Older releases have none: the tests take longer then.
    run("apt-get", ["install", "-y", "--no-install-recommends", SHELL]);
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  run(process.execPath, ["node_modules/playwright-core/cli.js", "install", "chromium"]);
  const downloaded = findChromium();
  if (downloaded !== undefined) return downloaded;
  throw new ChromiumMissing(`No browser could be installed for the tests. ${ADVICE}`);
}
