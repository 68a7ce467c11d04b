import { spawnSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { ROOT } from "../../server/root.ts";
import { type Skip, skipAloud } from "../harness/skip-aloud.ts";
import { temporaryFolder } from "./program.ts";

const DEPLOY = fileURLToPath(new URL("deploy/", ROOT));

/** Beside what is not there: the code for a folder of the PATH that may not be read, or a file that may not be run. */
const MISSING: readonly unknown[] = ["ENOENT", "EACCES"];

/** Runs a program of somebody else's to its end. */
export function run(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", env });
  return {
    isMissing: error !== undefined && "code" in error && MISSING.includes(error.code),
    status,
    text: `${stdout}${stderr}`,
  };
}

/** Skips a test where the program that judges is not on the machine; says so. */
export function need(command: string, version: string, skip: Skip): void {
  if (!run(command, [version]).isMissing) return;
  skipAloud(skip, `${command} is not on this machine`);
}

/** A file of `deploy/` for a proxy that runs here: its page and its server are those of the test. */
async function proxyFile(name: string, server: string): Promise<string> {
  const text = await readFile(join(DEPLOY, name), "utf8");
  return text.replaceAll("/opt/tournavis/deploy", DEPLOY).replaceAll("127.0.0.1:3000", server);
}

async function certificateIn(folder: string, skip: Skip) {
  need("openssl", "version", skip);
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const subject = ["-subj", "/CN=avis.example.fr", "-keyout", key, "-out", certificate];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...subject];
  expect(run("openssl", made).status).toBe(0);
  return { key, certificate };
}

/** The file of nginx, listening on sockets in a folder, in front of a server. */
export async function nginxFiles(skip: Skip, server = "127.0.0.1:3000") {
  need("nginx", "-v", skip);
  const folder = await temporaryFolder({ mode: 0o755 });
  const { key, certificate } = await certificateIn(folder, skip);
  const socket = join(folder, "443.socket");
  const site = (await proxyFile("nginx.conf", server))
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
  const log = `access_log ${join(folder, "access.log")};`;
  const http = ["include /etc/nginx/mime.types;", log, ...folders, site].join("\n");
  await writeFile(
    configuration,
    `pid ${join(folder, "pid")};\nerror_log stderr;\nevents {}\nhttp {\n${http}\n}\n`,
  );
  return { folder, configuration, socket };
}

/** The file of Caddy, listening on a socket in a folder, in front of a server. */
export async function caddyFiles(skip: Skip, server: string) {
  need("caddy", "version", skip);
  const folder = await temporaryFolder({ mode: 0o755 });
  const { key, certificate } = await certificateIn(folder, skip);
  const socket = join(folder, "443.socket");
  const sites = (await proxyFile("Caddyfile", server))
    .replace(
      /^avis\.example\.fr \{/m,
      `https://avis.example.fr {\nbind unix/${socket}\ntls ${certificate} ${key}`,
    )
    .replace(
      /^http:\/\/avis\.example\.fr \{/m,
      `http://avis.example.fr {\nbind unix/${join(folder, "80.socket")}`,
    );
  const configuration = join(folder, "Caddyfile");
  await writeFile(configuration, `{\nadmin off\n}\n${sites}`);
  return { folder, configuration, socket };
}
