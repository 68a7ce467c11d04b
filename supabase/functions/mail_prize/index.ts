import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

/** Endpoint `mail_prize`. Its SQL: `mail_prize`. */
export default { fetch: standalone(handler) };
