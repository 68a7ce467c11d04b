import type { Wording } from "#domain/text/wording.ts";
import type { shellCopy as french } from "./page-shell.copy.ts";

/** Spanish around the steps: whose wheel it is, its rules, and what becomes of data. */
export const shellCopy = {
  language: "es",
  switchLanguage: "Idioma de la página:",
  poweredBy: "Una ruleta",
  rules: {
    title: "Cómo funciona",
    points: [
      "Solo decide el azar: el sorteo se hace cuando giras la ruleta, y la ruleta se para en lo que ha salido.",
      "No se pide ninguna compra, ni tampoco una opinión: se puede jugar sin darla.",
      "Tus posibilidades son las mismas con 1 estrella, con 5 o sin opinión.",
      "Todas las partes se dibujan del mismo tamaño; las probabilidades de cada premio las fija el organizador.",
    ],
    pointsEnd: {
      after: (days) =>
        `Los puntos ganados se gastan en los ${days} día${days === 1 ? "" : "s"} siguientes al premio.`,
      never: "Los puntos ganados no caducan.",
      byPrize: "Las bases dicen, para cada premio, hasta cuándo se gastan sus puntos.",
    },
    organizer: (name) => `Juego organizado por ${name}.`,
    full: "Bases completas del juego",
  },
  privacy: {
    title: "Tus datos",
    policy: "Política de privacidad (en francés)",
    points: (organizer) => [
      `${organizer} recibe tus datos para guardar tu opinión y tu premio, y recordártelo una vez antes de que termine. Sin tu consentimiento, no se usan para ninguna publicidad.`,
      "Se borran como muy tarde a los 3 años.",
      "Para que todos jueguen en igualdad, se guarda durante 13 meses una huella cifrada de este dispositivo, que no sirve para nada más.",
      `Para consultar, corregir o borrar tus datos, dirígete al organizador: ${organizer}.`,
    ],
  },
} satisfies Wording<typeof french>;
