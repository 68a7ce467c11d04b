import type { Wording } from "#domain/text/wording.ts";
import type { followingStepCopy as french } from "./following-step.copy.ts";

/** Dutch of the steps around the wheel: the contact before it, the result after it. */
export const followingStepCopy = {
  sound: "Geluid van het rad",
  testAgain: "Nog eens testen",
  contact: {
    title: "Hoe kunnen we je bereiken?",
    intro: "Een e-mailadres of telefoonnummer is genoeg. Daarmee vinden we je prijs terug.",
    submit: "Verder",
  },
  win: {
    title: (firstName, prize) =>
      `Gefeliciteerd${firstName === "" ? "" : ` ${firstName}`}, ${prize.replace(/[\s!]+$/, "")}!`,
    keep: "Mijn prijs bewaren",
    kept: "Bewaard op deze telefoon: kom terug naar deze pagina om hem weer te zien.",
    notKept: "Noteer deze code of maak een schermafbeelding: deze browser bewaart niets.",
    credited: "Je punten zijn bijgeschreven. Je hoeft geen code te laten zien.",
  },
  loss: {
    title: "Deze keer niet",
    thanks: "Bedankt voor het meespelen.",
  },
} satisfies Wording<typeof french>;
