import type { Wording } from "#domain/text/wording.ts";
import type { shellCopy as french } from "./page-shell.copy.ts";

/** Italian around the steps: whose wheel it is, its rules, and what becomes of data. */
export const shellCopy = {
  language: "it",
  switchLanguage: "Lingua della pagina:",
  poweredBy: "Una ruota",
  rules: {
    title: "Come funziona",
    points: [
      "Decide solo il caso: l'estrazione avviene quando giri la ruota, e la ruota si ferma su ciò che è uscito.",
      "Non è richiesto alcun acquisto, e nemmeno un'opinione: si può giocare senza darla.",
      "Le tue probabilità sono le stesse con 1 stella, con 5 o senza opinione.",
      "Gli spicchi disegnati sono tutti uguali; le probabilità di ogni premio le stabilisce l'organizzatore.",
    ],
    pointsEnd: {
      after: (days) =>
        `I punti vinti si spendono entro ${days} giorn${days === 1 ? "o" : "i"} dalla vincita.`,
      never: "I punti vinti non scadono.",
      byPrize: "Il regolamento dice, per ogni premio, fino a quando si spendono i suoi punti.",
    },
    organizer: (name) => `Gioco organizzato da ${name}.`,
    full: "Regolamento completo del gioco",
  },
  privacy: {
    title: "I tuoi dati",
    policy: "Informativa sulla privacy (in francese)",
    points: (organizer) => [
      `${organizer} riceve i tuoi dati per registrare la tua opinione e il tuo premio, e per ricordartelo una volta prima che scada. Senza il tuo consenso non servono ad alcuna pubblicità.`,
      "Vengono cancellati al più tardi dopo 3 anni.",
      "Perché tutti giochino alla pari, un'impronta cifrata di questo dispositivo è conservata per 13 mesi e serve solo a questo.",
      `Per consultare, correggere o cancellare i tuoi dati, rivolgiti all'organizzatore: ${organizer}.`,
    ],
  },
} satisfies Wording<typeof french>;
