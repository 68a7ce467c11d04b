// `npm start`: runs the server as the build has bundled it (`server/build/bundle.ts`). Where the sources are not those of
// the bundle, or there is none, the build comes first. Plain JavaScript, since nothing is there yet that reads more.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";

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
  const stop = () => child.kill();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) process.on(signal, stop);
  const [code, signal] = await once(child, "close");
  // Asked to stop while it built: there is nothing to end.
  if (signal !== null) process.exit(0);
  if (code !== 0) process.exit(code);
  for (const signal of signals) process.off(signal, stop);
}

process.setSourceMapsEnabled(true);
if (!isFresh()) await build();
await import(at("dist/server.js"));
