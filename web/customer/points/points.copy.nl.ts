import { locale } from "#domain/text/locale.copy.nl.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { pointsCopy as french } from "./points.copy.ts";

const number = new Intl.NumberFormat(locale);

function points(count: number): string {
  return `${number.format(count)} ${count === 1 ? "punt" : "punten"}`;
}

/** Dutch of one's points, and of what they buy. */
export const pointsCopy = {
  title: "Je punten",
  balance: points,
  loading: "Je punten worden geladen…",
  failed: "Je punten zijn nu niet te zien. Ze blijven van jou.",
  offline: "Geen verbinding: dit zijn je punten zoals ze de vorige keer waren.",
  retry: "Opnieuw proberen",
  next: (missing, reward) => `Nog ${points(missing)} tot ‘${reward}’.`,
  ready: (reward) => `Je kunt ‘${reward}’ krijgen.`,
  none: "Deze winkel heeft nog geen cadeau om in te wisselen. Je punten blijven van jou.",
  ends: (count, day) => `${points(count)} te besteden voor het einde van ${day}.`,
  list: "In te wisselen voor je punten",
  missing: (count) => `Nog ${points(count)}`,
  soldOut: "Op",
  exchange: "Inwisselen",
  exchangeFor: (reward) => `Inwisselen voor ${reward}`,
  ask: (cost, reward) => `${points(cost)} inwisselen voor ‘${reward}’?`,
  consequence:
    "Je krijgt een code om binnen 30 dagen aan de kassa te laten zien. Wordt hij niet gebruikt, dan krijg je je punten terug.",
  confirm: "Ja, inwisselen",
  cancel: "Annuleren",
  sending: "Bezig met inwisselen…",
  noAnswer: "Er kwam geen antwoord. Probeer het opnieuw: het wordt maar één keer ingewisseld.",
  anywhere: (organization) => `een van de winkels van ${organization}`,
  nowhere: "Winkel gesloten",
  codes: "Je ingewisselde cadeaus",
  used: (day) => `Gebruikt op ${day}`,
  expired: "Verlopen, punten teruggegeven",
} satisfies Wording<typeof french>;
