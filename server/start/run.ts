import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { isDatabaseUnable } from "../../supabase/functions/_shared/http/database-away.ts";
import { errorCode } from "../../supabase/functions/_shared/http/error-code.ts";
import { ReaderLeft } from "../../supabase/functions/_shared/http/send-to.ts";
import { runBackup, runRestore } from "../backup/commands.ts";
import { endBuild } from "../build/ensure-built.ts";
import { type CommandOptions, readCommand } from "../config/config.ts";
import { withCredentials } from "../config/credentials.ts";
import { misspeltSettings } from "../config/misspelt.ts";
import { createLog, type Log } from "../log.ts";
import { runOperator } from "../operator/commands.ts";
import { endChildren } from "../postgres/postmaster.ts";
import { type RunningServer, type ServerOptions, startServer } from "../server.ts";
import { isAnswering } from "../supabase-lite/refusals.ts";
import { runKeys } from "../tokens/commands.ts";
import { fillText } from "./fill-text.ts";
import { runCopy } from "./run.copy.ts";
import { serviceWarnings } from "./service-warnings.ts";
import { StartupError } from "./startup-error.ts";
import { welcome } from "./welcome.ts";

const EXIT_FAILED = 1;

/** Grace period of a start, or of a command, that is broken off: it cleans up meanwhile. */
const BROKEN_OFF_MS = 2_000;

/** How often a process that npm started looks whether npm is still there. */
const PARENT_MS = 500;

/** Longest shutdown of a broken server: its supervisor should restart it at once. */
const BROKEN_MS = 1_000;

/**
 * Ctrl-C under `npm start` comes twice at once: from the terminal, and from npm, which
 * passes it on. Only a later signal is a second request to stop.
 */
const SAME_SIGNAL_MS = 500;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Commands of this program beside serving, by its first argument. */
const COMMANDS = new Map([
  ["backup", runBackup],
  ["restore", runRestore],
  ["keys", runKeys],
  ["operator", runOperator],
]);

/**
 * The life of the server as a program: starts it, says where it is, stops it when asked,
 * and turns a refusal into one line and an exit code.
 */
export async function run(
  argv: readonly string[],
  options: Pick<ServerOptions, "web"> = {},
): Promise<void> {
  outliveReaders();
  try {
    const [name = "", ...rest] = argv;
    const work = COMMANDS.get(name);
    const env = withCredentials(process.env);
    for (const found of misspeltSettings(env)) {
      process.stderr.write(`${fillText(runCopy.misspelt, found)}\n`);
    }
    if (work) return await runCommand(work, { env, argv: rest, cwd: process.cwd() });
    const command = readCommand({ env, argv, cwd: process.cwd() });
    if (command.kind === "help") return say(runCopy.help);
    const { config } = command;
    const log = createLog(config.isProduction ? "json" : "compact");
    guardConsole(log);

    const stopAsked = Promise.race([onFirstSignal(), onLostParent()]);
    const starting = startServer(config, {
      ...options,
      log,
      onBuild: () => say(runCopy.building),
    });
    const server = await Promise.race([starting, stopAsked.then(() => null)]);
    if (server === null) {
      // Whatever it waits for, perhaps for ever. Its database ends with it.
      const ended = starting.then(
        (late) => late.stop(),
        () => undefined,
      );
      await Promise.race([ended, delay(BROKEN_OFF_MS)]);
      await Promise.all([endChildren(), endBuild()]);
      process.exit(0);
    }
    if (config.isProduction) {
      log({ event: "started", url: server.publicUrl, port: server.port });
      for (const line of serviceWarnings(config)) log(line);
    } else say(welcome(config, server, { colours: process.stdout.isTTY === true }));

    exitWhenBroken(server, log);
    await stopAsked;
    if (!config.isProduction) say(runCopy.stopping);
    await server.stop();
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(EXIT_FAILED);
  }
}

/** Runs a command to its end, or until it is broken off: no database that it started outlives it. */
async function runCommand(
  work: (options: CommandOptions) => Promise<void>,
  options: CommandOptions,
): Promise<void> {
  const interruption = new AbortController();
  const brokenOff = onFirstSignal().then(async () => {
    interruption.abort();
    await delay(BROKEN_OFF_MS);
    await endChildren();
    throw new StartupError("interrupted");
  });
  const { signal } = interruption;
  const working = work({ ...options, signal }).catch((error: unknown) => {
    throw signal.aborted ? new StartupError("interrupted", {}, { cause: error }) : error;
  });
  await Promise.race([working, brokenOff]);
}

/** Settles at the first signal to stop, also one that comes while starting; the second ends it at once. */
function onFirstSignal(): Promise<void> {
  return new Promise((resolve) => {
    let askedAt = 0;
    const ask = () => {
      const now = performance.now();
      if (askedAt > 0 && now - askedAt > SAME_SIGNAL_MS) process.exit(EXIT_FAILED);
      askedAt ||= now;
      resolve();
    };
    for (const signal of SIGNALS) process.on(signal, ask);
  });
}

/**
 * Settles when npm, which started this process, is gone: it hands a signal on to the shell in between alone. Never for a process
 * that was started in another way.
 */
function onLostParent(): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    if (process.env.npm_lifecycle_event === undefined) return;
    const look = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(look);
      resolve();
    }, PARENT_MS);
    look.unref();
  });
}

/**
 * A server whose database has gone, or which met an error that nothing foresaw, stops
 * with a failure: its supervisor restarts everything.
 */
function exitWhenBroken(server: RunningServer, log: Log): void {
  const exit = () => {
    setTimeout(() => process.exit(EXIT_FAILED), BROKEN_MS);
    server.stop().finally(() => process.exit(EXIT_FAILED));
  };
  server.failed.then(exit);
  process.on("uncaughtException", (error) => {
    log({ event: "crashed", level: "error", code: errorCode(error) });
    process.stderr.write(`${error.stack}\n`);
    exit();
  });
}

/** A log whose reader has ended, of a pipe or the system's journal, ends no server: its lines go nowhere. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error) => {
      if (errorCode(error) !== "EPIPE") throw error;
    });
  }
}

/** One sentence for what a person can mend; everything for what only a developer can. */
function explain(error: unknown): string {
  if (error instanceof StartupError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/**
 * Libraries write whole errors to the console, with the values that they were about: a
 * customer's address in « already exists », say. Our log gets their codes instead.
 * (Our own code never writes to the console.)
 */
function guardConsole(log: Log): void {
  const complain = (...parts: unknown[]) => {
    if (isAnswering()) return;
    const error = parts.find((part) => part instanceof Error);
    if (error instanceof ReaderLeft) return;
    // The watch over the database logs that, once.
    if (isDatabaseUnable(error)) return;
    log({ event: "library_message", level: "error", code: error ? errorCode(error) : "text" });
  };
  const ignore = () => undefined;
  Object.assign(console, {
    error: complain,
    warn: complain,
    info: ignore,
    log: ignore,
    debug: ignore,
    trace: ignore,
  });
}
