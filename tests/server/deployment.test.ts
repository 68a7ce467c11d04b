import { spawnSync } from "node:child_process";
import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";
import { temporaryFolder } from "./program.ts";

/** The files of `deploy/` are what the programs that read them take. */

const DEPLOY = new URL("deploy/", ROOT);

/** Beside what is not there: the code for a folder of the PATH that may not be read, or a file that may not be run. */
const MISSING: readonly unknown[] = ["ENOENT", "EACCES"];

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", env });
  return {
    isMissing: error !== undefined && "code" in error && MISSING.includes(error.code),
    status,
    text: `${stdout}${stderr}`,
  };
}

/** Skips a test where the program that judges is not on the machine; says so. */
function need(command: string, version: string, skip: (reason: string) => void): void {
  if (!run(command, [version]).isMissing) return;
  const reason = `${command} is not on this machine`;
  process.stdout.write(`Skipped: ${reason}.\n`);
  skip(reason);
}

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

it("Caddy takes its file", async ({ skip }) => {
  need("caddy", "version", skip);
  const file = new URL("Caddyfile", DEPLOY).pathname;
  const { status, text } = run("caddy", ["validate", "--adapter", "caddyfile", "--config", file]);
  expect(status, text).toBe(0);
});

it("nginx takes its file", async ({ skip }) => {
  need("nginx", "-v", skip);
  need("openssl", "version", skip);
  const folder = await temporaryFolder();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=avis.example.fr", "-keyout", key, "-out", certificate];
  expect(
    run("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject])
      .status,
  ).toBe(0);
  const site = (await readFile(new URL("nginx.conf", DEPLOY), "utf8"))
    .replace(/\/etc\/letsencrypt\S+fullchain\.pem/, certificate)
    .replace(/\/etc\/letsencrypt\S+privkey\.pem/, key)
    // A port below 1024 is not everybody's, and another server may have it.
    .replace(/^\s*listen \[::\].*\n/gm, "")
    .replace(/listen (\d+)/g, `listen unix:${join(folder, "$1.socket")}`);
  const configuration = join(folder, "nginx.conf");
  // Folders that nginx makes for itself, where only its own user may.
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  const http = ["access_log off;", ...folders, site].join("\n");
  await writeFile(
    configuration,
    `pid ${join(folder, "pid")};\nerror_log stderr;\nevents {}\nhttp {\n${http}\n}\n`,
  );
  await chmod(folder, 0o755);
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
