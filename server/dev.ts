import process from "node:process";
import { fileURLToPath } from "node:url";
import { ROOT } from "./root.ts";
import { run } from "./start/run.ts";
import { startDevelopmentWeb } from "./web/development-web.ts";

/** `npm run dev`: the same server, with the web straight from its sources. */
await run(process.argv.slice(2), {
  web: (server) => startDevelopmentWeb(fileURLToPath(ROOT), server),
});
