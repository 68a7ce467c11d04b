import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `invitation`, a name that the specification fixes. Its SQL: `invitation_page`. */
export default { fetch: standalone(handler) };
