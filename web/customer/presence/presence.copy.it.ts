import type { Wording } from "#domain/text/wording.ts";
import type { presenceCopy as french } from "./presence.copy.ts";

/** Italian of the proof that somebody is in the store. */
export const presenceCopy = {
  title: "Sei in negozio?",
  submit: "Conferma e gira la ruota",
  empty: "Indicalo per girare la ruota.",
  kinds: {
    turning: {
      label: "Codice mostrato alla cassa",
      hint: "Copia le sei cifre mostrate alla cassa. Cambiano ogni 30 secondi. Non è richiesto alcun acquisto.",
    },
    word: {
      label: "Parola del giorno",
      hint: "Copia la parola esposta al banco. Non è richiesto alcun acquisto.",
    },
    receipt: {
      label: "Ultime 4 cifre del tuo scontrino",
      hint: "Senza scontrino, il personale ti dà quattro cifre su semplice richiesta.",
    },
  },
  scanned: "Annotato: sei in negozio.",
  notScanned: "Questo codice è cambiato. Scansiona di nuovo lo schermo della cassa.",
  notSent: "Nessuna connessione al momento. Scansiona di nuovo lo schermo della cassa.",
} satisfies Wording<typeof french>;
