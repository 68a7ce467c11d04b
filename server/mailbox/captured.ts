import type { Sql } from "postgres";
import { readSms } from "../../supabase/functions/_shared/messages/read-sms.ts";
import {
  type MailFile,
  type MailSender,
  type RenderedMail,
  renderMail,
} from "../../supabase/functions/_shared/messages/render.ts";
import { mailboxCopy } from "./mailbox.copy.ts";

/** A message that was kept instead of sent, as its person would have got it. */
export type Captured = {
  id: string;
  channel: "mail" | "sms";
  template: string;
  to: string;
  /** Null for a text message. */
  subject: string | null;
  text: string;
  /** Null for a text message. */
  html: string | null;
  /** Addresses in the text, in their order. */
  links: string[];
  /** Attachments, as addresses that hold them. */
  files: { name: string; href: string }[];
  created_at: Date;
};

type Row = {
  id: string;
  channel: "mail" | "sms";
  template: string;
  recipient: string;
  data: unknown;
  created_at: Date;
};

/** How many messages the list goes back. */
const LISTED = 100;

/** The newest captured messages, of one recipient when named. */
export async function listCaptured(
  sql: Sql,
  sender: MailSender,
  to: string | null,
): Promise<Captured[]> {
  const rows = await sql<Row[]>`select * from private.captured_messages(${LISTED}, ${to})`;
  return Promise.all(rows.map((row) => asCaptured(row, sender)));
}

/** One captured message; null when there is none of this identifier. */
export async function readCaptured(
  sql: Sql,
  sender: MailSender,
  id: string,
): Promise<Captured | null> {
  const [row] = await sql<Row[]>`select * from private.captured_message(${id})`;
  return row ? asCaptured(row, sender) : null;
}

async function asCaptured(row: Row, sender: MailSender): Promise<Captured> {
  const { id, channel, template, recipient, created_at } = row;
  const { subject, text, html, files } = await contentOf(row, sender);
  const links = [...new Set(text.match(/https?:\/\/\S+/g))];
  return {
    id,
    channel,
    template,
    to: recipient,
    subject,
    text,
    html,
    links,
    files: files.map(filed),
    created_at,
  };
}

/** A file of a mail, as a link that holds it. */
function filed({ name, type, bytes }: MailFile): Captured["files"][number] {
  return { name, href: `data:${type};base64,${Buffer.from(bytes).toString("base64")}` };
}

/** A mail's HTML with its pictures in it: what a mail program finds among its parts, a browser finds nowhere. */
function withPictures({ html, pictures }: RenderedMail): string {
  return pictures.reduce(
    (page, { name, type, bytes }) =>
      page.replaceAll(
        `cid:${name}`,
        `data:${type};base64,${Buffer.from(bytes).toString("base64")}`,
      ),
    html,
  );
}

async function contentOf(
  row: Row,
  sender: MailSender,
): Promise<RenderedMail | { subject: null; text: string; html: null; files: [] }> {
  try {
    if (row.channel === "mail") {
      const mail = await renderMail(row, sender);
      return { ...mail, html: withPictures(mail) };
    }
    return { subject: null, text: readSms(row), html: null, files: [] };
  } catch {
    // A message of another release must not hide the others.
    return { subject: null, text: mailboxCopy.unreadable, html: null, files: [] };
  }
}
