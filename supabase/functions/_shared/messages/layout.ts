import { typeset } from "../domain/text/typeset.ts";
import type { MailCopy, MailFrame } from "./mail-copy.ts";
import { DARK_SURFACE, type MailLook, PRODUCT_LOOK } from "./mail-look.ts";
import { mailFrameCopy } from "./mails.copy.ts";

/**
 * The frame of all mails. Mail programs know tables and inline styles, some also a style sheet
 * for the dark; none knows our fonts, so the system's stand in. Placeholders stay as they are.
 */

/** Colours of the brand that a mail needs: `web/ui/theme.css` has them for pages. */
const LIGHT = {
  paper: "#fbfaf7",
  surface: "#ffffff",
  ink: "#1e1b2e",
  muted: "#5f5a72",
  line: "#e7e3da",
};
const DARK = {
  paper: "#14121f",
  surface: DARK_SURFACE,
  ink: "#f1eef9",
  muted: "#aca6c2",
  line: "#322d4a",
};

const FONT = "Figtree,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const DISPLAY = `'Bricolage Grotesque',${FONT}`;
const MONO = "ui-monospace,'SF Mono',Menlo,Consolas,monospace";

const SITE_LINK = `<a href="{{ .SiteURL }}" class="muted" style="color:${LIGHT.muted}">{{ .SiteURL }}</a>`;

type Colors = MailLook["colors"];
type Ticket = NonNullable<MailCopy["ticket"]>;

/** What programs read that know a style sheet: the dark, and narrow screens. */
function styleOf({ mainInDark, softInDark }: Colors): string {
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:${DARK.paper}!important}
.card{background:${DARK.surface}!important;border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.muted{color:${DARK.muted}!important}
.accent{color:${mainInDark}!important}
.button{background:${mainInDark}!important}
.button a{color:${DARK.paper}!important}
.ticket{background:${softInDark}!important;border-color:${mainInDark}!important}
.rule{border-color:${DARK.line}!important}
}
@media (max-width:480px){.inner{padding:28px 20px!important}.outer{padding:16px 8px!important}}`;
}

/** In which words the frame speaks, and what language that is. */
export type Spoken = { language: string; frame: MailFrame };

const FRENCH: Spoken = { language: "fr", frame: mailFrameCopy };

/** A mail as HTML, placeholders included. */
export function htmlOf(
  copy: MailCopy,
  look: MailLook = PRODUCT_LOOK,
  { language, frame }: Spoken = FRENCH,
): string {
  const { title, preview, paragraphs, button, code, notes, unsubscribe, letter } = copy;
  const { colors } = look;
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font:700 26px/1.25 ${DISPLAY};color:${LIGHT.ink}">${title}</h1>`,
    ...(letter ? [] : [paragraph(frame.greeting)]),
    ...paragraphs.map(paragraph),
    ...(copy.ticket ? [ticketOf(copy.ticket, colors, frame.qr)] : []),
    ...(code?.alone ? [codeOf(code.label, colors)] : []),
    ...(button ? [buttonOf(button, colors)] : []),
    ...(code && !code.alone ? [`{{ if .Token }}${codeOf(code.label, colors)}{{ end }}`] : []),
    ...(button ? [visibleLink(frame.visibleLink, button.url, colors)] : []),
    ...(notes.length > 0 ? [notesOf(notes, unsubscribe)] : []),
  ];
  const page = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${styleOf(colors)}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${LIGHT.paper}">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${LIGHT.paper}" style="background:${LIGHT.paper}">
<tr><td class="outer" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" style="padding:0 8px 20px;font:700 24px/1.15 ${DISPLAY};letter-spacing:-0.5px;color:${LIGHT.ink}">
${headOf(look)}
</td></tr>
<tr><td class="card" bgcolor="${LIGHT.surface}" style="background:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:14px;overflow:hidden">
${stripe(colors.stripe)}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="inner" style="padding:36px 40px">
${body.join("\n")}
</td></tr></table>
</td></tr>
<tr><td class="muted" align="center" style="padding:20px 8px 0;font:400 13px/1.6 ${FONT};color:${LIGHT.muted}">
${footerOf(copy, look, frame, SITE_LINK).join("<br>\n")}
${withinCondition(frame.operator, "<br>")}
${withinCondition(frame.contact, "<br>")}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
  return language === "fr" ? set(page) : page;
}

/** Sets what people read, between the tags and in place of a picture. */
function set(html: string): string {
  return html.replace(/(?<=>|alt=")[^<>"]+(?=[<"])/g, (words) => typeset(words));
}

/** Whose mail it is. A logo stands on white, also in the dark, as it was made for paper. */
function headOf({ head, logo }: MailLook): string {
  if (head === null) {
    return `<a href="{{ .SiteURL }}" class="ink" style="color:${LIGHT.ink};text-decoration:none">t<span class="accent" style="color:${PRODUCT_LOOK.colors.main}">o</span>urnavis</a>`;
  }
  if (logo === null) return head;
  return `<img src="cid:${LOGO_PART}" width="${logo.width}" height="${logo.height}" alt="${head}" style="display:block;width:${logo.width}px;height:${logo.height}px;padding:6px 8px;background:#ffffff;border-radius:10px">`;
}

/** What stands under a mail, for whom it is. */
function footerOf(
  { isForAnybody, letter }: MailCopy,
  { head, isWhite }: MailLook,
  frame: MailFrame,
  address = "{{ .SiteURL }}",
): string[] {
  const forAccount = letter ? frame.byForm : frame.automatic;
  // A person wrote a customer's letter, and reads the answer.
  const forAnybody = letter ? [] : [frame.automaticToAnybody];
  const why = isForAnybody ? forAnybody : [forAccount];
  if (!isForAnybody || head === null) return [frame.footer, address, ...why];
  return [isWhite ? head : frame.sentFor(head), ...why];
}

/** The same mail as plain text, made of the same words. */
export function textOf(
  copy: MailCopy,
  look: MailLook = PRODUCT_LOOK,
  { language, frame }: Spoken = FRENCH,
): string {
  const { title, paragraphs, button, code, ticket, notes, unsubscribe, letter } = copy;
  const token = code && `${code.label} {{ .Token }}`;
  const parts = [
    title,
    ...(letter ? [] : [frame.greeting]),
    ...paragraphs,
    ...(ticket ? ticketText(ticket, frame.colon) : []),
    ...(code?.alone ? [token] : []),
    ...(button ? [`${button.label}${frame.colon}\n${button.url}`] : []),
    ...(code && !code.alone ? [`{{ if .Token }}${token}{{ end }}`] : []),
    ...notes,
    ...(unsubscribe ? [`${unsubscribe.label}${frame.colon}\n${unsubscribePage(unsubscribe)}`] : []),
    `-- \n${footerOf(copy, look, frame).join("\n")}${withinCondition(frame.operator, "\n")}${withinCondition(frame.contact, "\n")}`,
  ];
  const letters = `${parts.join("\n\n")}\n`;
  return language === "fr" ? typeset(letters) : letters;
}

/** Puts a break in front of a line that may be left out, so that it goes with it. */
function withinCondition(line: string, lineBreak: string): string {
  return line.replace("}}", () => `}}${lineBreak}`);
}

function paragraph(text: string): string {
  return `<p class="ink" style="margin:0 0 16px;font:400 16px/1.6 ${FONT};color:${LIGHT.ink}">${text}</p>`;
}

/** A band over the card: the segments of the wheel, unrolled, or a merchant's colour. */
function stripe(colors: readonly string[]): string {
  const cells = colors.map(
    (color) =>
      `<td height="6" bgcolor="${color}" style="height:6px;background:${color};font-size:0;line-height:0">&nbsp;</td>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr>${cells.join("")}</tr></table>`;
}

function buttonOf({ label, url }: { label: string; url: string }, { main }: Colors): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0"><tr><td class="button" bgcolor="${main}" style="background:${main};border-radius:10px"><a href="${asHtml(url)}" style="display:inline-block;padding:14px 28px;font:600 16px/20px ${FONT};color:#ffffff;text-decoration:none;border-radius:10px">${label}</a></td></tr></table>`;
}

function visibleLink(label: string, url: string, { main }: Colors): string {
  return `<p class="muted" style="margin:0 0 16px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${label}<br><a href="${asHtml(url)}" class="accent" style="color:${main};word-break:break-all">${asHtml(url)}</a></p>`;
}

/** An address as HTML; what fills its placeholders is escaped as it does. */
function asHtml(url: string): string {
  return url.replaceAll("&", "&amp;");
}

/** A code to type: dashed, its figures large and apart. */
function codeOf(label: string, { main, soft }: Colors): string {
  return `<p class="muted" style="margin:0 0 8px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${label}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr><td class="ticket ink" bgcolor="${soft}" style="background:${soft};border:2px dashed ${main};border-radius:14px;padding:14px 24px;font:700 28px/1.2 ${MONO};letter-spacing:6px;color:${LIGHT.ink}">{{ .Token }}</td></tr></table>`;
}

/** Names of the pictures that a mail brings with it. */
export const QR_PART = "code-qr";
export const LOGO_PART = "logo";

/**
 * A prize as on the phone: its name in the merchant's colour, a QR code (black on white also in the dark), the code to
 * type, until when and where.
 */
function ticketOf(
  { prize, code, until, at, map }: Ticket,
  { main, soft }: Colors,
  qr: string,
): string {
  const row = "padding:0 20px;text-align:center";
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;border-collapse:separate">
<tr><td align="center" bgcolor="${main}" style="padding:18px 20px;background:${main};border-radius:14px 14px 0 0;font:700 24px/1.25 ${DISPLAY};color:#ffffff">${prize}</td></tr>
<tr><td class="ticket" align="center" bgcolor="${soft}" style="padding:24px 0;background:${soft};border:2px dashed ${main};border-top-width:0;border-radius:0 0 14px 14px">
<img src="cid:${QR_PART}" width="184" height="184" alt="${qr}" style="display:block;margin:0 auto;width:184px;height:184px;background:#ffffff;border-radius:10px">
<p class="muted" style="${row};margin:16px 0 2px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${code}</p>
<p class="ink" style="${row};margin:0;font:700 24px/1.3 ${MONO};letter-spacing:3px;color:${LIGHT.ink};word-break:break-word">{{ .Token }}</p>
<p class="ink" style="${row};margin:12px 0 0;font:700 16px/1.5 ${FONT};color:${LIGHT.ink}">${until}</p>
</td></tr>
</table>
{{ if .Data.address }}<p class="muted" style="margin:12px 0 0;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${unwrapped(at)}<br><a href="{{ .Data.map }}" class="accent" style="color:${main}">${map}</a></p>{{ end }}`;
}

/** The same as lines. */
function ticketText({ prize, code, until, at, map }: Ticket, colon: string): string[] {
  return [
    [prize, `${code} {{ .Token }}`, until].join("\n"),
    `{{ if .Data.address }}${unwrapped(at)}\n${map}${colon} {{ .Data.map }}{{ end }}`,
  ];
}

/** Words without the condition around them, where another one holds. */
function unwrapped(words: string): string {
  return words.replace(/^\{\{ if [^}]+ \}\}|\{\{ end \}\}$/g, "");
}

/** The page that asks before it does it: programs that look at links must not end anything. */
function unsubscribePage({ kind }: NonNullable<MailCopy["unsubscribe"]>): string {
  return `{{ .SiteURL }}/unsubscribe?token={{ .Data.token }}&kind=${kind}`;
}

function notesOf(notes: readonly string[], unsubscribe: MailCopy["unsubscribe"]): string {
  const link =
    unsubscribe &&
    `<a href="${asHtml(unsubscribePage(unsubscribe))}" class="muted" style="color:${LIGHT.muted}">${unsubscribe.label}</a>`;
  const lines = [...notes, ...(link ? [link] : [])]
    .map((note) => `<p style="margin:0 0 8px">${note}</p>`)
    .join("");
  return `<div class="rule muted" style="border-top:1px solid ${LIGHT.line};margin-top:24px;padding-top:16px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${lines}</div>`;
}
