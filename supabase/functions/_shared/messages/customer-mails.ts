import type { Wording } from "../domain/text/wording.ts";
import type { customerMailsCopy } from "./customer-mails.copy.ts";
import { LETTER, type MailCopy } from "./mail-copy.ts";
import type { MailTemplate } from "./mail-template.ts";

/** Mails to the customers of a merchant, written in the language of each. */
export type CustomerMail = Extract<MailTemplate, `prize${string}` | `review_${string}`>;

/** One language's words of these mails. */
export type CustomerMailWords = Wording<typeof customerMailsCopy>;

const STORE = "{{ .Data.store }}";
const PRIZE_PAGE = "{{ .ConfirmationURL }}";

/** The mails of customers in a language: its words, in the order and with the parts that are the same in all of them. */
export function customerMails(words: CustomerMailWords): Readonly<Record<CustomerMail, MailCopy>> {
  const { prize, reminder, held, cancelled, released, answer, gesture, notAPlayer } = words;
  const rules = { label: words.rules, url: "{{ .SiteURL }}{{ .Data.rules }}" };
  const button = { label: words.toPrize, url: PRIZE_PAGE };
  const place = {
    at: "{{ if .Data.address }}{{ .Data.store }}, {{ .Data.address }}{{ end }}",
    map: words.ticket.map,
  };
  const ticket = {
    ...words.ticket,
    ...place,
    prize: "{{ if .Data.prize }}{{ .Data.prize }}{{ end }}",
  };
  const letter = { replyTo: "{{ .Data.reply_to }}" };
  const shown = ({ subject, preview, title }: Pick<MailCopy, "subject" | "preview" | "title">) => ({
    subject,
    preview,
    title,
    isForAnybody: true as const,
    offers: words.offers,
  });
  return {
    prize: {
      ...shown(prize),
      paragraphs: [prize.text],
      from: STORE,
      ticket,
      button,
      notes: [prize.why, notAPlayer],
      rules,
    },
    prize_reminder: {
      ...shown(reminder),
      paragraphs: [reminder.text],
      from: STORE,
      ticket,
      button,
      notes: [reminder.why, notAPlayer],
      rules,
    },
    prize_held: {
      ...shown(held),
      paragraphs: [held.text, held.next],
      from: STORE,
      button,
      notes: [notAPlayer],
    },
    prize_cancelled: {
      ...shown(cancelled),
      paragraphs: [cancelled.text, cancelled.next],
      from: STORE,
      place,
      button: { ...button, label: words.toCode },
      notes: [notAPlayer],
    },
    prize_released: {
      ...shown(released),
      paragraphs: [released.text],
      from: STORE,
      ticket,
      button,
      notes: [notAPlayer],
      rules,
    },
    review_answer: {
      ...shown(answer),
      paragraphs: [LETTER],
      from: STORE,
      letter,
      notes: [words.answered, answer.free],
    },
    review_gesture: {
      ...shown(gesture),
      paragraphs: [LETTER, gesture.text],
      from: STORE,
      ticket,
      letter,
      notes: [words.answered, gesture.free],
    },
  };
}
