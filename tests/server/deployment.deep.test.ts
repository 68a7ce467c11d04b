import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chown, cp, mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { reviewResponse, spinResult } from "#domain/schemas/journey.ts";
import { ROOT } from "../../server/root.ts";
import { playForReview, ratingOf } from "../database/support/calls.ts";
import { isRoot } from "../harness/program.ts";
import { type Skip, skipAloud } from "../harness/skip-aloud.ts";
import { removeAtEnd, temporaryFolder } from "./program.ts";

/**
 * The product is installed, built and started elsewhere than here: by the steps of the container, as an ordinary user, and
 * on each version of Node that is in use. Needs the package registry.
 */

const root = fileURLToPath(ROOT);

/** Account that owns nothing: what a container's account is. */
const NOBODY = 65_534;
const asNobody = isRoot() ? { uid: NOBODY, gid: NOBODY } : {};

const VERSIONS = ["20.19", "22", "24", "26"];

/** Time for an installation on a busy machine, and for one of its steps, in milliseconds. */
const INSTALL_MS = 1_200_000;
const STEP_MS = 600_000;

/** Errors of npm where packages cannot be had: no fault of the installed ones. */
const NO_PACKAGES =
  /\b(E(AI_AGAIN|NOTFOUND|CONNREFUSED|CONNRESET|TIMEDOUT|NETUNREACH|40[134]|TARGET)|ERR_SOCKET_TIMEOUT)\b/;

/** Runs a step as an ordinary user; ends the test without a result where its packages cannot be had. */
function run(command: string, cwd: string, skip: Skip): void {
  const { status, stdout, stderr } = spawnSync("sh", ["-ec", command], {
    cwd,
    env: environment(cwd),
    encoding: "utf8",
    timeout: STEP_MS,
    ...asNobody,
  });
  if (status !== 0 && command.includes("npm") && NO_PACKAGES.test(stderr)) {
    skipAloud(skip, `packages cannot be had for « ${command} »`);
  }
  expect(status, `${command}\n${stdout}\n${stderr}`).toBe(0);
}

/** Skips a test where no package can be installed; says so. */
function needRegistry(skip: Skip): void {
  const ask = ["view", "--fetch-retries=0", "patch-package", "version"];
  const { status } = spawnSync("npm", ask, { cwd: "/", timeout: 30_000 });
  if (status !== 0) skipAloud(skip, "the package registry cannot be reached");
}

/** Settings without which no registry may be reached. */
const NETWORK = /^(npm_config_registry|https?_proxy|no_proxy|node_extra_ca_certs)$/i;

function environment(home: string): NodeJS.ProcessEnv {
  const network = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
  return { PATH: process.env.PATH ?? "", HOME: home, ...Object.fromEntries(network) };
}

/** Copies what Git would keep of a file or folder of the project. */
async function copy(source: string, target: string): Promise<void> {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", source], {
    cwd: root,
    encoding: "utf8",
  });
  for (const file of stdout
    .split("\n")
    .filter((name) => name !== "" && !/\.test\.tsx?$/.test(name))) {
    const to = join(target, file);
    await mkdir(dirname(to), { recursive: true });
    await cp(join(root, file), to);
  }
}

async function give(folder: string): Promise<void> {
  if (!isRoot()) return;
  await chown(folder, NOBODY, NOBODY);
  spawnSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
}

/** Starts the program, plays one journey of a customer, and stops it as a service manager does. */
async function playIn(folder: string, node: string, data: string, argv: string[]): Promise<void> {
  removeAtEnd(data);
  const child = spawn(node, argv, {
    cwd: folder,
    env: { ...environment(folder), PORT: "0", TOURNAVIS_DATA: data },
    stdio: ["ignore", "pipe", "pipe"],
    ...asNobody,
  });
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  let said = "";
  const at = await new Promise<string>((resolve, reject) => {
    const look = (text: Buffer) => {
      said += text;
      const found = /http:\/\/[\w.-]+:\d+/.exec(said)?.[0];
      if (found) resolve(found);
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    ended.then(() => reject(new Error(`it ended first: ${said}`)));
  });
  const page = await fetch(`${at}/c/demo/review`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("<html");
  const ask = async (name: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${at}/functions/v1/${name}`, {
      ...(body && { method: "POST", body: JSON.stringify(body) }),
      headers: { "content-type": "application/json" },
    });
    expect(response.ok, name).toBe(true);
    return response.json();
  };
  const campaign = await ask("campaign?slug=demo");
  const id =
    typeof campaign === "object" && campaign !== null && "id" in campaign
      ? String(campaign.id)
      : "";
  const review = reviewResponse.parse(await ask("review_record", ratingOf({ id })));
  const spin = spinResult.parse(await ask("spin_wheel", playForReview({ id }, review.review_id)));
  expect(spin.spin_id).not.toBe("");
  child.kill("SIGTERM");
  expect((await ended)[0]).toBe(0);
}

/** One step of the Containerfile. */
type Step = { kind: string; rest: string };

function stagesOf(text: string): Step[][] {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const stages: Step[][] = [];
  for (const line of lines) {
    const [kind = "", ...rest] = line.split(" ");
    if (kind === "FROM") stages.push([]);
    else stages.at(-1)?.push({ kind, rest: rest.join(" ") });
  }
  return stages;
}

it("the container's steps make a program that an ordinary user runs", {
  timeout: INSTALL_MS,
}, async ({ skip }) => {
  needRegistry(skip);
  const [build = [], final = []] = stagesOf(
    await readFile(new URL("deploy/Containerfile", ROOT), "utf8"),
  );
  const folder = await temporaryFolder({ mode: 0o755 });
  const app = join(folder, "app");
  await mkdir(app);
  await give(folder);
  for (const { kind, rest } of build) {
    if (kind === "COPY") {
      const names = rest.split(" ").slice(0, -1);
      for (const name of names) await copy(name, app);
      await give(folder);
    } else if (kind === "RUN") run(rest, app, skip);
    else expect([kind, rest]).toEqual(["WORKDIR", "/app"]);
  }
  // The driver's patch is the installation's business: without it a lost connection ends the program.
  const driver = join("node_modules", "postgres", "src", "connection.js");
  expect(await readFile(join(app, driver), "utf8")).toBe(
    await readFile(join(root, driver), "utf8"),
  );
  // The account is left out, since only root makes it. The other steps of the last stage follow
  // here.
  expect(final.map(({ kind }) => kind)).toEqual([
    "RUN",
    "COPY",
    "WORKDIR",
    "USER",
    "ENV",
    "ENV",
    "ENV",
    "VOLUME",
    "EXPOSE",
    "STOPSIGNAL",
    "HEALTHCHECK",
    "CMD",
  ]);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  await give(data);
  // As in the image, the program belongs to somebody else and is not written to.
  run("chmod -R a-w .", app, skip);
  const command: unknown = JSON.parse(final.at(-1)?.rest ?? "");
  expect(command).toEqual(["node", "server/start.js"]);
  await playIn(app, process.execPath, data, ["server/start.js"]);
  run("chmod -R u+w .", app, skip);
});

it("starts and serves a journey under a link, as an update switches it", {
  timeout: INSTALL_MS,
}, async () => {
  const folder = await temporaryFolder({ mode: 0o755 });
  const link = join(folder, "tournavis");
  await symlink(root, link);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  await give(data);
  await playIn(link, process.execPath, data, ["server/start.js"]);
});

it.for(VERSIONS)(
  "starts and serves a journey on Node %s",
  { timeout: INSTALL_MS },
  async (version, { skip }) => {
    needRegistry(skip);
    const folder = await temporaryFolder({ mode: 0o755 });
    await give(folder);
    run(`npm init -y >/dev/null && npm install --no-audit --no-fund node@${version}`, folder, skip);
    const node = join(folder, "node_modules", "node", "bin", "node");
    const data = join(folder, "data");
    await mkdir(data, { mode: 0o700 });
    await give(data);
    await playIn(root, node, data, ["server/start.js"]);
  },
);
