import { type MailCopy, mailFrameCopy } from "./mails.copy.ts";

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
  violet: "#7c3aed",
  soft: "#f3edfe",
};
const DARK = {
  paper: "#14121f",
  surface: "#1c1930",
  ink: "#f1eef9",
  muted: "#aca6c2",
  line: "#322d4a",
  violet: "#a78bfa",
  soft: "#2a2247",
};
const SEGMENTS = ["#8b5cf6", "#10b981", "#f59e0b", "#ef4444", "#06b6d4", "#ec4899"];

const FONT = "Figtree,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const DISPLAY = `'Bricolage Grotesque',${FONT}`;
const MONO = "ui-monospace,'SF Mono',Menlo,Consolas,monospace";

const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.paper{background:${DARK.paper}!important}
.card{background:${DARK.surface}!important;border-color:${DARK.line}!important}
.ink{color:${DARK.ink}!important}
.muted{color:${DARK.muted}!important}
.violet{color:${DARK.violet}!important}
.button{background:${DARK.violet}!important}
.button a{color:${DARK.paper}!important}
.ticket{background:${DARK.soft}!important;border-color:${DARK.violet}!important}
.rule{border-color:${DARK.line}!important}
}
@media (max-width:480px){.inner{padding:28px 20px!important}.outer{padding:16px 8px!important}}`;

/** A mail as HTML, placeholders included. */
export function htmlOf(copy: MailCopy): string {
  const { title, preview, paragraphs, button, code, notes, unsubscribe, letter } = copy;
  const body = [
    `<h1 class="ink" style="margin:0 0 16px;font:700 26px/1.25 ${DISPLAY};color:${LIGHT.ink}">${title}</h1>`,
    ...(letter ? [] : [paragraph(mailFrameCopy.greeting)]),
    ...paragraphs.map(paragraph),
    ...(code?.alone ? [ticket(code.label)] : []),
    ...(button ? [buttonOf(button)] : []),
    ...(code && !code.alone
      ? [`{{ if .Token }}${ticket(code.label)}${code.qr ? qrPicture() : ""}{{ end }}`]
      : []),
    ...(button ? [visibleLink(button.url)] : []),
    ...(notes.length > 0 ? [notesOf(notes, unsubscribe)] : []),
  ];
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${LIGHT.paper}">
<div style="display:none;max-height:0;overflow:hidden">${preview}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${LIGHT.paper}" style="background:${LIGHT.paper}">
<tr><td class="outer" align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td style="padding:0 8px 20px;font:700 24px/1 ${DISPLAY};letter-spacing:-0.5px">
<a href="{{ .SiteURL }}" class="ink" style="color:${LIGHT.ink};text-decoration:none">t<span class="violet" style="color:${LIGHT.violet}">o</span>urnavis</a>
</td></tr>
<tr><td class="card" bgcolor="${LIGHT.surface}" style="background:${LIGHT.surface};border:1px solid ${LIGHT.line};border-radius:14px;overflow:hidden">
${stripe()}
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td class="inner" style="padding:36px 40px">
${body.join("\n")}
</td></tr></table>
</td></tr>
<tr><td class="muted" align="center" style="padding:20px 8px 0;font:400 13px/1.6 ${FONT};color:${LIGHT.muted}">
${mailFrameCopy.footer}<br>
<a href="{{ .SiteURL }}" class="muted" style="color:${LIGHT.muted}">{{ .SiteURL }}</a><br>
${automatic(copy)}
${withinCondition(mailFrameCopy.operator, "<br>")}
${withinCondition(mailFrameCopy.contact, "<br>")}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

/** The same mail as plain text, made of the same words. */
export function textOf(copy: MailCopy): string {
  const { title, paragraphs, button, code, notes, unsubscribe, letter } = copy;
  const token = code && `${code.label} {{ .Token }}`;
  const parts = [
    title,
    ...(letter ? [] : [mailFrameCopy.greeting]),
    ...paragraphs,
    ...(code?.alone ? [token] : []),
    ...(button ? [`${button.label} :\n${button.url}`] : []),
    ...(code && !code.alone ? [`{{ if .Token }}${token}{{ end }}`] : []),
    ...notes,
    ...(unsubscribe ? [`${unsubscribe.label} :\n${unsubscribePage(unsubscribe)}`] : []),
    `-- \n${mailFrameCopy.footer}\n{{ .SiteURL }}\n${automatic(copy)}${withinCondition(mailFrameCopy.operator, "\n")}${withinCondition(mailFrameCopy.contact, "\n")}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Why one gets it, as far as one has an account. */
function automatic({ isForAnybody, letter }: MailCopy): string {
  if (letter) return mailFrameCopy.onBehalf;
  return isForAnybody ? mailFrameCopy.automaticToAnybody : mailFrameCopy.automatic;
}

/** Puts a break in front of a line that may be left out, so that it goes with it. */
function withinCondition(line: string, lineBreak: string): string {
  return line.replace("}}", () => `}}${lineBreak}`);
}

function paragraph(text: string): string {
  return `<p class="ink" style="margin:0 0 16px;font:400 16px/1.6 ${FONT};color:${LIGHT.ink}">${text}</p>`;
}

/** The six segments of the wheel, unrolled. */
function stripe(): string {
  const cells = SEGMENTS.map(
    (colour) =>
      `<td height="6" bgcolor="${colour}" style="height:6px;background:${colour};font-size:0;line-height:0">&nbsp;</td>`,
  );
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="table-layout:fixed"><tr>${cells.join("")}</tr></table>`;
}

function buttonOf({ label, url }: { label: string; url: string }): string {
  return `<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0"><tr><td class="button" bgcolor="${LIGHT.violet}" style="background:${LIGHT.violet};border-radius:10px"><a href="${url}" style="display:inline-block;padding:14px 28px;font:600 16px/20px ${FONT};color:#ffffff;text-decoration:none;border-radius:10px">${label}</a></td></tr></table>`;
}

function visibleLink(url: string): string {
  return `<p class="muted" style="margin:0 0 16px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${mailFrameCopy.visibleLink}<br><a href="${url}" class="violet" style="color:${LIGHT.violet};word-break:break-all">${url}</a></p>`;
}

/** A code is a ticket: dashed, its figures large and apart. */
function ticket(label: string): string {
  return `<p class="muted" style="margin:0 0 8px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${label}</p>
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 24px"><tr><td class="ticket ink" bgcolor="${LIGHT.soft}" style="background:${LIGHT.soft};border:2px dashed ${LIGHT.violet};border-radius:14px;padding:14px 24px;font:700 28px/1.2 ${MONO};letter-spacing:6px;color:${LIGHT.ink}">{{ .Token }}</td></tr></table>`;
}

/** Name of the picture of a mail's code among its parts. */
export const QR_PART = "code-qr";

/** The code for the till's camera: black on white in the dark, too. */
function qrPicture(): string {
  return `<p style="margin:0 0 24px"><img src="cid:${QR_PART}" width="168" height="168" alt="${mailFrameCopy.qr}" style="display:block;width:168px;height:168px;background:#ffffff;border-radius:10px"></p>`;
}

/** The page that asks before it does it: programs that look at links must not end anything. */
function unsubscribePage({ kind }: NonNullable<MailCopy["unsubscribe"]>): string {
  return `{{ .SiteURL }}/unsubscribe?token={{ .Data.token }}&kind=${kind}`;
}

function notesOf(notes: readonly string[], unsubscribe: MailCopy["unsubscribe"]): string {
  const link =
    unsubscribe &&
    `<a href="${unsubscribePage(unsubscribe).replace("&", "&amp;")}" class="muted" style="color:${LIGHT.muted}">${unsubscribe.label}</a>`;
  const lines = [...notes, ...(link ? [link] : [])]
    .map((note) => `<p style="margin:0 0 8px">${note}</p>`)
    .join("");
  return `<div class="rule muted" style="border-top:1px solid ${LIGHT.line};margin-top:24px;padding-top:16px;font:400 14px/1.6 ${FONT};color:${LIGHT.muted}">${lines}</div>`;
}
