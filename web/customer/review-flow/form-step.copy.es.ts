import { consentWording } from "#domain/rules/consent.copy.es.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { formCopy as french } from "./form-step.copy.ts";

/** Spanish of the first step of the review page. */
export const formCopy = {
  pageTitle: (store) => `Tu opinión – ${store}`,
  pageDescription: (store) =>
    `Da tu opinión sobre ${store} en un minuto y gira la ruleta: decide el azar, sin compra y sea cual sea la nota.`,
  star: (rating) => `${rating} de 5`,
  title: "Da tu opinión, gira la ruleta.",
  titleResting: "Da tu opinión.",
  resting: "La ruleta está descansando",
  restingHint: "Tu opinión sigue siendo bienvenida.",
  firstName: "Nombre",
  lastName: "Apellidos",
  contact: "Contactarme por",
  byEmail: "Correo",
  byPhone: "Teléfono",
  consent: consentWording,
  submit: "Continuar",
  withoutReview: "Participar sin dar una opinión",
} satisfies Wording<typeof french>;
