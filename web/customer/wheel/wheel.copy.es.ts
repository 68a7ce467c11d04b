import type { Wording } from "#domain/text/wording.ts";
import type { wheelCopy as french } from "./wheel.copy.ts";

/** Spanish of the wheel page until it stops. */
export const wheelCopy = {
  pageTitle: (store) => `La ruleta – ${store}`,
  pageDescription: (store) =>
    `${store}: un giro de la ruleta sorteado al azar, sin compra ni opinión obligatoria. El premio se enseña en caja.`,
  backToReview: "Volver a la opinión",
  test: {
    title: "Modo de prueba",
    hint: "Lo que escribes no se envía ni se guarda, y no hay nada que ganar.",
    realJourney: "Ir a la página real",
  },
  name: {
    title: "¿Cómo te llamas?",
    intro: "Tu nombre figura en el premio, para la entrega en la tienda.",
    label: "Tu nombre",
    submit: "Continuar",
  },
  ready: {
    title: "La ruleta es tuya",
    titleOver: "Otra vez será",
    chance: "Solo decide el azar, sea cual sea tu opinión.",
    rules: "Bases del juego",
    spin: "Girar la ruleta",
    retry: "Reintentar",
    editContact: "Cambiar mis datos",
    lots: "En la ruleta:",
    resting: "La ruleta está descansando",
    restingHint: "Ya se han jugado todos los giros. Vuelve pronto.",
  },
  spinning: { title: "La ruleta gira…", wait: "Buena suerte" },
  stopped: (label) => `La ruleta se ha parado en «${label}».`,
} satisfies Wording<typeof french>;
