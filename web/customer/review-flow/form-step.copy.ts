import { consentWording } from "#domain/rules/consent.copy.ts";

/** French of the first step of the review page. */
export const formCopy = {
  pageTitle: (store: string) => `Votre avis – ${store}`,
  pageDescription: (store: string) =>
    `Donnez votre avis sur ${store} en une minute, puis tournez la roue\u00a0: le hasard choisit, sans achat, et quelle que soit la note.`,
  star: (rating: number) => `${rating} sur 5`,
  title: "Donnez votre avis, tournez la roue.",
  titleResting: "Donnez votre avis.",
  resting: "La roue se repose en ce moment",
  restingHint: "Votre avis reste le bienvenu.",
  firstName: "Prénom",
  lastName: "Nom",
  contact: "Vous joindre par",
  byEmail: "E-mail",
  byPhone: "Téléphone",
  consent: consentWording,
  submit: "Continuer",
  withoutReview: "Participer sans donner d'avis",
} as const;
