// `npm start`: runs the server as the build has bundled it (`server/build/bundle.ts`). Where the sources are not those of
// the bundle, or there is none, the build comes first. Plain JavaScript, since nothing is there yet that reads more.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const at = (path) => new URL(path, root);

async function isFresh() {
  try {
    // As `server/build/stamp.ts` writes it.
    const { server } = JSON.parse(await readFile(at("dist/stamp.json"), "utf8"));
    const unchanged = Object.entries(server).map(async ([file, digest]) => {
      const content = await readFile(at(file));
      return createHash("sha256").update(content).digest("hex") === digest;
    });
    return (await Promise.all(unchanged)).every(Boolean);
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
if (!(await isFresh())) await build();
await import(at("dist/server.js"));
