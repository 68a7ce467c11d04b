import type { ISql } from "postgres";

/** Mails that exist (`email_change` goes to the old and to the new address); each has its texts in `supabase/templates`. */
export type MailTemplate = keyof typeof VALID_SECONDS;

/** What the texts of a mail may mention. */
type MailData = {
  /** Address that the button leads to. */
  url?: string;
  /** One-time code, six digits. */
  code?: string;
  /** Full name of the person. */
  name?: string;
  /** E-mail of the account. */
  email?: string;
  /** E-mail that it is to become. */
  newEmail?: string;
};

/** A mail, before it is written. */
export type Mail = { template: MailTemplate; to: string; data: MailData };

/** A text message, before it is written. */
export type Sms = { to: string; body: string };

const HOUR = 3_600;

/** How long a mail is worth sending: a link that has expired helps nobody. */
const VALID_SECONDS = {
  confirmation: HOUR,
  recovery: HOUR,
  magic_link: HOUR,
  email_change: HOUR,
  invitation: 6 * HOUR,
  reauthentication: HOUR,
  password_changed: 24 * HOUR,
  email_changed: 24 * HOUR,
  phone_changed: 24 * HOUR,
  factor_added: 24 * HOUR,
  factor_removed: 24 * HOUR,
  prize: 24 * HOUR,
  low_rating: 24 * HOUR,
  daily_summary: 24 * HOUR,
  weekly_summary: 24 * HOUR,
  organization_end: 48 * HOUR,
  organization_kept: 48 * HOUR,
  trial_ending: 48 * HOUR,
  trial_ended: 48 * HOUR,
  payment_failed: 48 * HOUR,
  plan_suspended: 48 * HOUR,
  plan_ended: 48 * HOUR,
} as const;

/** The same for a code on a phone. */
const SMS_SECONDS = 600;

/**
 * Writes a mail down for sending. Call it in the transaction that the mail speaks of: it is
 * sent when that commits, and never when it does not. Answers its identifier.
 */
export async function enqueueMail(sql: ISql, { template, to, data }: Mail): Promise<string> {
  const rows = await sql<{ id: string }[]>`
    select private.enqueue_mail(
      ${template}, ${to}, ${sql.json(data)},
      now() + make_interval(secs => ${VALID_SECONDS[template]})) as id`;
  return idOf(rows);
}

/** Writes a text message down for sending, as `enqueueMail` does a mail. */
export async function enqueueSms(sql: ISql, { to, body }: Sms): Promise<string> {
  const rows = await sql<{ id: string }[]>`
    select private.enqueue_sms(
      'text', ${to}, ${sql.json({ body })}, now() + make_interval(secs => ${SMS_SECONDS})) as id`;
  return idOf(rows);
}

function idOf(rows: readonly { id: string }[]): string {
  const [row] = rows;
  if (row === undefined) throw new Error("The message was not written.");
  return row.id;
}
