import type { Wording } from "#domain/text/wording.ts";
import type { keepCopy as french } from "./keep.copy.ts";

/** English of what one can do with a prize to find it again. */
export const keepCopy = {
  pageTitle: (store) => `My prizes – ${store}`,
  title: "My prizes",
  page: "Find my prizes",
  play: "Back to the game",
  none: "No prize is waiting on this phone.",
  noneHint:
    "Won on another phone, or deleted with the browser's data? The code you received by email, wrote down or photographed is still valid at the till.",
  offline: "No connection: what follows is kept on this phone.",
  mailedMissing: "The prize of this email no longer exists.",
  mailedOffline: "Without a connection, the prize of the email cannot be opened.",
  calendar: {
    action: "Add to calendar",
    file: "prize.ics",
    title: (prize, store) => `Last day to collect “${prize}” – ${store}`,
    text: (code, store) => `Show the code ${code} at the till of ${store}.`,
  },
  mail: {
    action: "Email it to me",
    sending: "Sending…",
    sentTo: (address) => `Sent to ${address}. Check your spam folder too.`,
    sentBefore: "It has already been sent. Check your spam folder too.",
    address: "To which address?",
    send: "Send",
    offline: "Without a connection, the email cannot be sent. Try again when it is back.",
  },
  used: (date) => `Used on ${date}`,
  expired: "Expired",
  drop: "Remove it from here",
} satisfies Wording<typeof french>;
