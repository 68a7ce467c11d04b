import type { Wording } from "../domain/text/wording.ts";
import type { customerMailsCopy as french } from "./customer-mails.copy.ts";

/** Dutch of the mails to customers. */
export const customerMailsCopy = {
  colon: ":",
  frame: {
    greeting: "Dag{{ if .Data.full_name }} {{ .Data.full_name }}{{ end }},",
    visibleLink: "Werkt de knop niet? Kopieer dit adres naar je browser:",
    footer: "Tournavis, reviews en een rad voor je klanten",
    sentFor: (name) => `Verstuurd door Tournavis namens ${name}`,
    sender: (name) => `${name} via Tournavis`,
    operator: "{{ if .Operator }}Dienst beheerd door {{ .Operator }}.{{ end }}",
    contact: "{{ if .Contact }}Om ons te schrijven: {{ .Contact }}{{ end }}",
    automaticToAnybody: "Automatisch bericht.",
    qr: "QR-code om aan de kassa te laten zien",
  },
  ticket: {
    code: "Je code:",
    until: "{{ if .Data.until }}Geldig tot en met {{ .Data.until }}{{ end }}",
    anywhere: "{{ if .Data.anywhere }}Geldig in alle winkels{{ end }}",
    map: "Op de kaart bekijken",
  },
  toPrize: "Mijn prijs bekijken",
  toCode: "Mijn code bekijken",
  rules: "Spelregels (alleen de Franse tekst geldt)",
  notAPlayer: "Heb je niet gespeeld? Negeer dan dit bericht.",
  offers: {
    why: "U hebt ermee ingestemd aanbiedingen van {{ .Data.organizer }} te ontvangen.",
    stop: "Geen aanbiedingen meer ontvangen",
  },
  answered:
    "Je hebt een review achtergelaten bij {{ .Data.store }}. Wil je terugschrijven? Beantwoord dan gewoon dit bericht.",
  prize: {
    subject: "Je prijs bij {{ .Data.store }}",
    preview:
      "De code om aan de kassa te laten zien{{ if .Data.until }}, tot en met {{ .Data.until }}{{ end }}.",
    title: "Je prijs wacht op je",
    text: "Laat deze code zien aan de kassa van {{ .Data.store }}. Hij geldt maar één keer.",
    why: "Dit bericht is aangevraagd vanaf de telefoon die heeft gewonnen. Je adres wordt alleen voor deze prijs gebruikt.",
  },
  reminder: {
    subject: "Je prijs bij {{ .Data.store }} wacht op je tot en met {{ .Data.until }}",
    preview: "De code om vóór het einde aan de kassa te laten zien.",
    title: "Nog maar een paar dagen",
    text: "Je prijs bij {{ .Data.store }} wacht nog op je. Laat deze code zien aan de kassa: hij geldt maar één keer.",
    why: "Dit is de enige herinnering voor deze prijs. Je adres is opgegeven om hem terug te vinden; het wordt hier niet voor reclame gebruikt.",
  },
  held: {
    subject: "Je prijs bij {{ .Data.store }} wordt gecontroleerd",
    preview: "Er is niets verloren: je hoeft nu niets te doen.",
    title: "Nog even geduld",
    text: "{{ .Data.store }} controleert je prijs{{ if .Data.prize }} ‘{{ .Data.prize }}’{{ end }} voordat je hem krijgt. Er is niets verloren: bewaar je code.",
    next: "Zodra hij weer geldig is, schrijven we je, en krijg je evenveel dagen extra om ervan te genieten.",
  },
  cancelled: {
    subject: "Je prijs bij {{ .Data.store }} is geannuleerd",
    preview: "Een vergissing? Praat met het team van de winkel.",
    title: "Deze prijs is geannuleerd",
    text: "Na controle heeft {{ .Data.store }} de prijs{{ if .Data.prize }} ‘{{ .Data.prize }}’{{ end }} geannuleerd: de code is niet meer geldig.",
    next: "Is het een vergissing? Dat spijt ons. Laat je code zien aan het team van de winkel: zij kunnen hem teruggeven.",
  },
  released: {
    subject: "Je prijs bij {{ .Data.store }} is weer geldig",
    preview: "De controle is klaar: je code wacht op je.",
    title: "Je prijs wacht op je",
    text: "{{ .Data.store }} is klaar met de controle: je prijs{{ if .Data.prize }} ‘{{ .Data.prize }}’{{ end }} is weer geldig. Bedankt voor je geduld! Laat deze code zien bij de kassa: hij werkt maar één keer.",
  },
  answer: {
    subject: "{{ .Data.store }} antwoordt je",
    preview: "Een antwoord op de review die je hebt achtergelaten.",
    title: "{{ .Data.store }} antwoordt je",
    free: "Dit bericht vraagt niets terug: je hoeft geen openbare review te wijzigen of te verwijderen.",
  },
  gesture: {
    subject: "{{ .Data.store }} antwoordt je, met een attentie",
    preview: "Een antwoord op je review, en een code om aan de kassa te laten zien.",
    title: "{{ .Data.store }} antwoordt je",
    text: "Voor jou, van {{ .Data.store }}: laat deze code zien aan de kassa. Hij geldt maar één keer.",
    free: "Dit gebaar vraagt niets terug: je hoeft geen openbare review te wijzigen of te verwijderen.",
  },
} satisfies Wording<typeof french>;
