import { standalone } from "../_shared/http/standalone.ts";
import { handler } from "./handler.ts";

export default { fetch: standalone(handler) };
