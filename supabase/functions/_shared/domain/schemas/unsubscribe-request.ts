import * as z from "zod/mini";
import { consentToken } from "./consent-link.ts";

const notice = z.object({
  // Mails until November 2026 carry a UUID.
  token: z.union([z.string().check(z.regex(/^[0-9a-f]{64}$/)), z.guid()]),
  kind: z.enum(["alert", "summary", "report"]),
});
/** A link that ends one kind of a member's mails. */
export type NoticeLink = z.infer<typeof notice>;

/** Parameters in the address of `unsubscribe`: a member's mails, or the offers that a customer agreed to. */
export const unsubscribeRequest = z.union([
  notice,
  z.object({ token: consentToken, kind: z.literal("offers") }),
]);
export type UnsubscribeRequest = z.infer<typeof unsubscribeRequest>;
