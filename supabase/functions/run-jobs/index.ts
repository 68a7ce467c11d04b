import process from "node:process";
import { standalone } from "../_shared/http/standalone.ts";
import { createHandler } from "./handler.ts";
import { openWork } from "./open-work.ts";

export default { fetch: standalone(createHandler((deps) => openWork(process.env, deps))) };
