import type { ISql } from "postgres";
import {
  type MailTemplate,
  VALID_SECONDS,
} from "../../supabase/functions/_shared/messages/mail-template.ts";

/** Values that the texts of a mail may mention. */
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

/** How long a code on a phone is worth sending, in seconds. */
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
