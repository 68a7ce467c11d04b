import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `review_record`. Its SQL: `record_feedback` and `record_review`. */
export default { fetch: standalone(handler) };
