import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `spin_wheel`. Its SQL: `spin_wheel` and `test_spin`. */
export default { fetch: standalone(handler) };
