import type { Wording } from "#domain/text/wording.ts";
import type { offersCopy as french } from "./offers.copy.ts";

/** English of the page by which a customer withdraws their consent to offers. */
export const offersCopy = {
  title: "Stop receiving offers",
  ask: (organizer) =>
    `${organizer} will no longer be allowed to send you offers. Your prizes stay valid.`,
  confirm: "Withdraw my consent",
  doneTitle: "Done",
  done: (organizer) =>
    `${organizer} may no longer send you offers. Your prizes stay valid. If you change your mind, tick the box again on your next visit.`,
  shop: "This business",
  gone: "This business no longer uses our service: it keeps nothing about you here.",
  badTitle: "Incomplete link",
  bad: "Open the link in the e-mail again, or ask the business to withdraw your consent.",
  failed: "Your choice could not be saved. Please try again.",
  loading: "One moment",
} satisfies Wording<typeof french>;
