import type { Wording } from "#domain/text/wording.ts";
import type { closedCopy as french } from "./closed.copy.ts";

/** Spanish of a campaign at which nobody can play. */
export const closedCopy = {
  ended: (store) => `${store}: la ruleta ha dejado de girar. Gracias a todos los que han jugado.`,
  endedOn: (store, day) =>
    `${store}: la ruleta giró hasta el ${day}. Gracias a todos los que han jugado.`,
  paused: (store) => `${store}: la ruleta hace una pausa. Quizá vuelva pronto: pásate otra vez.`,
  upcoming: (store, moment) => `${store}: la ruleta empieza a girar el ${moment}. Hasta pronto.`,
  otherWheels: "Estas ruletas giran ahora mismo",
  allWheels: "Todas las ruletas abiertas",
  prizes: "Un premio ya ganado sigue siendo válido hasta su fecha.",
  myPrizes: "Ver mis premios",
} satisfies Wording<typeof french>;
