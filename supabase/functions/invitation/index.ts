import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `invitation`. Its SQL: `invitation_page`. */
export default { fetch: standalone(handler) };
