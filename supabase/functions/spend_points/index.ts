import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `spend_points`. Its SQL: `spend_points`. */
export default { fetch: standalone(handler) };
