import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";
import { need, nginxFiles, run } from "./judge.ts";
import { temporaryFolder } from "./program.ts";

/** The files of `deploy/` are what the programs that read them take. */

const DEPLOY = new URL("deploy/", ROOT);

it("a program is missing where it is not, and where it may not be run", async () => {
  const folder = await temporaryFolder();
  expect(run("caddy", [], { PATH: folder }).isMissing).toBe(true);
  await writeFile(join(folder, "caddy"), "", { mode: 0o600 });
  expect(run("caddy", [], { PATH: folder }).isMissing).toBe(true);
  await chmod(join(folder, "caddy"), 0o700);
  await writeFile(join(folder, "caddy"), "#!/bin/sh\nexit 3\n");
  expect(run("caddy", [], { PATH: folder })).toEqual({ isMissing: false, status: 3, text: "" });
});

it("the unit of systemd verifies, and leaves the service little of the system", async ({
  skip,
}) => {
  need("systemd-analyze", "--version", skip);
  const folder = await temporaryFolder();
  const unit = join(folder, "tournavis.service");
  const text = await readFile(new URL("tournavis.service", DEPLOY), "utf8");
  // Where Node is differs from one machine to the next.
  await writeFile(unit, text.replace("/usr/bin/node", process.execPath));
  const verified = run("systemd-analyze", ["verify", unit]);
  expect(verified).toEqual({ isMissing: false, status: 0, text: "" });
  // In tenths: 10 is « open », and what nobody has hardened has 9.6.
  const judged = run("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit]);
  expect(judged.status, judged.text).toBe(0);
});

it("the unit gives a server that stops the time that it may take", async () => {
  const text = await readFile(new URL("tournavis.service", DEPLOY), "utf8");
  // Only our own process may be told to stop: PostgreSQL would stop before its last answers.
  expect(text).toMatch(/^KillMode=mixed$/m);
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(10 + 5 + 5 + 5);
  expect(text).toMatch(/^ExecStart=\/usr\/bin\/node server\/start\.js$/m);
});

it("the unit may write where its settings have backups go", async () => {
  const [unit, example] = await Promise.all(
    ["tournavis.service", "environment.example"].map((name) =>
      readFile(new URL(name, DEPLOY), "utf8"),
    ),
  );
  const folder = /^BACKUP_FOLDER=(\S+)$/m.exec(example ?? "")?.[1];
  // All else of the system is read alone (`ProtectSystem=strict`).
  expect(/^ReadWritePaths=-(\S+)$/m.exec(unit ?? "")?.[1]).toBe(folder);
  const [image, guide] = await Promise.all([
    readFile(new URL("Containerfile", DEPLOY), "utf8"),
    readFile(new URL("docs/deploy-server.md", ROOT), "utf8"),
  ]);
  // The image is started with the same settings, and is read alone as well.
  expect(image).toMatch(new RegExp(`install --directory --owner=tournavis .* ${folder}$`, "m"));
  expect(guide).toContain(`-v tournavis-backups:${folder}`);
  // Made once on the machine otherwise, and lost with it.
  expect(example).toMatch(/^BACKUP_PASSPHRASE=$/m);
});

it("a program is installed and updated beside the one that runs", async () => {
  const guide = await readFile(new URL("docs/deploy-server.md", ROOT), "utf8");
  // `npm ci` takes files away that the program and its database load when they need them.
  const builds = guide.split("```").filter((part) => part.includes("npm ci"));
  expect(builds).toHaveLength(3);
  for (const build of builds.filter((part) => part.startsWith("sh\n"))) {
    expect(build).toMatch(/cd \$version\nnpm ci .*\nln -sfn \$version \/opt\/tournavis\b/);
  }
});

it("Caddy takes its file", async ({ skip }) => {
  need("caddy", "version", skip);
  const file = new URL("Caddyfile", DEPLOY).pathname;
  const { status, text } = run("caddy", ["validate", "--adapter", "caddyfile", "--config", file]);
  expect(status, text).toBe(0);
});

it("nginx takes its file", async ({ skip }) => {
  const { folder, configuration } = await nginxFiles(skip);
  const { status, text } = run("nginx", ["-t", "-p", folder, "-c", configuration]);
  expect(status, text).toBe(0);
});

it("what the proxies let through fits what the server takes", async () => {
  const [caddy, nginx] = await Promise.all(
    ["Caddyfile", "nginx.conf"].map((name) => readFile(new URL(name, DEPLOY), "utf8")),
  );
  // The client's own X-Forwarded-For is replaced: `server/network/client-address.ts` believes what TRUST_PROXY names.
  expect(caddy).toContain("header_up X-Forwarded-For {remote_host}");
  expect(nginx).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
  const example = await readFile(new URL("environment.example", DEPLOY), "utf8");
  expect(example).toMatch(/^TRUST_PROXY=127\.0\.0\.1,::1$/m);
  expect(caddy).toContain("max_size 3MB");
  expect(nginx).toContain("client_max_body_size 3m;");
});

it("the image installs with what changes an installation", async () => {
  const steps = (await readFile(new URL("Containerfile", DEPLOY), "utf8")).split("\n");
  const patches = steps.indexOf("COPY patches patches");
  const installation = steps.findIndex((step) => step.startsWith("RUN npm ci"));
  expect(patches).toBeGreaterThan(-1);
  // `patch-package` finds nothing to do where they come later, and says so to nobody.
  expect(installation).toBeGreaterThan(patches);
});
