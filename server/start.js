// `npm start`: runs the server as the build has bundled it (`server/build/bundle.ts`). Where the sources are not those of
// the bundle, or there is none, the build comes first. Plain JavaScript, since nothing is there yet that reads more.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** How often a start by npm looks whether npm is still there. */
const PARENT_MS = 500;

const root = new URL("../", import.meta.url);
const at = (path) => new URL(path, root);

/** One file after the other: nothing else is done meanwhile, and hundreds at once cost twice the processor time. */
function isFresh() {
  try {
    // As `server/build/stamp.ts` writes it.
    const { server } = JSON.parse(readFileSync(at("dist/stamp.json"), "utf8"));
    return Object.entries(server).every(
      ([file, digest]) =>
        createHash("sha256")
          .update(readFileSync(at(file)))
          .digest("hex") === digest,
    );
  } catch {
    return false;
  }
}

async function build() {
  const child = spawn(process.execPath, ["--import", "tsx", fileURLToPath(at("server/build.ts"))], {
    cwd: root,
    stdio: "inherit",
  });
  let isAsked = false;
  const stop = () => {
    isAsked = true;
    child.kill();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);
  // As in `server/start/run.ts`: npm hands a signal on to the shell in between alone.
  const parent = process.ppid;
  const look = setInterval(() => {
    if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) stop();
  }, PARENT_MS);
  const [code, signal] = await once(child, "close");
  clearInterval(look);
  // Nothing else was begun.
  if (isAsked) process.exit(0);
  if (signal !== null) process.stderr.write(`server/build.ts: ${signal}\n`);
  if (code !== 0) process.exit(code ?? 1);
  for (const signal of signals) process.off(signal, stop);
}

process.setSourceMapsEnabled(true);
if (!isFresh()) await build();
await import(at("dist/server.js"));
