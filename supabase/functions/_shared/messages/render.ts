import { generate } from "lean-qr";
import { toPngBuffer } from "lean-qr/extras/node_export";
import * as z from "zod/mini";
import { type Brand, brand as brandSchema } from "../domain/schemas/brand.ts";
import { consentToken } from "../domain/schemas/consent-link.ts";
import { type MonthlyReport, monthlyReport } from "../domain/schemas/monthly-report.ts";
import type { Operator } from "../domain/schemas/operator.ts";
import { escapeHtml } from "../domain/text/html.ts";
import { isolated } from "../domain/text/isolated.ts";
import { FIRST_LANGUAGE, type Language, languageSchema } from "../domain/text/languages.ts";
import { typeset } from "../domain/text/typeset.ts";
import { withoutReversing } from "../http/clean-text.ts";
import { monthlyReportCopy } from "../report/monthly-report.copy.ts";
import { inCount, inMean, inMonth } from "../report/report-words.ts";
import { htmlOf, LOGO_PART, letterAsHtml, QR_PART, textOf } from "./layout.ts";
import { LETTER_NAME, type MailCopy } from "./mail-copy.ts";
import { dayInMail, periodInMail } from "./mail-days.ts";
import { type MailWords, mailWords } from "./mail-languages.ts";
import { type MailLook, merchantLook, PRODUCT_LOOK } from "./mail-look.ts";
import type { MailTemplate } from "./mail-template.ts";
import { mailsCopy } from "./mails.copy.ts";

/** A mail as people get it. */
export type RenderedMail = {
  language: Language;
  subject: string;
  text: string;
  html: string;
  /** Address that ends such mails when it is called (RFC 8058); null for those that nobody can refuse. */
  unsubscribeUrl: string | null;
  /** Whose letter it is, and where an answer goes; null where the platform itself writes. */
  letter: { from: string | null; replyTo: string } | null;
  /** Name of the sender in the list of mails; null for the service itself. */
  senderName: string | null;
  /** Pictures that the HTML shows by their names (`cid:…`). */
  pictures: readonly Picture[];
  /** Attachments to be kept or handed on. */
  files: readonly MailFile[];
};

/** A file that a mail brings. */
export type MailFile = { name: string; type: "application/pdf"; bytes: Uint8Array };

type Picture = { name: string; type: "image/png" | "image/webp"; bytes: Uint8Array };

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
  /** Reads a merchant's logo by its path; null where it is gone. Without it, mails show the name. */
  readLogo?: (path: string) => Promise<Uint8Array | null>;
};

/** A moment, and by whose clocks it is a day. */
const day = z.object({ at: z.string(), timezone: z.string() });

const mailData = z.object({
  /** Language of the customer; a newer release may know others. */
  locale: z.catch(z._default(languageSchema, FIRST_LANGUAGE), FIRST_LANGUAGE),
  url: z.optional(z.url({ protocol: /^https?$/ })),
  /** The same as a path of this site, for mails that SQL writes. */
  path: z.optional(z.string().check(z.regex(/^\/(?!\/)[\w\-./?=&%#]*$/))),
  code: z.optional(z.string()),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
  newEmail: z.optional(z.string()),
  organization: z.nullish(z.string()),
  inviter: z.nullish(z.string()),
  /** A merchant's, where their plan shows it; shown in mails that are from them. */
  brand: z.nullish(brandSchema),
  white_label: z._default(z.boolean(), false),
  /** Until when a prize is good. */
  until: z.optional(day),
  /** Days that only this mail mentions; the renderer words them. */
  days: z._default(
    z.object({ day: z.optional(day), from: z.optional(day), to: z.optional(day) }),
    {},
  ),
  /** Amount to pay, in cents of euros: nothing else is charged. */
  due_cents: z.optional(z.int().check(z.positive())),
  /** Consent of the customer to marketing: whose offers, and the token that withdraws it. */
  offers: z.optional(z.object({ token: consentToken, organizer: z.string() })),
  /** The month that is over, which comes along as a PDF. */
  report: z.optional(monthlyReport),
  /** Facts that only this mail mentions. */
  facts: z._default(z.record(z.string().check(z.regex(/^[a-z_]{1,30}$/)), z.string()), {}),
});

type Values = Readonly<Record<string, string | undefined>>;

/** Writes a mail as HTML and as plain text: in its customer's language, or in French to everybody else. */
export async function renderMail(
  mail: { template: string; recipient: string; data: unknown },
  { siteUrl, projectUrl = siteUrl, operator, readLogo }: MailSender,
): Promise<RenderedMail> {
  const { template } = mail;
  if (!isMailTemplate(template)) throw new UnrenderableError("unknown_template");
  const parsed = mailData.safeParse(mail.data);
  if (!parsed.success) throw new UnrenderableError("invalid_data");
  const { url, path, code, name, email, newEmail, organization, inviter, facts } = parsed.data;
  const worded = Object.fromEntries(
    Object.entries(facts).map(([key, typed]) => {
      // First of all: a sign between two words would go when their link has been looked for.
      const value = withoutReversing(typed);
      return [
        key,
        WORDED.has(key) ? unlinked(value) : key === "words" ? withoutLinks(value) : value,
      ];
    }),
  );
  const { report, offers, due_cents: dueCents } = parsed.data;
  const spoken = mailWords(template, parsed.data.locale);
  const { copy } = spoken;
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
    ...Object.fromEntries(Object.entries(worded).map(([key, value]) => [`Data.${key}`, value])),
    ...(report && reportValues(report)),
    ...(offers && {
      "Data.offers": offers.token,
      "Data.organizer": unlinked(withoutReversing(offers.organizer)),
    }),
    ...(worded.rating && { "Data.stars": starsOf(Number(worded.rating)) }),
    ...(dueCents && { "Data.amount": EUROS.format(dueCents / 100) }),
    ...dayValues(parsed.data, spoken),
    ...(worded.store && worded.address && { "Data.map": mapOf(worded.store, worded.address) }),
  };
  const head = copy.from === undefined ? null : (values[copy.from.slice(4, -3)] ?? null);
  const logo = head === null ? null : await logoOf(parsed.data.brand ?? null, readLogo);
  const look = lookOf(copy, head, parsed.data, logo !== null);
  const { html, text } = textsOf(template, look, spoken);
  const { letter } = copy;
  const senderName = senderOf(head, look, spoken);
  return {
    language: spoken.language,
    subject: fill(
      spoken.language === "fr" ? typeset(copy.subject) : copy.subject,
      values,
      withinSentence,
    ),
    text: fill(text, values, withinSentence),
    html: fill(html, values, (value, name) =>
      name === LETTER_NAME
        ? letterAsHtml(lines(value))
        : escapeHtml(withinSentence(value, name)).replaceAll("\n", "<br>"),
    ),
    letter: letter
      ? {
          from: letter.from === undefined ? senderName : fill(letter.from, values, plain),
          replyTo: fill(letter.replyTo, values, plain),
        }
      : null,
    unsubscribeUrl: unsubscribeUrl(template, facts.token, projectUrl),
    senderName,
    pictures: [
      ...(copy.ticket && code !== undefined ? [qrPicture(code)] : []),
      ...(logo === null ? [] : [logo]),
    ],
    files: report ? [await reportFile(report)] : [],
  };
}

/** Bills are in euros, and go to merchants, who read French. */
const EUROS = new Intl.NumberFormat("fr-FR", { style: "currency", currency: "EUR" });

/** Stars of a rating, as letters. */
function starsOf(rating: number): string {
  return "★".repeat(rating).padEnd(5, "☆");
}

/** The days that a mail says, in its language. */
function dayValues({ until, days }: z.infer<typeof mailData>, { dates }: MailWords): Values {
  const now = new Date();
  const { day, from, to } = days;
  const period = from && to && periodInMail({ from, to }, now, dates);
  return {
    ...(until && { "Data.until": dayInMail(until, now, dates) }),
    ...(day && { "Data.day": dayInMail(day, now, dates) }),
    ...(period && { "Data.from": period.from, "Data.to": period.to }),
  };
}

/** The figures of a month that its mail says. */
function reportValues({ month, figures: { totals } }: MonthlyReport): Values {
  return {
    "Data.month": inMonth(month),
    "Data.scans": inCount(totals.scans),
    "Data.reviews": inCount(totals.reviews),
    ...(totals.reviews > 0 && { "Data.average": inMean(totals.rating_sum, totals.reviews) }),
    "Data.wins": inCount(totals.wins),
    "Data.redemptions": inCount(totals.redemptions),
  };
}

/** The same and more, to be handed on. What prints it is loaded for the first of them. */
async function reportFile(report: MonthlyReport): Promise<MailFile> {
  const { printReport } = await import("../report/print-report.ts");
  const name = monthlyReportCopy.file(report.month.slice(0, 7));
  return { name, type: "application/pdf", bytes: await printReport(report) };
}

/** How a mail looks: as its merchant does, where it names one. The product's name stays away from customers alone. */
function lookOf(
  { from, isForAnybody }: MailCopy,
  head: string | null,
  { brand, white_label }: z.infer<typeof mailData>,
  hasLogo: boolean,
): MailLook {
  if (from === undefined || head === null) return PRODUCT_LOOK;
  const shown = brand ? { ...brand, logo: hasLogo ? brand.logo : null } : null;
  return merchantLook(from, shown, isForAnybody === true && white_label);
}

/** Whose name the reader knows the mail by; the service's own where it speaks of its contract. */
function senderOf(
  head: string | null,
  { isWhite }: MailLook,
  { copy, frame }: MailWords,
): string | null {
  if (head === null || copy.isContract) return null;
  return plain(isWhite ? head : frame.sender(head));
}

/** A merchant's logo as a part of the mail: nothing is fetched when it is opened. The mail goes without one that cannot be read. */
async function logoOf(brand: Brand | null, read: MailSender["readLogo"]): Promise<Picture | null> {
  if (!brand?.logo || !read) return null;
  const bytes = await read(brand.logo.path).catch(() => null);
  return bytes && { name: LOGO_PART, type: "image/webp", bytes };
}

/** Where a map shows a store. */
function mapOf(store: string, address: string): string {
  const url = new URL("https://www.google.com/maps/search/");
  url.search = new URLSearchParams({ api: "1", query: `${store}, ${address}` }).toString();
  return url.href;
}

/** A code as a picture, four modules of quiet around it. */
function qrPicture(code: string): Picture {
  const look = { on: [0, 0, 0, 255], off: [255, 255, 255, 255], scale: 8 } as const;
  return { name: QR_PART, type: "image/png", bytes: toPngBuffer(generate(code), look) };
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
 * Name fit for a mail: a person who signs up with somebody else's address chooses the name that its
 * owner reads in it. A name that looks like a message or an address is left out.
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

/** Facts that a merchant or a visitor has worded, and that may be read by people who know neither them nor us. */
const WORDED: ReadonlySet<string> = new Set([
  "store",
  "organization",
  "prize",
  "address",
  "sender",
]);

/** In characters. */
const WORDING_MAX_LENGTH = 80;

/** Words of anybody, as long as they are, without what a mail program would make a link of. */
function withoutLinks(words: string): string {
  return words.replace(/:?\/{2,}|[@\\<>]|[.。．｡](?=[\p{L}\p{N}-]*\p{L}{2})/gu, " ");
}

/** A merchant's words without what a mail program would make a link of; « 1/2 pizza », « 5.50 € » and « S.A. » stay. */
function unlinked(words: string): string {
  const bare = withoutLinks(words).replace(/\s+/gu, " ").trim();
  // Of whole characters: half an emoji would be sent as a sign that says « broken ».
  const signs = [...bare];
  if (signs.length <= WORDING_MAX_LENGTH) return bare;
  return `${signs
    .slice(0, WORDING_MAX_LENGTH - 1)
    .join("")
    .trimEnd()}…`;
}

const written = new Map<string, { html: string; text: string }>();

/** The texts of a mail with their placeholders; the product's own as the files of `supabase/templates` hold them. */
function textsOf(
  template: MailTemplate,
  look: MailLook,
  spoken: MailWords,
): { html: string; text: string } {
  const { copy, language } = spoken;
  const texts = () => ({ html: htmlOf(copy, look, spoken), text: textOf(copy, look, spoken) });
  if (look !== PRODUCT_LOOK) return texts();
  const key = `${language} ${template}`;
  const known = written.get(key) ?? texts();
  written.set(key, known);
  return known;
}

const CONDITION = /\{\{ if \.([\w.]+) \}\}([\s\S]*?)\{\{ end \}\}/g;
const PLACEHOLDER = /\{\{ \.([\w.]+) \}\}/g;

/** Fills the hosted platform's placeholders; a value is never read as a template itself. */
function fill(
  template: string,
  values: Values,
  encode: (value: string, name: string) => string,
): string {
  return (
    template
      .replace(CONDITION, (_, name: string, inner: string) => (values[name] ? inner : ""))
      // Where a paragraph was left out.
      .replace(/\n{3,}/g, "\n\n")
      .replace(PLACEHOLDER, (_, name: string) => {
        const value = values[name];
        if (value === undefined) throw new UnrenderableError("missing_value");
        return encode(value, name);
      })
  );
}

/** Values that somebody wrote in paragraphs. */
const LETTERS: ReadonlySet<string> = new Set([LETTER_NAME, "Data.words"]);

/** A value among our words. A letter stands by itself, so that its own letters say where its lines begin. */
function withinSentence(value: string, name: string): string {
  if (name === LETTER_NAME) return lines(value);
  return isolated(LETTERS.has(name) ? lines(value) : plain(value));
}

/** Paragraphs as they were written, without control characters. */
function lines(value: string): string {
  return withoutReversing(value)
    .replace(/\r\n?|[\u2028\u2029]/gu, "\n")
    .replace(/(?!\n)\p{Cc}/gu, " ");
}

/** One line: what somebody typed cannot start another header or paragraph. */
function plain(value: string): string {
  return withoutReversing(value).replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
