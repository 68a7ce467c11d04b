import type { Wording } from "#domain/text/wording.ts";
import type { customerCopy as french } from "./customer.copy.ts";

/** English that every phone page shares. */
export const customerCopy = {
  progress: (step, total) => `Step ${step} of ${total}`,
  loading: "Loading…",
  retry: "Try again",
  sending: "Sending…",
  offline: "The connection was lost. Nothing else is: try again when it is back.",
  startAgain: "Back to the start",
  scriptNeeded: "To continue, please turn on JavaScript in your browser.",
  email: "Email address",
  phone: "Phone number",
} satisfies Wording<typeof french>;
