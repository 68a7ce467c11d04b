import process from "node:process";
import { fileURLToPath } from "node:url";
import { run } from "./run.ts";
import { startDevelopmentWeb } from "./web/development-web.ts";

/** `npm run dev`: the same server, with the web straight from its sources. */
const ROOT = fileURLToPath(new URL("..", import.meta.url));

await run(process.argv.slice(2), { web: (server) => startDevelopmentWeb(ROOT, server) });
