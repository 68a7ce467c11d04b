import { consentWording } from "#domain/rules/consent.copy.it.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { formCopy as french } from "./form-step.copy.ts";

/** Italian of the first step of the review page. */
export const formCopy = {
  pageTitle: (store) => `La tua opinione – ${store}`,
  pageDescription: (store) =>
    `Lascia la tua opinione su ${store} in un minuto, poi gira la ruota: decide il caso, senza acquisto e qualunque sia il voto.`,
  star: (rating) => `${rating} su 5`,
  title: "Lascia la tua opinione, gira la ruota.",
  titleResting: "Lascia la tua opinione.",
  resting: "La ruota sta riposando",
  restingHint: "La tua opinione è comunque gradita.",
  firstName: "Nome",
  lastName: "Cognome",
  contact: "Contattami via",
  byEmail: "E-mail",
  byPhone: "Telefono",
  consent: consentWording,
  submit: "Continua",
  withoutReview: "Partecipa senza lasciare un'opinione",
} satisfies Wording<typeof french>;
