import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `prize_status`. Its SQL: `prize_status`. */
export default { fetch: standalone(handler) };
