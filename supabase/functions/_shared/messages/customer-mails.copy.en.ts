import type { Wording } from "../domain/text/wording.ts";
import type { customerMailsCopy as french } from "./customer-mails.copy.ts";

/** English of the mails to customers. */
export const customerMailsCopy = {
  colon: ":",
  frame: {
    greeting: "Hello{{ if .Data.full_name }} {{ .Data.full_name }}{{ end }},",
    visibleLink: "The button does not work? Copy this address into your browser:",
    footer: "Tournavis, reviews and a wheel for your customers",
    sentFor: (name) => `Sent by Tournavis on behalf of ${name}`,
    sender: (name) => `${name} via Tournavis`,
    operator: "{{ if .Operator }}Service run by {{ .Operator }}.{{ end }}",
    contact: "{{ if .Contact }}To write to us: {{ .Contact }}{{ end }}",
    automaticToAnybody: "Automatic message.",
    qr: "QR code to show at the till",
  },
  ticket: {
    code: "Your code:",
    until: "{{ if .Data.until }}Valid until {{ .Data.until }}{{ end }}",
    anywhere: "{{ if .Data.anywhere }}Valid in all stores{{ end }}",
    map: "See on the map",
  },
  toPrize: "See my prize",
  toCode: "See my code",
  rules: "Rules of the game (the French text alone governs)",
  notAPlayer: "You did not play? Ignore this message.",
  offers: {
    why: "You agreed to receive offers from {{ .Data.organizer }}.",
    stop: "Stop receiving them",
  },
  answered:
    "You left a review at {{ .Data.store }}. To write to them, simply reply to this message.",
  prize: {
    subject: "Your prize at {{ .Data.store }}",
    preview: "The code to show at the till{{ if .Data.until }}, until {{ .Data.until }}{{ end }}.",
    title: "Your prize is waiting for you",
    text: "Show this code at the till of {{ .Data.store }}. It works once only.",
    why: "This message was requested from the phone that won. Your address is used for this prize only.",
  },
  reminder: {
    subject: "Your prize at {{ .Data.store }} is waiting for you until {{ .Data.until }}",
    preview: "The code to show at the till before it ends.",
    title: "Only a few days left",
    text: "Your prize at {{ .Data.store }} is still waiting for you. Show this code at the till: it works once only.",
    why: "This is the only reminder for this prize. Your address was given to find it again; it is not used for advertising here.",
  },
  held: {
    subject: "Your prize at {{ .Data.store }} is being checked",
    preview: "Nothing is lost: there is nothing to do for now.",
    title: "A little more patience",
    text: "{{ .Data.store }} is checking your prize{{ if .Data.prize }} “{{ .Data.prize }}”{{ end }} before handing it over. Nothing is lost: keep your code.",
    next: "As soon as it is valid again, we will write to you, and you will have as many extra days to enjoy it.",
  },
  cancelled: {
    subject: "Your prize at {{ .Data.store }} has been cancelled",
    preview: "A mistake? Talk to the staff of the shop.",
    title: "This prize has been cancelled",
    text: "After a check, {{ .Data.store }} has cancelled the prize{{ if .Data.prize }} “{{ .Data.prize }}”{{ end }}: its code is no longer valid.",
    next: "Is this a mistake? We are sorry. Show your code to the staff of the shop: they can give it back to you.",
  },
  released: {
    subject: "Your prize at {{ .Data.store }} is valid again",
    preview: "The check is over: your code is waiting for you.",
    title: "Your prize is waiting for you",
    text: "{{ .Data.store }} has finished its check: your prize{{ if .Data.prize }} “{{ .Data.prize }}”{{ end }} is valid again. Thank you for your patience! Show this code at the till: it works only once.",
  },
  answer: {
    subject: "{{ .Data.store }} replies to you",
    preview: "A reply to the review you left.",
    title: "{{ .Data.store }} replies to you",
    free: "This message expects nothing in return: you do not have to change or remove a public review.",
  },
  gesture: {
    subject: "{{ .Data.store }} replies to you, with a little something",
    preview: "A reply to your review, and a code to show at the till.",
    title: "{{ .Data.store }} replies to you",
    text: "For you, from {{ .Data.store }}: show this code at the till. It works once only.",
    free: "This gesture expects nothing in return: you do not have to change or remove a public review.",
  },
} satisfies Wording<typeof french>;
