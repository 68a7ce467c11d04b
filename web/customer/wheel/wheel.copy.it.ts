import type { Wording } from "#domain/text/wording.ts";
import type { wheelCopy as french } from "./wheel.copy.ts";

/** Italian of the wheel page until it stops. */
export const wheelCopy = {
  pageTitle: (store) => `La ruota – ${store}`,
  pageDescription: (store) =>
    `${store}: un giro della ruota estratto a caso, senza acquisto né opinione obbligatoria. Il premio si mostra alla cassa.`,
  backToReview: "Torna all'opinione",
  test: {
    title: "Modalità di prova",
    hint: "Ciò che scrivi non viene né inviato né conservato, e non c'è nulla da vincere.",
    realJourney: "Vai alla pagina vera",
  },
  name: {
    title: "Come ti chiami?",
    intro: "Il tuo nome compare sul premio, per la consegna in negozio.",
    label: "Il tuo nome",
    submit: "Continua",
  },
  ready: {
    title: "La ruota è tua",
    titleOver: "Sarà per un'altra volta",
    chance: "Decide solo il caso, qualunque sia la tua opinione.",
    rules: "Regolamento",
    spin: "Gira la ruota",
    retry: "Riprova",
    editContact: "Modifica i miei dati",
    lots: "Sulla ruota:",
    resting: "La ruota sta riposando",
    restingHint: "Tutti i giri sono stati giocati. Torna presto.",
  },
  spinning: { title: "La ruota gira…", wait: "Buona fortuna" },
  stopped: (label) => `La ruota si è fermata su «${label}».`,
} satisfies Wording<typeof french>;
