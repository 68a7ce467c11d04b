import type { Wording } from "#domain/text/wording.ts";
import type { offersCopy as french } from "./offers.copy.ts";

/** Dutch of the page by which a customer withdraws their consent to offers. */
export const offersCopy = {
  title: "Geen aanbiedingen meer ontvangen",
  ask: (organizer) =>
    `${organizer} mag u dan geen aanbiedingen meer sturen. Uw prijzen blijven geldig.`,
  confirm: "Toestemming intrekken",
  doneTitle: "Klaar",
  done: (organizer) =>
    `${organizer} mag u geen aanbiedingen meer sturen. Uw prijzen blijven geldig. Bedenkt u zich, vink het vakje dan bij uw volgende bezoek weer aan.`,
  shop: "Deze zaak",
  gone: "Deze zaak gebruikt onze dienst niet meer: hier wordt niets meer over u bewaard.",
  badTitle: "Onvolledige link",
  bad: "Open de link in de e-mail opnieuw, of vraag de zaak om uw toestemming in te trekken.",
  failed: "Uw keuze kon niet worden opgeslagen. Probeer het opnieuw.",
  loading: "Een ogenblik",
} satisfies Wording<typeof french>;
