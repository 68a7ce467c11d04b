import type { Wording } from "#domain/text/wording.ts";
import type { rulesCopy as french } from "./rules.copy.ts";

const days = (count: number) => (count === 1 ? "1 dag" : `${count} dagen`);

/** Dutch of the rules of the draw: a translation, beside the French text that governs. */
export const rulesCopy = {
  pageTitle: (store) => `Spelregels – ${store}`,
  title: "Spelregels",
  version: (version, date) => `Versie ${version}, van kracht sinds ${date}`,
  formerVersion: (version, date) =>
    `Versie ${version}, gepubliceerd op ${date}. Dit is niet de geldende versie.`,
  current: "De geldende versie lezen",
  play: "Terug naar het spel",
  organizer: {
    title: "De organisator",
    text: (name, store, address) =>
      `Het spel wordt georganiseerd door ${name}, voor de vestiging ${store}, ${address}. Daar is de organisator te bereiken, ter plaatse of per post.`,
  },
  game: {
    title: "Het spel en de data",
    text: "Het spel is een rad waaraan je op je eigen telefoon draait, nadat je de pagina van het spel hebt geopend met de QR-code van de zaak of met het adres.",
    from: (start) => `Het begint op ${start}.`,
    openStart: "Het is open zodra de pagina online staat.",
    until: (end) => `Het eindigt op ${end}.`,
    openEnd:
      "Er is vooraf geen einddatum vastgelegd. Het eindigt wanneer de organisator de pagina weghaalt.",
    zone: (zone) => `De tijden zijn die van de winkel: ${zone}.`,
  },
  entry: {
    title: "Wie mag spelen, en onder welke voorwaarden",
    free: "Deelname is gratis. Er is geen aankoop nodig.",
    noReview:
      "Er wordt ook geen beoordeling gevraagd: op de eerste pagina kun je meedoen zonder er een te geven. Wie er een geeft, doet dat vrij, goed of slecht.",
    who: "Iedereen mag spelen die zijn naam en een eigen e-mailadres of telefoonnummer opgeeft. Die gegevens dienen om de prijs terug te vinden.",
    every: (count) =>
      count === 1
        ? "Iedereen mag één keer per dag spelen."
        : `Iedereen mag één keer per ${days(count)} spelen.`,
    unlimited: "Iedereen mag zo vaak spelen als hij wil, hooguit 30 keer per uur.",
    presence: {
      turning:
        "Om te spelen moet je in de zaak zijn: er wordt een code gevraagd die bij de kassa te zien is en elke 30 seconden verandert. Iedereen kan die zien, zonder aankoop.",
      word: "Om te spelen moet je in de zaak zijn: er wordt gevraagd naar het woord van de dag, dat op de toonbank staat. Iedereen kan het zien, zonder aankoop.",
      receipt:
        "Om te spelen moet je in de zaak zijn: er wordt gevraagd naar de laatste vier cijfers van een kassabon. Zonder aankoop geeft het team er op verzoek vier: de kansen zijn dezelfde.",
    },
    fair: "Zodat iedereen gelijke kansen heeft, is het aantal keren draaien per toestel per uur beperkt.",
  },
  prizes: {
    title: "Prijzen en kansen",
    none: "Op dit moment zijn er geen prijzen te winnen: het rad kan niet worden gespeeld.",
    caption: "Te winnen prijzen, en kansen per keer draaien",
    name: "Prijs",
    value: "Waarde",
    number: "Aantal",
    odds: "Kans",
    noValue: "zonder opgegeven handelswaarde",
    noLimit: "onbeperkt",
    shared: "Het aantal geldt voor dit spel en andere van dezelfde organisator samen.",
    lose: "Geen prijs",
    segments: (labels) => `Op het rad: ${labels.map((label) => `“${label}”`).join(", ")}`,
    discount: (percent) => `${percent} korting`,
    points: (count) => `${count} punten`,
    maxPerUser: (count) =>
      count === 1
        ? "Eenzelfde persoon kan deze prijs één keer winnen."
        : `Eenzelfde persoon kan deze prijs hooguit ${count} keer winnen.`,
    validity: (count) => `Af te halen binnen ${days(count)} na de winst.`,
    pointsValidity: (count) => `Te besteden binnen ${days(count)} na de winst.`,
    equal:
      "De kansen gelden voor elke keer draaien. Ze zijn gelijk met 1 ster, met 5 of zonder beoordeling. De vakken op het rad zijn allemaal even groot getekend, wat de kansen ook zijn.",
    usedUpToLosing:
      "Is een prijs op, of heeft iemand die zo vaak gewonnen als is toegestaan, dan gaat de kans naar verhouding naar de vakken die niets winnen.",
    usedUpToPrizes:
      "Is een prijs op, of heeft iemand die zo vaak gewonnen als is toegestaan, dan gaat de kans naar verhouding naar de andere prijzen. Zijn er geen meer, dan kan het rad niet meer worden gespeeld.",
  },
  draw: {
    title: "De trekking",
    text: "Alleen het toeval wijst de winnaar aan. De server van het spel doet de trekking op het moment dat het rad wordt gedraaid, met een cryptografische generator van willekeurige getallen. Die kent noch het cijfer noch de tekst van een beoordeling. Het rad stopt daarna op wat er is getrokken.",
  },
  collect: {
    title: "Je prijs afhalen",
    code: (store) =>
      `De prijs verschijnt meteen, met een code. Je krijgt hem op vertoon van die code aan de kassa van ${store}, vóór de uiterste datum die onder de code staat. Een code geldt één keer.`,
    points: "Gewonnen punten worden meteen bijgeschreven, zonder code.",
    exchange: "Een prijs kan niet worden geruild voor geld of voor een andere prijs.",
  },
  data: {
    title: "Je gegevens",
    points: (organizer, years, months) => [
      `${organizer} is verantwoordelijk voor de verwerking van de contactgegevens en de beoordeling, en ontvangt ze om de deelname te registreren, de prijs uit te reiken en meervoudige deelname te voorkomen. Zonder apart gegeven toestemming worden ze voor geen enkele reclame gebruikt.`,
      `Ze worden uiterlijk ${years} jaar na het laatste bezoek gewist. De versleutelde vingerafdruk van het toestel wordt ${months} maanden bewaard.`,
      `Iedereen kan zijn gegevens inzien, verbeteren of wissen, of bezwaar maken tegen het gebruik ervan, bij ${organizer}. Een klacht kan worden ingediend bij de CNIL (cnil.fr), de Franse autoriteit voor gegevensbescherming.`,
    ],
    policy: "Privacybeleid (in het Frans)",
  },
  service: {
    title: "De dienst",
    text: "De pagina van het spel, de trekking en de codes worden geleverd door Tournavis.",
    by: (company, address) =>
      `De pagina van het spel, de trekking en de codes worden geleverd door Tournavis, een dienst van ${company}${address === null ? "" : `, ${address}`}.`,
    contact: "Adres van de dienst:",
    law: "Op het spel is het Franse recht van toepassing. Wie meedoet, aanvaardt de versie van deze spelregels die op dat moment geldt.",
  },
  versions: {
    title: "Versies van de spelregels",
    text: "Elke verandering van het spel geeft een nieuwe versie. Bij elke keer draaien blijft de versie bewaard waaronder is gespeeld.",
    item: (version, date) => `Versie ${version}, gepubliceerd op ${date}`,
    inForce: "van kracht",
  },
} satisfies Wording<typeof french>;
