import { fileURLToPath } from "node:url";
import { buildCopy } from "./build/build.copy.ts";
import { ensureBuilt } from "./build/ensure-built.ts";
import { ROOT } from "./root.ts";
import { StartupError } from "./start/startup-error.ts";

/** `npm run build`: builds the web when its sources have changed since the last time, and the server, which is quick. */
const root = fileURLToPath(ROOT);
try {
  const { seconds } = await ensureBuilt({ root, onStart: () => say(buildCopy.started) });
  say(seconds === null ? buildCopy.fresh : buildCopy.done.replace("{seconds}", seconds.toFixed(1)));
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  if (error.cause instanceof Error) process.stderr.write(`${error.cause.message}\n`);
  process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
