import { Buffer } from "node:buffer";
import { isIP } from "node:net";
import { createTransport } from "nodemailer";
import { isEmailAddress } from "../domain/rules/email-address.ts";
import type { Delivery } from "./delivery.ts";
import { type MailSender, renderMail } from "./render.ts";

/** Longest waits for a mail server. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;

/** Longest talk with a mail server, below the two minutes of a claim: after these another worker would send the mail as well. */
const TALK_MS = 90_000;

/** A recipient that a mail server could read as another address, or as a command. */
class RecipientError extends Error {
  override readonly name = "RecipientError";
  readonly code = "invalid_recipient";
  readonly isPermanent = true;
}

/** Mail server, and who writes. */
type SmtpMail = {
  smtpUrl: string;
  from: string;
  /**
   * Finds one address of the server's name, before each connection. Without it the connection tries all of them, which ends in
   * a TLS handshake without an answer on the hosted platform's Deno.
   */
  findAddress?: (host: string) => Promise<string>;
};

/** Sends mails through a mail server; an invalid recipient is dropped here, whatever its source. */
export function createSmtpDelivery(mail: SmtpMail, sender: MailSender, talkMs = TALK_MS): Delivery {
  const address = mail.from.replace(/^.*<(.*)>$/, "$1");
  const domain = mail.from.replace(/^.*@/, "").replace(/>$/, "");
  const server = new URL(mail.smtpUrl);
  const openTransport = (url: string, servername?: string) =>
    createTransport({
      url,
      ...(servername && { tls: { servername } }),
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // Nothing that a mail mentions is fetched for it.
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  const usual = openTransport(mail.smtpUrl);
  const findTransport = async () => {
    // A number has no other address.
    if (!mail.findAddress || isIP(server.hostname)) return usual;
    const found = new URL(server);
    found.hostname = await mail.findAddress(server.hostname);
    return openTransport(found.href, server.hostname);
  };
  return async (message) => {
    if (!isEmailAddress(message.recipient)) throw new RecipientError();
    const mailing = await renderMail(message, sender);
    const { language, subject, text, html, unsubscribeUrl, pictures, files, letter } = mailing;
    const senderName = letter?.from ?? mailing.senderName;
    const transport = await findTransport();
    await transport.sendMail({
      // A server that says a little again and again is never silent.
      signal: AbortSignal.timeout(talkMs),
      from: senderName === null ? mail.from : { name: senderName, address },
      ...(letter && isEmailAddress(letter.replyTo) && { replyTo: letter.replyTo }),
      to: { name: "", address: message.recipient },
      subject,
      text,
      html,
      attachments: [
        ...pictures.map(({ name, type, bytes }) => ({
          cid: name,
          filename: `${name}.${type.slice("image/".length)}`,
          content: Buffer.from(bytes),
          contentType: type,
          contentDisposition: "inline" as const,
        })),
        ...files.map(({ name, type, bytes }) => ({
          filename: name,
          content: Buffer.from(bytes),
          contentType: type,
        })),
      ],
      // The same at every attempt: a mail that arrives twice is recognised.
      messageId: `<${message.id}@${domain}>`,
      date: message.created_at,
      headers: {
        // A personal letter may trigger an automatic reply.
        ...(!letter && {
          "Auto-Submitted": "auto-generated",
          "X-Auto-Response-Suppress": "All",
        }),
        "Content-Language": language,
        // One click in the mail program's own bar, without opening anything.
        ...(unsubscribeUrl && {
          "List-Unsubscribe": `<${unsubscribeUrl}>`,
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      },
    });
    return "sent";
  };
}
