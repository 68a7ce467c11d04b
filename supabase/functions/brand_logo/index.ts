import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `brand_logo`, a name that the specification fixes. Its SQL: `begin_brand_logo` and `set_brand_logo`. */
export default { fetch: standalone(handler) };
