import * as z from "zod/mini";

/** Parameters in the address of `unsubscribe`. */
export const unsubscribeRequest = z.object({
  // Mails until November 2026 carry a UUID.
  token: z.union([z.string().check(z.regex(/^[0-9a-f]{64}$/)), z.guid()]),
  kind: z.enum(["alert", "summary", "report"]),
});
