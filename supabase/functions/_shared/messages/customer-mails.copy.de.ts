import type { Wording } from "../domain/text/wording.ts";
import type { customerMailsCopy as french } from "./customer-mails.copy.ts";

/** German of the mails to customers. */
export const customerMailsCopy = {
  colon: ":",
  frame: {
    greeting: "Guten Tag{{ if .Data.full_name }} {{ .Data.full_name }}{{ end }},",
    visibleLink: "Die Schaltfläche reagiert nicht? Kopieren Sie diese Adresse in Ihren Browser:",
    footer: "Tournavis, Bewertungen und ein Glücksrad für Ihre Kundschaft",
    sentFor: (name) => `Von Tournavis im Auftrag von ${name} gesendet`,
    sender: (name) => `${name} über Tournavis`,
    operator: "{{ if .Operator }}Dienst betrieben von {{ .Operator }}.{{ end }}",
    contact: "{{ if .Contact }}Schreiben Sie uns: {{ .Contact }}{{ end }}",
    automaticToAnybody: "Automatische Nachricht.",
    qr: "QR-Code zum Vorzeigen an der Kasse",
  },
  ticket: {
    code: "Ihr Code:",
    until: "{{ if .Data.until }}Gültig bis {{ .Data.until }}{{ end }}",
    anywhere: "{{ if .Data.anywhere }}In allen Geschäften gültig{{ end }}",
    map: "Auf der Karte ansehen",
  },
  toPrize: "Meinen Gewinn ansehen",
  toCode: "Meinen Code ansehen",
  rules: "Spielregeln (es gilt allein der französische Text)",
  notAPlayer: "Sie haben nicht gespielt? Ignorieren Sie diese Nachricht.",
  offers: {
    why: "Sie haben zugestimmt, Angebote von {{ .Data.organizer }} zu erhalten.",
    stop: "Keine Angebote mehr erhalten",
  },
  answered:
    "Sie haben bei {{ .Data.store }} eine Bewertung hinterlassen. Um dorthin zu schreiben, antworten Sie einfach auf diese Nachricht.",
  prize: {
    subject: "Ihr Gewinn bei {{ .Data.store }}",
    preview:
      "Der Code zum Vorzeigen an der Kasse{{ if .Data.until }}, gültig bis {{ .Data.until }}{{ end }}.",
    title: "Ihr Gewinn wartet auf Sie",
    text: "{{ .Data.store }}: Zeigen Sie diesen Code an der Kasse vor. Er gilt nur einmal.",
    why: "Diese Nachricht wurde von dem Telefon angefordert, das gewonnen hat. Ihre Adresse dient nur diesem Gewinn.",
  },
  reminder: {
    subject: "Ihr Gewinn bei {{ .Data.store }} wartet bis {{ .Data.until }} auf Sie",
    preview: "Der Code, den Sie vor dem Ablauf an der Kasse vorzeigen.",
    title: "Nur noch wenige Tage",
    text: "Ihr Gewinn bei {{ .Data.store }} wartet noch auf Sie. Zeigen Sie diesen Code an der Kasse vor: Er gilt nur einmal.",
    why: "Dies ist die einzige Erinnerung an diesen Gewinn. Ihre Adresse wurde angegeben, um ihn wiederzufinden; sie dient hier keiner Werbung.",
  },
  held: {
    subject: "Ihr Gewinn bei {{ .Data.store }} wird geprüft",
    preview: "Nichts ist verloren: Sie müssen im Moment nichts tun.",
    title: "Noch ein wenig Geduld",
    text: "{{ .Data.store }} prüft Ihren Gewinn{{ if .Data.prize }} „{{ .Data.prize }}“{{ end }}, bevor er übergeben wird. Nichts ist verloren: Behalten Sie Ihren Code.",
    next: "Sobald er wieder gilt, schreiben wir Ihnen, und Sie haben ebenso viele Tage mehr Zeit, ihn einzulösen.",
  },
  cancelled: {
    subject: "Ihr Gewinn bei {{ .Data.store }} wurde storniert",
    preview: "Ein Irrtum? Sprechen Sie mit dem Team des Geschäfts.",
    title: "Dieser Gewinn wurde storniert",
    text: "Nach einer Prüfung hat {{ .Data.store }} den Gewinn{{ if .Data.prize }} „{{ .Data.prize }}“{{ end }} storniert: Der Code gilt nicht mehr.",
    next: "Ist das ein Irrtum? Das tut uns leid. Zeigen Sie Ihren Code dem Team des Geschäfts: Es kann ihn wieder freigeben.",
  },
  released: {
    subject: "Ihr Gewinn bei {{ .Data.store }} gilt wieder",
    preview: "Die Prüfung ist abgeschlossen: Ihr Code wartet auf Sie.",
    title: "Ihr Gewinn wartet auf Sie",
    text: "{{ .Data.store }} hat die Prüfung abgeschlossen: Ihr Gewinn{{ if .Data.prize }} „{{ .Data.prize }}“{{ end }} gilt wieder. Danke für Ihre Geduld! Zeigen Sie diesen Code an der Kasse: Er gilt nur einmal.",
  },
  answer: {
    subject: "{{ .Data.store }} antwortet Ihnen",
    preview: "Eine Antwort auf Ihre Bewertung.",
    title: "{{ .Data.store }} antwortet Ihnen",
    free: "Diese Nachricht erwartet keine Gegenleistung: Sie müssen keine öffentliche Bewertung ändern oder entfernen.",
  },
  gesture: {
    subject: "{{ .Data.store }} antwortet Ihnen, mit einer kleinen Aufmerksamkeit",
    preview: "Eine Antwort auf Ihre Bewertung und ein Code für die Kasse.",
    title: "{{ .Data.store }} antwortet Ihnen",
    text: "Für Sie, von {{ .Data.store }}: Zeigen Sie diesen Code an der Kasse vor. Er gilt nur einmal.",
    free: "Diese Geste erwartet keine Gegenleistung: Sie müssen keine öffentliche Bewertung ändern oder entfernen.",
  },
} satisfies Wording<typeof french>;
