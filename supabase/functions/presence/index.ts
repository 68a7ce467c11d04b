import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `presence`. Its SQL: `prove_presence`. */
export default { fetch: standalone(handler) };
