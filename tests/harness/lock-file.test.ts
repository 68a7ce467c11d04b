import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { ROOT } from "../../server/root.ts";

/** Rehearsal of the container's installation: nothing is written, and no registry is asked. */
const REHEARSAL = ["ci", "--dry-run", "--offline", "--ignore-scripts"];

// `npm install` keeps a package that its registry does not have out of the file without a word.
it("the lock file names every package that `npm ci` installs (else: npm install, or another version)", async () => {
  const isWindows = process.platform === "win32";
  const answer = promisify(execFile)("npm", REHEARSAL, { cwd: ROOT, shell: isWindows });
  await expect(answer).resolves.toBeDefined();
}, 30_000);
