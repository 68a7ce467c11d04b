import process from "node:process";
import { readCommand } from "./config.ts";
import { guardConsole } from "./console-guard.ts";
import { errorCode } from "./error-code.ts";
import { createLog } from "./log.ts";
import { mainCopy } from "./main.copy.ts";
import { startServer } from "./server.ts";
import { StartupError } from "./startup-error.ts";
import { welcome } from "./welcome.ts";

/** `npm start`: starts the server, says where it is, and stops it when asked. */
const EXIT_FAILED = 1;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

async function main(): Promise<void> {
  const command = readCommand({
    env: process.env,
    argv: process.argv.slice(2),
    cwd: process.cwd(),
  });
  if (command.kind === "help") {
    say(mainCopy.help);
    return;
  }
  const { config } = command;
  const log = createLog(config.isProduction ? "json" : "compact");
  guardConsole(log);

  // A signal during the start ends it as soon as what was begun can be undone.
  let wantsStop = false;
  let stop: (() => Promise<void>) | null = null;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (wantsStop) process.exit(EXIT_FAILED);
      wantsStop = true;
      if (stop) void stop();
    });
  }

  const server = await startServer(config, { log, onBuild: () => say(mainCopy.building) });
  stop = async () => {
    if (!config.isProduction) say(mainCopy.stopping);
    await server.stop();
    process.exit(0);
  };
  if (wantsStop) return stop();

  process.on("uncaughtException", (error) => {
    log({ event: "crashed", level: "error", code: errorCode(error) });
    process.stderr.write(`${error.stack}\n`);
    server.stop().finally(() => process.exit(EXIT_FAILED));
  });
  server.failed.then(async () => {
    // Whoever watches over us starts everything anew, which also repairs a database that was killed.
    await server.stop();
    process.exit(EXIT_FAILED);
  });

  if (config.isProduction) log({ event: "started", url: server.publicUrl, port: server.port });
  else say(welcome(config, server, { colours: process.stdout.isTTY === true }));
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

main().catch((error: unknown) => {
  // One sentence for what a person can mend; everything for what only a developer can.
  const isRefusal = error instanceof StartupError;
  process.stderr.write(
    `${isRefusal ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exit(EXIT_FAILED);
});
