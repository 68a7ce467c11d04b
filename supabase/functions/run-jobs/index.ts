import process from "node:process";
import { standalone } from "../_shared/http/standalone.ts";
import { readPayments } from "../_shared/http/standalone-payments.ts";
import { createHandler } from "./handler.ts";
import { openWork } from "./open-work.ts";

/** The platform says so at nine tenths of what an instance may take of time, processor or memory. */
let isEnding = false;
addEventListener("beforeunload", () => {
  isEnding = true;
});

/**
 * Endpoint `run-jobs`. Its SQL: `apply_subscription`, `claim_messages`, `is_former_customer`, `lock_billing_customer`,
 * `message_captured`, `message_failed`, `message_sent`, `note_push`, `push_target` and `release_message`.
 */
const handler = createHandler((deps) => ({
  ...openWork(process.env, deps),
  isEnding: () => isEnding,
}));

export default { fetch: standalone(handler, { readPayments }) };
