import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `contact`. Its SQL: `contact_operator`. */
export default { fetch: standalone(handler) };
