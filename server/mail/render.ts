import { readFile } from "node:fs/promises";
import { z } from "zod";
import { escapeHtml } from "#domain/html.ts";
import type { Operator } from "#domain/operator.ts";
import { ROOT } from "../root.ts";
import { mailsCopy } from "./mails.copy.ts";
import type { MailTemplate } from "./outbox.ts";

/** A mail as people get it. */
export type RenderedMail = {
  subject: string;
  text: string;
  html: string;
  /** Address that ends such mails when it is called (RFC 8058); null for those that nobody can refuse. */
  unsubscribeUrl: string | null;
};

/** A mail that cannot be written, whatever the weather. */
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
  operator: Pick<Operator, "company" | "address" | "contact_email">;
};

const FOLDER = new URL("supabase/templates/", ROOT);

const mailData = z.object({
  url: z.url({ protocol: /^https?$/ }).optional(),
  /** The same as a path of this site, for mails that SQL writes. */
  path: z
    .string()
    .regex(/^\/(?!\/)[\w\-./?=&%]*$/)
    .optional(),
  code: z.string().optional(),
  name: z.string().optional(),
  email: z.string().optional(),
  newEmail: z.string().optional(),
  organization: z.string().nullish(),
  inviter: z.string().nullish(),
  /** What only this mail mentions. */
  facts: z.record(z.string().regex(/^[a-z_]{1,30}$/), z.string()).default({}),
});

type Values = Readonly<Record<string, string | undefined>>;

/** Writes a mail in French, as HTML and as plain text, from the templates of the Supabase project. */
export async function renderMail(
  mail: { template: string; recipient: string; data: unknown },
  { siteUrl, operator }: MailSender,
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
        WORDED.has(key) ? unlinked(value) : value,
      ]),
    ),
  };
  const [html, text] = await Promise.all([
    readTemplate(template, "html"),
    readTemplate(template, "txt"),
  ]);
  return {
    subject: fill(mailsCopy[template].subject, values, plain),
    text: fill(text, values, plain),
    html: fill(html, values, (value) => escapeHtml(plain(value))),
    unsubscribeUrl: unsubscribeUrl(template, facts.token, siteUrl),
  };
}

/** Where a mail program, or the sender's own page, says that no more of these are wanted. */
function unsubscribeUrl(
  template: MailTemplate,
  token: string | undefined,
  siteUrl: string,
): string | null {
  const { unsubscribe } = mailsCopy[template];
  if (!unsubscribe || token === undefined) return null;
  const url = new URL("/functions/v1/unsubscribe", siteUrl);
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

/** A merchant's words without what a mail program would make a link of; « 1/2 pizza », « 5.50 € » and « S.A. » stay. */
function unlinked(words: string): string {
  const bare = words
    .replace(/:?\/{2,}|[@\\<>]|[.。．｡](?=[\p{L}\p{N}-]*\p{L}{2})/gu, " ")
    .replace(/\s+/gu, " ")
    .trim();
  // Of whole characters: half an emoji would be sent as a sign that says « broken ».
  return [...bare].slice(0, LONGEST_WORDING).join("");
}

const loaded = new Map<string, Promise<string>>();

function readTemplate(template: MailTemplate, extension: "html" | "txt"): Promise<string> {
  const file = `${template}.${extension}`;
  const known = loaded.get(file);
  if (known) return known;
  const reading = readFile(new URL(file, FOLDER), "utf8");
  // A failure is not remembered.
  reading.catch(() => loaded.delete(file));
  loaded.set(file, reading);
  return reading;
}

const CONDITION = /\{\{ if \.([\w.]+) \}\}([\s\S]*?)\{\{ end \}\}/g;
const PLACEHOLDER = /\{\{ \.([\w.]+) \}\}/g;

/** Fills the hosted platform's placeholders; a value is never read as a template itself. */
function fill(template: string, values: Values, encode: (value: string) => string): string {
  return template
    .replace(CONDITION, (_, name: string, inner: string) => (values[name] ? inner : ""))
    .replace(PLACEHOLDER, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new UnrenderableError("missing_value");
      return encode(value);
    });
}

/** One line: what somebody typed cannot start another header or paragraph. */
function plain(value: string): string {
  return value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
