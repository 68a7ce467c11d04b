import type { Wording } from "#domain/text/wording.ts";
import type { keepCopy as french } from "./keep.copy.ts";

/** Italian of what one can do with a prize to find it again. */
export const keepCopy = {
  pageTitle: (store) => `I miei premi – ${store}`,
  title: "I miei premi",
  page: "Ritrova i miei premi",
  play: "Torna al gioco",
  none: "Nessun premio aspetta su questo telefono.",
  noneHint:
    "Vinto altrove o cancellato con i dati del browser? Il codice ricevuto via e-mail, annotato o fotografato resta valido alla cassa.",
  offline: "Nessuna connessione: quanto segue è conservato su questo telefono.",
  mailedMissing: "Il premio di questa e-mail non esiste più.",
  mailedOffline: "Senza connessione il premio dell'e-mail non si può aprire.",
  calendar: {
    action: "Aggiungi al calendario",
    file: "premio.ics",
    title: (prize, store) => `Ultimo giorno per ritirare «${prize}» – ${store}`,
    text: (code, store) => `${store}: mostra il codice ${code} alla cassa.`,
  },
  mail: {
    action: "Inviamelo via e-mail",
    sending: "Invio in corso…",
    sentTo: (address) => `Inviato a ${address}. Guarda anche nella posta indesiderata.`,
    sentBefore: "È già partito. Guarda anche nella posta indesiderata.",
    address: "A quale indirizzo?",
    send: "Invia",
    offline: "Senza connessione l'e-mail non parte. Riprova quando torna.",
  },
  used: (date) => `Usato ${date}`,
  expired: "Scaduto",
  drop: "Toglilo da qui",
} satisfies Wording<typeof french>;
