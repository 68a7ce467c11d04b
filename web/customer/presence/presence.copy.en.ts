import type { Wording } from "#domain/text/wording.ts";
import type { presenceCopy as french } from "./presence.copy.ts";

/** English of the proof that somebody is in the store. */
export const presenceCopy = {
  title: "Are you in the shop?",
  submit: "Confirm and spin the wheel",
  empty: "Fill this in to spin the wheel.",
  kinds: {
    turning: {
      label: "Code shown at the till",
      hint: "Copy the six digits shown at the till. They change every 30 seconds. No purchase is needed.",
    },
    word: {
      label: "Word of the day",
      hint: "Copy the word displayed at the counter. No purchase is needed.",
    },
    receipt: {
      label: "Last 4 digits of your receipt",
      hint: "Without a receipt, the team gives you four digits on request.",
    },
  },
  scanned: "Noted: you are in the shop.",
  notScanned: "This code has changed. Scan the screen at the till again.",
  notSent: "No connection just now. Scan the screen at the till again.",
} satisfies Wording<typeof french>;
