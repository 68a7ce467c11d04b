import type { Wording } from "#domain/text/wording.ts";
import type { followingStepCopy as french } from "./following-step.copy.ts";

/** German of the steps around the wheel: the contact before it, the result after it. */
export const followingStepCopy = {
  sound: "Ton des Rads",
  testAgain: "Noch einmal testen",
  contact: {
    title: "Wie erreichen wir Sie?",
    intro:
      "Eine E-Mail-Adresse oder eine Telefonnummer genügt. Damit finden wir Ihren Gewinn wieder.",
    submit: "Weiter",
  },
  win: {
    title: (firstName, prize) =>
      `Glückwunsch${firstName === "" ? "" : ` ${firstName}`}, ${prize.replace(/[\s!]+$/, "")}!`,
    keep: "Gewinn aufbewahren",
    kept: "Auf diesem Telefon gespeichert: Öffnen Sie diese Seite, um ihn wiederzusehen.",
    notKept:
      "Notieren Sie diesen Code oder machen Sie einen Screenshot: Dieser Browser speichert nichts.",
    credited: "Ihre Punkte sind gutgeschrieben. Sie brauchen keinen Code vorzuzeigen.",
  },
  loss: {
    title: "Diesmal nicht",
    thanks: "Danke fürs Mitspielen.",
  },
} satisfies Wording<typeof french>;
