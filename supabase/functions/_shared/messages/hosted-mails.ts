import type { MailCopy } from "./mail-copy.ts";
import { mailsCopy } from "./mails.copy.ts";

/**
 * Link of a hosted project's mail for a new password: our page, which uses the token up at a press. The platform's own link is used
 * up by whatever reads it, and counts in the asking browser alone. `TokenHash` is the platform's (docs/decisions/105).
 */
const RECOVERY_LINK = "{{ .SiteURL }}/auth/reset-password#recovery={{ .TokenHash }}";

const { recovery } = mailsCopy;

/** The mails as a hosted project sends them (`supabase/templates`). */
export const hostedMails: Readonly<Record<string, MailCopy>> = {
  ...mailsCopy,
  recovery: {
    ...recovery,
    ...(recovery.button && { button: { ...recovery.button, url: RECOVERY_LINK } }),
  },
};
