import * as z from "zod/mini";

/** Token of the link by which a customer withdraws their consent (`private.consent_token`). */
export const consentToken = z.string().check(z.regex(/^[\w-]{64}$/));

/** Body of `POST consent`. */
export const consentLinkRequest = z.strictObject({ token: consentToken });

/** Its answer, and that of the SQL function `consent_organizer`. */
export const consentLink = z.object({
  /** Organisation whose offers the customer had agreed to; null where it is gone. */
  organizer: z.nullable(z.string()),
});
export type ConsentLink = z.infer<typeof consentLink>;
