import type { Wording } from "#domain/text/wording.ts";
import type { keepCopy as french } from "./keep.copy.ts";

/** Dutch of what one can do with a prize to find it again. */
export const keepCopy = {
  pageTitle: (store) => `Mijn prijzen – ${store}`,
  title: "Mijn prijzen",
  page: "Mijn prijzen terugvinden",
  play: "Terug naar het spel",
  none: "Er wacht geen prijs op deze telefoon.",
  noneHint:
    "Ergens anders gewonnen, of gewist met de gegevens van de browser? De code die je per e-mail kreeg, noteerde of fotografeerde, blijft geldig aan de kassa.",
  offline: "Geen verbinding: wat volgt is bewaard op deze telefoon.",
  mailedMissing: "De prijs uit deze e-mail bestaat niet meer.",
  mailedOffline: "Zonder verbinding kan de prijs uit de e-mail niet worden geopend.",
  calendar: {
    action: "Aan de agenda toevoegen",
    file: "prijs.ics",
    title: (prize, store) => `Laatste dag om ‘${prize}’ af te halen – ${store}`,
    text: (code, store) => `Laat de code ${code} zien aan de kassa van ${store}.`,
  },
  mail: {
    action: "Naar mij mailen",
    sending: "Bezig met versturen…",
    sentTo: (address) => `Verstuurd naar ${address}. Kijk ook bij de ongewenste mail.`,
    sentBefore: "Al verstuurd. Kijk ook bij de ongewenste mail.",
    address: "Naar welk adres?",
    send: "Versturen",
    offline: "Zonder verbinding gaat de e-mail niet weg. Probeer het opnieuw als die terug is.",
  },
  used: (date) => `Gebruikt op ${date}`,
  expired: "Verlopen",
  drop: "Hier verwijderen",
} satisfies Wording<typeof french>;
