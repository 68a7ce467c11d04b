import type { Wording } from "#domain/text/wording.ts";
import type { followingStepCopy as french } from "./following-step.copy.ts";

/** Italian of the steps around the wheel: the contact before it, the result after it. */
export const followingStepCopy = {
  sound: "Suono della ruota",
  testAgain: "Prova di nuovo",
  contact: {
    title: "Come possiamo contattarti?",
    intro: "Basta un'e-mail o un telefono. Serve a ritrovare il tuo premio.",
    submit: "Continua",
  },
  win: {
    title: (firstName, prize) =>
      `Complimenti${firstName === "" ? "" : ` ${firstName}`}, ${prize.replace(/[\s!]+$/, "")}!`,
    keep: "Conserva il premio",
    kept: "Conservato su questo telefono: torna su questa pagina per rivederlo.",
    notKept: "Annota questo codice o fai uno screenshot: questo browser non conserva nulla.",
    credited: "I tuoi punti sono stati accreditati. Non c'è nessun codice da mostrare.",
  },
  loss: {
    title: "Non questa volta",
    thanks: "Grazie per aver giocato.",
  },
} satisfies Wording<typeof french>;
