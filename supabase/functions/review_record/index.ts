import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `review_record`, a name that the specification fixes. Its SQL: `record_review` and `record_feedback`. */
export default { fetch: standalone(handler) };
