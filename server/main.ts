import process from "node:process";
import { run } from "./start/run.ts";

/** `npm start`. */
await run(process.argv.slice(2));
