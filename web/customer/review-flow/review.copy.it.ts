import type { Wording } from "#domain/text/wording.ts";
import type { reviewCopy as french } from "./review.copy.ts";

/** Italian of the review page after its first step. */
export const reviewCopy = {
  rating: {
    title: "Com'è andata la tua visita?",
    hint: "Tocca una stella ed è inviato.",
    group: "Il tuo voto, da 1 a 5 stelle",
    lowest: "Deludente",
    highest: "Perfetta",
    sending: "Invio della tua opinione…",
    kept: (rating) => `Il tuo voto, ${rating} su 5, è conservato qui.`,
    editDetails: "Modifica i miei dati",
  },
  google: {
    title: "Grazie. E se lo dicessi a tutti?",
    intro: (store) =>
      `Una recensione pubblica aiuta ${store} e chi cerca un buon indirizzo. Le tue probabilità nel gioco restano le stesse.`,
    leave: "Lascia una recensione pubblica",
    where: (host) => `Su ${host}, in un'altra scheda`,
    skip: "Continua senza recensione pubblica",
  },
  feedback: {
    title: "Che cosa poteva andare meglio?",
    intro: (store) =>
      `${store}: il tuo messaggio arriva direttamente al personale. Non viene pubblicato.`,
    label: "Il tuo messaggio",
    missing: (count) => (count === 1 ? "Ancora 1 carattere" : `Ancora ${count} caratteri`),
    enough: "Va bene così, puoi inviare.",
    submit: "Invia",
  },
  ready: {
    title: "Tocca a te girare la ruota",
    titleResting: "Grazie per la tua opinione",
    saved: "Grazie, la tua opinione è registrata.",
    blind: "Non cambia nulla nelle tue probabilità: decide solo il caso.",
    opened: (host) =>
      `La pagina delle recensioni pubbliche, su ${host}, si apre in un'altra scheda.`,
    play: "Gira la ruota",
    leave: "Lascia una recensione pubblica",
    resting: "La ruota sta riposando",
    restingHint: "Torna presto a tentare la fortuna.",
  },
  restart: "Nuova visita? Ricomincia",
} satisfies Wording<typeof french>;
