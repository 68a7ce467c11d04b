import type { Config } from "./config.ts";

/** Where the contact form writes while nobody has said who runs the service: read in the mailbox of the local mode alone. */
const LOCAL_ADDRESS = "exploitant@tournavis.localhost";

/** Whose mailbox gets what visitors write; null where nobody would read it. */
export function contactAddressOf({
  operator: known,
  mail,
  isProduction,
}: Pick<Config, "operator" | "mail" | "isProduction">): string | null {
  if (known.contact_email !== null) return known.contact_email;
  return mail === null && !isProduction ? LOCAL_ADDRESS : null;
}
