import type { Wording } from "#domain/text/wording.ts";
import type { paperCopy as french } from "./paper.copy.ts";

/** Spanish of what is printed on posters. */
export const paperCopy = {
  welcome: "¡Bienvenidos!",
  headline: "Da tu opinión, gira la ruleta.",
  chance: "Prueba suerte",
  scan: "Escanea con tu móvil",
  smallPrint: (rules) => `Juego gratuito, sin obligación de compra ni de opinión. Bases: ${rules}`,
  title: (store) => `Da tu opinión, gira la ruleta: ${store}`,
} satisfies Wording<typeof french>;
