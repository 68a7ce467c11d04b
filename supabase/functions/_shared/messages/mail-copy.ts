/** A store with its address, which may be missing, and the words that lead to a map. */
type Place = { at: string; map: string };

/** Name of the value that is a whole letter, in the words of who wrote it. */
export const LETTER_NAME = "Data.body";

/** Paragraph that is such a letter: its lines are paragraphs of their own. */
export const LETTER = `{{ .${LETTER_NAME} }}`;

/** A mail in words, with the placeholders of the hosted platform. */
export type MailCopy = {
  subject: string;
  /** Preview that a mail program shows beside the subject. */
  preview: string;
  title: string;
  paragraphs: readonly string[];
  /** Somebody's stars and words about a visit; the words may be missing. */
  quote?: { stars: string; rating: string; words: string };
  /** Figures of a period, each with what belongs to it, which may be missing. */
  figures?: readonly { label: string; value: string; detail?: string }[];
  /** Until when something has to be done, or holds. */
  deadline?: { label: string; day: string };
  /** Amount to pay, where it is known. */
  due?: { label: string; amount: string };
  /** Whether the mail carries a code to type; `alone` when there is no button. */
  code?: { label: string; alone: boolean };
  /** A prize: what it is, the code that a person and a till read, until when, and where. */
  ticket?: Place & { prize: string; code: string; until: string; anywhere: string };
  /** Where to go, for a mail without a ticket. */
  place?: Place;
  /** A merchant's mail: the name at its head and in the sender's. It looks as they do. */
  from?: "{{ .Data.store }}" | "{{ .Data.organization }}";
  /** The service's own word to the merchant, who reads it as the sender whatever the mail looks like. */
  isContract?: true;
  /** Read by people who need no account with us. */
  isForAnybody?: true;
  /** Written by somebody who greets for themselves: where an answer goes, and who sends it where no merchant does. */
  letter?: { from?: string; replyTo: string };
  button?: { label: string; url: string };
  /** Small print under the button. */
  notes: readonly string[];
  /** Where the rules of the game stand, where it is known which hold. */
  rules?: { label: string; url: string };
  /** For a customer who agreed to marketing: what was agreed to, and the label of the link that withdraws it. */
  offers?: { why: string; stop: string };
  /** Subscription that one click ends, and the label of that link. */
  unsubscribe?: { kind: "alert" | "summary" | "report"; label: string };
};

/** Words of the frame around every mail; what an account's mails say beside, `mails.copy.ts` has. */
export type MailFrame = {
  colon: string;
  greeting: string;
  visibleLink: string;
  footer: string;
  sentFor: (name: string) => string;
  sender: (name: string) => string;
  operator: string;
  contact: string;
  automatic: string;
  automaticToAnybody: string;
  byForm: string;
  notifications: string;
  qr: string;
};
