import { escapeHtml } from "../domain/text/html.ts";
import { typeset } from "../domain/text/typeset.ts";
import { LETTER, type MailCopy, type MailFrame } from "./mail-copy.ts";
import { DARK, LIGHT, type MailLook, PRODUCT_LOOK } from "./mail-look.ts";
import { mailFrameCopy } from "./mails.copy.ts";

/**
 * The frame of all mails. Mail programs know tables and inline styles, some also a style sheet
 * for the dark; none knows our fonts, so the system's stand in. Placeholders stay as they are.
 */

const FONT = "Figtree,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const DISPLAY = `'Bricolage Grotesque',${FONT}`;
const MONO = "ui-monospace,'SF Mono',Menlo,Consolas,monospace";

const NOTIFICATIONS = "{{ .SiteURL }}/settings?section=notifications";
const SITE_LINK = `<a href="{{ .SiteURL }}" class="muted" style="color:${LIGHT.muted}">{{ .SiteURL }}</a>`;

type Colors = MailLook["colors"];
type Ticket = NonNullable<MailCopy["ticket"]>;
type Place = NonNullable<MailCopy["place"]>;

/** Style sheet for programs that read one: the dark, and narrow screens. */
function styleOf({ mainInDark, softInDark }: Colors): string {
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:${DARK.paper}!important}
.card{background:${DARK.surface}!important;border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.muted{color:${DARK.muted}!important}
.accent{color:${mainInDark}!important}
.band{background:${mainInDark}!important}
.band,.button a{color:${DARK.paper}!important}
.button{background:${mainInDark}!important}
.ticket{background:${softInDark}!important}
.edge{border-color:${mainInDark}!important}
.notch{background:${DARK.surface}!important}
.rule{border-color:${DARK.line}!important}
}
@media (max-width:480px){
.inner{padding:28px 20px!important}
.outer{padding:16px 8px!important}
.title{font-size:24px!important}
.action,.button a{display:block!important}
.action tbody,.action tr,.button{display:block!important;text-align:center!important}
}`;
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
  const { title, preview, paragraphs, quote, figures, due, deadline, button, code, letter } = copy;
  const { colors } = look;
  const body = [
    `<h1 class="ink title" style="margin:0 0 16px;font:700 26px/1.25 ${DISPLAY};color:${LIGHT.ink};text-wrap:pretty">${title}</h1>`,
    ...(letter ? [] : [paragraph(frame.greeting)]),
    ...paragraphs.slice(0, 1).map(paragraph),
    ...(quote ? [quoteOf(quote, colors)] : []),
    ...paragraphs.slice(1).map(paragraph),
    ...(figures ? [figuresOf(figures, colors)] : []),
    ...(due ? [dueOf(due, colors)] : []),
    ...(deadline ? [deadlineOf(deadline, colors)] : []),
    ...(copy.ticket ? [ticketOf(copy.ticket, colors, frame.qr)] : []),
    ...(copy.place ? [placeOf(copy.place)] : []),
    ...(code?.alone ? [codeOf(code.label, colors)] : []),
    ...(button ? [buttonOf(button, colors, copy.ticket !== undefined)] : []),
    ...(code && !code.alone ? [`{{ if .Token }}${codeOf(code.label, colors)}{{ end }}`] : []),
    smallPrint(copy, frame, language),
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
<tr><td class="outer" align="center" style="padding:32px 16px;word-break:break-word">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td class="ink" style="padding:0 8px 20px;font:700 24px/1.15 ${DISPLAY};letter-spacing:-0.5px;color:${LIGHT.ink}">
${headOf(look)}
</td></tr>
<tr><td class="card" bgcolor="${LIGHT.surface}" style="background:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:14px;overflow:hidden">
${stripe(colors.stripe, look.head !== null && colors.stripe.length === 1)}
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

/** Footer of a mail, by its reader. */
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
  const { title, paragraphs, quote, figures, due, deadline, button, code, letter } = copy;
  const { ticket, place, notes, rules, offers, unsubscribe } = copy;
  const token = code && `${code.label} {{ .Token }}`;
  const parts = [
    title,
    ...(letter ? [] : [frame.greeting]),
    ...paragraphs.slice(0, 1),
    ...(quote ? [`${quote.stars} ${quote.rating}${withinCondition(quote.words, "\n")}`] : []),
    ...paragraphs.slice(1),
    ...(figures ? [figuresText(figures, frame.colon)] : []),
    ...(due ? [withinCondition(due.amount, `${due.label}${frame.colon} `)] : []),
    ...(deadline ? [`${deadline.label} ${deadline.day}`] : []),
    ...(ticket ? ticketText(ticket, frame.colon) : []),
    ...(place ? [placeText(place, frame.colon)] : []),
    ...(code?.alone ? [token] : []),
    ...(button ? [`${button.label}${frame.colon}\n${button.url}`] : []),
    ...(code && !code.alone ? [`{{ if .Token }}${token}{{ end }}`] : []),
    ...notes,
    ...(rules ? [`{{ if .Data.rules }}${rules.label}${frame.colon}\n${rules.url}{{ end }}`] : []),
    ...(offers
      ? [
          `{{ if .Data.offers }}${offers.why} ${offers.stop}${frame.colon}\n${offersPage(language)}{{ end }}`,
        ]
      : []),
    ...(unsubscribe
      ? [
          `${frame.notifications}${frame.colon}\n${NOTIFICATIONS}`,
          `${unsubscribe.label}${frame.colon}\n${unsubscribePage(unsubscribe)}`,
        ]
      : []),
    `-- \n${footerOf(copy, look, frame).join("\n")}${withinCondition(frame.operator, "\n")}${withinCondition(frame.contact, "\n")}`,
  ];
  const letters = `${parts.join("\n\n")}\n`;
  return language === "fr" ? typeset(letters) : letters;
}

/** Puts something around a line that may be left out, so that it goes with it. */
function withinCondition(line: string, before: string, after = ""): string {
  return line
    .replace("}}", () => `}}${before}`)
    .replace(/\{\{ end \}\}$/, () => `${after}{{ end }}`);
}

/** A paragraph of ours; a letter holds several of its own (`letterAsHtml`). */
function paragraph(text: string): string {
  const element = text === LETTER ? "div" : "p";
  return `<${element} class="ink" style="margin:0 0 16px;font:400 16px/1.6 ${FONT};color:${LIGHT.ink}">${text}</${element}>`;
}

/** The lines of a letter, escaped: each begins where its own letters say. */
export function letterAsHtml(letter: string): string {
  const lines = letter.split("\n").map((line) => escapeHtml(line) || "<br>");
  return lines.map((line) => `<div dir="auto">${line}</div>`).join("");
}

/** A band over the card: the segments of the wheel, unrolled, or a merchant's colour. */
function stripe(colors: readonly string[], isBand: boolean): string {
  const cells = colors.map(
    (color) =>
      `<td${isBand ? ' class="band"' : ""} height="6" bgcolor="${color}" style="height:6px;background:${color};font-size:0;line-height:0">&nbsp;</td>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr>${cells.join("")}</tr></table>`;
}

/** The one thing to do: as wide as a ticket above it, and on a phone. */
function buttonOf(
  { label, url }: { label: string; url: string },
  { main }: Colors,
  isWide: boolean,
): string {
  const [width, display] = isWide ? [' width="100%"', "block"] : ["", "inline-block"];
  return `<table role="presentation" class="action"${width} cellpadding="0" cellspacing="0" border="0" style="margin:28px 0"><tr><td class="button" align="center" bgcolor="${main}" style="background:${main};border-radius:10px"><a href="${asHtml(url)}" style="display:${display};padding:14px 28px;font:600 16px/20px ${FONT};color:#ffffff;text-decoration:none;border-radius:10px">${label}</a></td></tr></table>`;
}

/** An address as HTML; what fills its placeholders is escaped as it does. */
function asHtml(url: string): string {
  return url.replaceAll("&", "&amp;");
}

/** A code to type: dashed, its figures large and apart. */
function codeOf(label: string, { main, soft }: Colors): string {
  return `<p class="muted" style="margin:0 0 8px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${label}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr><td class="ticket edge ink" bgcolor="${soft}" style="background:${soft};border:2px dashed ${main};border-radius:14px;padding:14px 24px;font:700 28px/1.2 ${MONO};letter-spacing:6px;color:${LIGHT.ink}">{{ .Token }}</td></tr></table>`;
}

/** Names of the pictures that a mail brings with it. */
export const QR_PART = "code-qr";
export const LOGO_PART = "logo";

/**
 * A prize as on the phone: its name in the merchant's colour, a QR code (black on white also in the dark), and below the
 * tear line the code to type, until when and where.
 */
function ticketOf(
  { prize, code, until, anywhere, ...place }: Ticket,
  { main, soft }: Colors,
  qr: string,
): string {
  const ground = `bgcolor="${soft}" style="background:${soft};text-align:center`;
  const notch = (side: "left" | "right", round: string) =>
    `<td class="ticket" width="12" align="${side}" ${ground};padding:0"><div class="notch" style="width:12px;height:24px;background:${LIGHT.surface};border-radius:${round};font-size:0;line-height:0">&nbsp;</div></td>`;
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:24px 0 0;border-collapse:separate">
<tr><td class="band" colspan="3" align="center" bgcolor="${main}" style="padding:18px 20px;background:${main};border-radius:14px 14px 0 0;font:700 24px/1.25 ${DISPLAY};color:#ffffff;text-wrap:balance">${prize}</td></tr>
<tr><td class="ticket" colspan="3" align="center" ${ground};padding:24px 20px 12px">
<img src="cid:${QR_PART}" width="184" height="184" alt="${qr}" style="display:block;margin:0 auto;width:184px;height:184px;background:#ffffff;border-radius:10px">
</td></tr>
<tr>${notch("left", "0 12px 12px 0")}<td class="ticket" ${ground};padding:0 8px"><div class="edge" style="border-top:2px dashed ${main};font-size:0;line-height:0">&nbsp;</div></td>${notch("right", "12px 0 0 12px")}</tr>
<tr><td class="ticket" colspan="3" align="center" ${ground};padding:8px 20px 24px;border-radius:0 0 14px 14px">
<p class="muted" style="margin:0 0 2px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${code}</p>
<p class="ink" style="margin:0;font:700 24px/1.3 ${MONO};letter-spacing:3px;color:${LIGHT.ink};word-break:break-word">{{ .Token }}</p>
<p class="ink" style="margin:12px 0 0;font:700 17px/1.5 ${FONT};color:${LIGHT.ink}">${until}</p>
${withinCondition(anywhere, `<p class="muted" style="margin:12px 0 0;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">`, "</p>")}
${placeOf(place)}
</td></tr>
</table>`;
}

/** Where to go, where that is known. */
function placeOf({ at, map }: Place): string {
  return `{{ if .Data.address }}<p class="muted" style="margin:12px 0 0;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${unwrapped(at)}<br><a href="{{ .Data.map }}" class="ink" style="color:${LIGHT.ink};font-weight:600">${map}</a></p>{{ end }}`;
}

/** The same as lines. */
function placeText({ at, map }: Place, colon: string): string {
  return `{{ if .Data.address }}${unwrapped(at)}\n${map}${colon} {{ .Data.map }}{{ end }}`;
}

/** A box on the ground of a ticket. */
function box(inner: string, { soft }: Colors): string {
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 16px;border-collapse:separate"><tr><td class="ticket" bgcolor="${soft}" style="background:${soft};border-radius:14px;padding:18px 20px">
${inner}
</td></tr></table>`;
}

/** Box with a customer's stars and words about a visit. */
function quoteOf({ stars, rating, words }: NonNullable<MailCopy["quote"]>, colors: Colors): string {
  const { main } = colors;
  return box(
    `<p class="ink" style="margin:0;font:700 16px/1.5 ${FONT};color:${LIGHT.ink}"><span class="accent" aria-hidden="true" style="font-size:24px;letter-spacing:3px;color:${main}">${stars}</span>&nbsp; ${rating}</p>
${withinCondition(words, `<p class="ink" style="margin:6px 0 0;font:400 17px/1.6 ${FONT};color:${LIGHT.ink}">`, "</p>")}`,
    colors,
  );
}

/** The day that counts, large. */
function deadlineOf({ label, day }: NonNullable<MailCopy["deadline"]>, colors: Colors): string {
  return box(large(label, day), colors);
}

/** Amount to pay, where it is known. */
function dueOf({ label, amount }: NonNullable<MailCopy["due"]>, colors: Colors): string {
  return `{{ if .Data.amount }}${box(large(label, unwrapped(amount)), colors)}{{ end }}`;
}

function large(label: string, value: string): string {
  return `<p class="muted" style="margin:0 0 2px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${label}</p>
<p class="ink" style="margin:0;font:700 22px/1.3 ${DISPLAY};color:${LIGHT.ink}">${value}</p>`;
}

type Figures = NonNullable<MailCopy["figures"]>;

/** Figures two by two; the last of an odd number has its row alone. */
function figuresOf(figures: Figures, { soft }: Colors): string {
  const cell = ({ label, value, detail = "" }: Figures[number], width = 'width="50%"') =>
    `<td class="ticket" ${width} valign="top" bgcolor="${soft}" style="background:${soft};border-radius:14px;padding:14px 16px"><p class="ink" style="margin:0;font:700 30px/1.2 ${DISPLAY};color:${LIGHT.ink}">${value}</p><p class="muted" style="margin:4px 0 0;font:400 14px/1.5 ${FONT};color:${LIGHT.muted}">${label}${withinCondition(detail, '<br><span style="font-size:13px">', "</span>")}</p></td>`;
  const rows = figures.flatMap((figure, index) => {
    const next = figures[index + 1];
    if (index % 2 === 1) return [];
    const cells = next ? `${cell(figure)}${cell(next)}` : cell(figure, 'colspan="2"');
    return [`<tr>${cells}</tr>`];
  });
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 -8px;width:calc(100% + 16px);border-collapse:separate;border-spacing:8px;table-layout:fixed">${rows.join("\n")}</table>`;
}

/** The same, a line each. */
function figuresText(figures: Figures, colon: string): string {
  return figures
    .map(
      ({ label, value, detail = "" }) =>
        `${label}${colon} ${value}${withinCondition(detail, ", ")}`,
    )
    .join("\n");
}

/** The same as lines. */
function ticketText({ prize, code, until, anywhere, ...place }: Ticket, colon: string): string[] {
  return [[prize, `${code} {{ .Token }}`, until].join("\n"), anywhere, placeText(place, colon)];
}

/** Words without the condition around them, where another one holds. */
function unwrapped(words: string): string {
  return words.replace(/^\{\{ if [^}]+ \}\}|\{\{ end \}\}$/g, "");
}

/** The page that asks before it does it: programs that look at links must not end anything. */
function unsubscribePage({ kind }: NonNullable<MailCopy["unsubscribe"]>): string {
  return `{{ .SiteURL }}/unsubscribe?token={{ .Data.token }}&kind=${kind}`;
}

/** The same page for a customer, in their language; it withdraws their consent to marketing. */
function offersPage(language: string): string {
  return `{{ .SiteURL }}/unsubscribe?token={{ .Data.offers }}&kind=offers&lang=${language}`;
}

/** Why one gets a mail, what else one may do, and the address of the button for whose program shows none. */
function smallPrint(
  { notes, rules, offers, unsubscribe, button }: MailCopy,
  frame: MailFrame,
  language: string,
): string {
  const link = (url: string, label: string) =>
    `<a href="${asHtml(url)}" class="muted" style="color:${LIGHT.muted}">${label}</a>`;
  const line = (inner: string) => `<p style="margin:0 0 8px">${inner}</p>`;
  const lines = [
    ...notes.map(line),
    ...(rules ? [`{{ if .Data.rules }}${line(link(rules.url, rules.label))}{{ end }}`] : []),
    ...(offers
      ? [
          `{{ if .Data.offers }}${line(`${offers.why} ${link(offersPage(language), offers.stop)}`)}{{ end }}`,
        ]
      : []),
    ...(unsubscribe
      ? [
          line(link(NOTIFICATIONS, frame.notifications)),
          line(link(unsubscribePage(unsubscribe), unsubscribe.label)),
        ]
      : []),
    ...(button
      ? [
          `<p style="margin:0;font-size:13px">${frame.visibleLink}<br><a href="${asHtml(button.url)}" class="muted" style="color:${LIGHT.muted};word-break:break-all">${asHtml(button.url)}</a></p>`,
        ]
      : []),
  ];
  if (lines.length === 0) return "";
  return `<div class="rule muted" style="border-top:1px solid ${LIGHT.line};margin-top:28px;padding-top:20px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${lines.join("")}</div>`;
}
