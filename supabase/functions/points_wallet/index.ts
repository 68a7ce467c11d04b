import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `points_wallet`. Its SQL: `points_wallet`. */
export default { fetch: standalone(handler) };
