import type { Wording } from "#domain/text/wording.ts";
import type { paperCopy as french } from "./paper.copy.ts";

/** Italian of what is printed on posters. */
export const paperCopy = {
  welcome: "Benvenuti!",
  headline: "Lascia la tua opinione, gira la ruota.",
  chance: "Tenta la fortuna",
  scan: "Inquadra con il telefono",
  smallPrint: (rules) =>
    `Gioco gratuito, senza obbligo di acquisto né di opinione. Regolamento: ${rules}`,
  title: (store) => `Lascia la tua opinione, gira la ruota: ${store}`,
} satisfies Wording<typeof french>;
