import process from "node:process";
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { PASSPHRASE_MIN_LENGTH } from "../config/backup.ts";
import { StartupError, type StartupErrorCode } from "../start/startup-error.ts";
import { backupCopy } from "./backup.copy.ts";
import type { OnProgress } from "./write-backup.ts";

const BAR = 30;

/** Passphrase for a new backup: prompted for twice without echo where it is not configured. */
export async function askNewPassphrase(): Promise<string> {
  const ask = asker("backup_passphrase_missing");
  const first = await ask(backupCopy.passphraseNew);
  if (first.length < PASSPHRASE_MIN_LENGTH) throw new StartupError("backup_passphrase_short");
  if ((await ask(backupCopy.passphraseAgain)) !== first) {
    throw new StartupError("backup_passphrase_differs");
  }
  return first;
}

/** Passphrase of a backup that there is. */
export function askPassphrase(): Promise<string> {
  return asker("restore_passphrase_missing")(backupCopy.passphraseAsked);
}

/** Asks on the terminal; without one, or where the question is broken off, refuses by this code. */
function asker(missing: StartupErrorCode): (question: string) => Promise<string> {
  return (question) => ask(question, missing);
}

async function ask(question: string, missing: StartupErrorCode): Promise<string> {
  if (process.stdin.isTTY !== true) throw new StartupError(missing);
  process.stderr.write(question);
  // Typed characters are echoed to nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  const interrupted = new AbortController();
  reader.once("SIGINT", () => interrupted.abort());
  try {
    return (await reader.question("", { signal: interrupted.signal })).trim();
  } catch {
    throw new StartupError(missing);
  } finally {
    reader.close();
    process.stderr.write("\n");
  }
}

/** Shows how far a long piece of work is: a bar on a terminal, a line at every tenth elsewhere. */
export function progressOf(
  title: string,
  output: NodeJS.WriteStream = process.stderr,
): { onProgress: OnProgress; end(): void } {
  let shown = -1;
  const isTerminal = output.isTTY === true;
  return {
    onProgress(part) {
      const percent = Math.floor(part * 100);
      const step = isTerminal ? percent : Math.floor(percent / 10) * 10;
      if (step <= shown) return;
      shown = step;
      if (!isTerminal) {
        output.write(`${title} : ${step} %\n`);
        return;
      }
      const full = Math.round(part * BAR);
      const bar = `${"█".repeat(full)}${"░".repeat(BAR - full)}`;
      output.write(`\r${title} ${bar} ${String(percent).padStart(3)} %`);
    },
    end() {
      if (isTerminal && shown >= 0) output.write("\n");
      shown = -1;
    },
  };
}
