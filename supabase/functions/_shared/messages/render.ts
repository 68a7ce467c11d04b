import { generate } from "lean-qr";
import { toPngBuffer } from "lean-qr/extras/node_export";
import * as z from "zod/mini";
import type { Operator } from "../domain/schemas/operator.ts";
import { escapeHtml } from "../domain/text/html.ts";
import { htmlOf, QR_PART, textOf } from "./layout.ts";
import type { MailTemplate } from "./mail-template.ts";
import { mailsCopy } from "./mails.copy.ts";

/** A mail as people get it. */
export type RenderedMail = {
  subject: string;
  text: string;
  html: string;
  /** Address that ends such mails when it is called (RFC 8058); null for those that nobody can refuse. */
  unsubscribeUrl: string | null;
  /** Whose letter it is, and where an answer goes; null where the platform itself writes. */
  letter: { from: string; replyTo: string } | null;
  /** Pictures that the HTML shows by their names (`cid:…`), as PNG. */
  pictures: readonly { name: string; png: Uint8Array }[];
};

/** Permanent failure: the template cannot be rendered, and another attempt would fail alike. */
export class UnrenderableError extends Error {
  override readonly name = "UnrenderableError";
  readonly code: "unknown_template" | "invalid_data" | "missing_value";

  constructor(code: UnrenderableError["code"]) {
    super(code);
    this.code = code;
  }
}

/** Whom mails come from: the service's address, and who runs it. */
export type MailSender = {
  siteUrl: string;
  /** Origin of the server functions, where the site stands elsewhere. */
  projectUrl?: string;
  operator: Pick<Operator, "company" | "address" | "contact_email">;
};

const mailData = z.object({
  url: z.optional(z.url({ protocol: /^https?$/ })),
  /** The same as a path of this site, for mails that SQL writes. */
  path: z.optional(z.string().check(z.regex(/^\/(?!\/)[\w\-./?=&%#]*$/))),
  code: z.optional(z.string()),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  newEmail: z.optional(z.string()),
  organization: z.nullish(z.string()),
  inviter: z.nullish(z.string()),
  /** What only this mail mentions. */
  facts: z._default(z.record(z.string().check(z.regex(/^[a-z_]{1,30}$/)), z.string()), {}),
});

type Values = Readonly<Record<string, string | undefined>>;

/** Writes a mail in French, as HTML and as plain text, from the templates of the Supabase project. */
export async function renderMail(
  mail: { template: string; recipient: string; data: unknown },
  { siteUrl, projectUrl = siteUrl, operator }: MailSender,
): Promise<RenderedMail> {
  const { template } = mail;
  if (!isMailTemplate(template)) throw new UnrenderableError("unknown_template");
  const parsed = mailData.safeParse(mail.data);
  if (!parsed.success) throw new UnrenderableError("invalid_data");
  const { url, path, code, name, email, newEmail, organization, inviter, facts } = parsed.data;
  const values: Values = {
    ConfirmationURL: path ? new URL(path, siteUrl).href : url,
    Token: code,
    SiteURL: siteUrl,
    Operator: operator.company
      ? [operator.company, operator.address].filter(Boolean).join(", ")
      : undefined,
    Contact: operator.contact_email ?? undefined,
    Email: email ?? mail.recipient,
    NewEmail: newEmail,
    "Data.full_name": presentableName(name),
    "Data.organization": presentableTitle(organization),
    "Data.inviter": presentableName(inviter),
    ...Object.fromEntries(
      Object.entries(facts).map(([key, value]) => [
        `Data.${key}`,
        WORDED.has(key) ? unlinked(value) : key === "words" ? withoutLinks(value) : value,
      ]),
    ),
  };
  const { html, text } = templateOf(template);
  const { letter } = mailsCopy[template];
  return {
    subject: fill(mailsCopy[template].subject, values, plain),
    text: fill(text, values, (value, name) => (LETTERS.has(name) ? lines(value) : plain(value))),
    html: fill(html, values, (value, name) =>
      LETTERS.has(name)
        ? escapeHtml(lines(value)).replaceAll("\n", "<br>")
        : escapeHtml(plain(value)),
    ),
    letter: letter
      ? { from: fill(letter.from, values, plain), replyTo: fill(letter.replyTo, values, plain) }
      : null,
    unsubscribeUrl: unsubscribeUrl(template, facts.token, projectUrl),
    pictures:
      mailsCopy[template].code?.qr && code !== undefined
        ? [{ name: QR_PART, png: qrPicture(code) }]
        : [],
  };
}

/** A code as a picture, four modules of quiet around it. */
function qrPicture(code: string): Uint8Array {
  return toPngBuffer(generate(code), { on: [0, 0, 0, 255], off: [255, 255, 255, 255], scale: 8 });
}

/** Where a mail program, or the sender's own page, says that no more of these are wanted. */
function unsubscribeUrl(
  template: MailTemplate,
  token: string | undefined,
  projectUrl: string,
): string | null {
  const { unsubscribe } = mailsCopy[template];
  if (!unsubscribe || token === undefined) return null;
  const url = new URL("/functions/v1/unsubscribe", projectUrl);
  url.search = new URLSearchParams({ token, kind: unsubscribe.kind }).toString();
  return url.href;
}

function isMailTemplate(name: string): name is MailTemplate {
  return Object.hasOwn(mailsCopy, name);
}

/**
 * Whoever signs up with somebody else's address chooses the name that this person reads in our
 * mail: what looks like a message or an address instead of a name is left out.
 */
function presentableName(name: string | null | undefined): string | undefined {
  const trimmed = name?.trim() ?? "";
  return /^[\p{L}\p{M}' ’.-]{1,60}$/u.test(trimmed) && !/\p{L}\.\p{L}{2}/u.test(trimmed)
    ? trimmed
    : undefined;
}

/** The same for the name of an organisation, which may hold digits and signs, but no address. */
function presentableTitle(title: string | null | undefined): string | undefined {
  const trimmed = title?.trim() ?? "";
  return trimmed.length <= 80 && /\p{L}/u.test(trimmed) && !/[:/@\\<>]|\.\S/u.test(trimmed)
    ? trimmed
    : undefined;
}

/** Facts that a merchant has worded, and that may be read by people who know neither the merchant nor us. */
const WORDED: ReadonlySet<string> = new Set(["store", "organization", "prize"]);

/** In characters. */
const LONGEST_WORDING = 80;

/** Words of anybody, as long as they are, without what a mail program would make a link of. */
function withoutLinks(words: string): string {
  return words.replace(/:?\/{2,}|[@\\<>]|[.。．｡](?=[\p{L}\p{N}-]*\p{L}{2})/gu, " ");
}

/** A merchant's words without what a mail program would make a link of; « 1/2 pizza », « 5.50 € » and « S.A. » stay. */
function unlinked(words: string): string {
  const bare = withoutLinks(words).replace(/\s+/gu, " ").trim();
  // Of whole characters: half an emoji would be sent as a sign that says « broken ».
  return [...bare].slice(0, LONGEST_WORDING).join("");
}

const written = new Map<MailTemplate, { html: string; text: string }>();

/** The texts of a mail with their placeholders, as the files of `supabase/templates` hold them. */
function templateOf(template: MailTemplate): { html: string; text: string } {
  const known = written.get(template);
  if (known) return known;
  const copy = mailsCopy[template];
  const texts = { html: htmlOf(copy), text: textOf(copy) };
  written.set(template, texts);
  return texts;
}

const CONDITION = /\{\{ if \.([\w.]+) \}\}([\s\S]*?)\{\{ end \}\}/g;
const PLACEHOLDER = /\{\{ \.([\w.]+) \}\}/g;

/** Fills the hosted platform's placeholders; a value is never read as a template itself. */
function fill(
  template: string,
  values: Values,
  encode: (value: string, name: string) => string,
): string {
  return template
    .replace(CONDITION, (_, name: string, inner: string) => (values[name] ? inner : ""))
    .replace(PLACEHOLDER, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new UnrenderableError("missing_value");
      return encode(value, name);
    });
}

/** Values that somebody wrote in paragraphs. */
const LETTERS: ReadonlySet<string> = new Set(["Data.body", "Data.words"]);

/** Paragraphs as they were written, with no other sign that is none. */
function lines(value: string): string {
  return value.replace(/\r\n?|[\u2028\u2029]/gu, "\n").replace(/(?!\n)\p{Cc}/gu, " ");
}

/** One line: what somebody typed cannot start another header or paragraph. */
function plain(value: string): string {
  return value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
