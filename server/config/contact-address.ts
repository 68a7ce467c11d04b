import type { Config } from "./config.ts";

/** Recipient of the contact form while no operator is configured: read only in the local mailbox. */
const LOCAL_ADDRESS = "exploitant@tournavis.localhost";

/** Recipient of the contact form; null where no mailbox would receive it. */
export function contactAddressOf({
  operator: known,
  mail,
  isProduction,
}: Pick<Config, "operator" | "mail" | "isProduction">): string | null {
  if (known.contact_email !== null) return known.contact_email;
  return mail === null && !isProduction ? LOCAL_ADDRESS : null;
}
