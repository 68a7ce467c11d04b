import type { Wording } from "../domain/text/wording.ts";
import type { customerMailsCopy as french } from "./customer-mails.copy.ts";

/** Italian of the mails to customers. */
export const customerMailsCopy = {
  colon: ":",
  frame: {
    greeting: "Ciao{{ if .Data.full_name }} {{ .Data.full_name }}{{ end }},",
    visibleLink: "Il pulsante non risponde? Copia questo indirizzo nel tuo browser:",
    footer: "Tournavis, recensioni e una ruota per i tuoi clienti",
    sentFor: (name) => `Inviato da Tournavis per conto di ${name}`,
    sender: (name) => `${name} tramite Tournavis`,
    operator: "{{ if .Operator }}Servizio gestito da {{ .Operator }}.{{ end }}",
    contact: "{{ if .Contact }}Per scriverci: {{ .Contact }}{{ end }}",
    automaticToAnybody: "Messaggio automatico.",
    qr: "Codice QR da mostrare alla cassa",
  },
  ticket: {
    code: "Il tuo codice:",
    until: "{{ if .Data.until }}Valido fino a {{ .Data.until }}{{ end }}",
    anywhere: "{{ if .Data.anywhere }}Valido in tutti i negozi{{ end }}",
    map: "Vedi sulla mappa",
  },
  toPrize: "Vedi il mio premio",
  toCode: "Vedi il mio codice",
  rules: "Regolamento del gioco (fa fede il solo testo francese)",
  notAPlayer: "Non hai giocato? Ignora questo messaggio.",
  offers: {
    why: "Ha accettato di ricevere le offerte di {{ .Data.organizer }}.",
    stop: "Non riceverle più",
  },
  answered:
    "Hai lasciato una recensione da {{ .Data.store }}. Per scrivere al negozio, rispondi semplicemente a questo messaggio.",
  prize: {
    subject: "Il tuo premio da {{ .Data.store }}",
    preview:
      "Il codice da mostrare alla cassa{{ if .Data.until }}, fino a {{ .Data.until }}{{ end }}.",
    title: "Il tuo premio ti aspetta",
    text: "{{ .Data.store }}: mostra questo codice alla cassa. Vale una volta sola.",
    why: "Questo messaggio è stato richiesto dal telefono che ha vinto. Il tuo indirizzo serve solo per questo premio.",
  },
  reminder: {
    subject: "Il tuo premio da {{ .Data.store }} ti aspetta fino a {{ .Data.until }}",
    preview: "Il codice da mostrare alla cassa prima della scadenza.",
    title: "Ancora pochi giorni",
    text: "Il tuo premio da {{ .Data.store }} ti aspetta ancora. Mostra questo codice alla cassa: vale una volta sola.",
    why: "Questo è l'unico promemoria per questo premio. Il tuo indirizzo è stato dato per ritrovarlo; qui non serve a nessuna pubblicità.",
  },
  held: {
    subject: "Il tuo premio da {{ .Data.store }} è in fase di verifica",
    preview: "Nulla è perduto: per ora non c'è niente da fare.",
    title: "Ancora un po' di pazienza",
    text: "{{ .Data.store }} sta verificando il tuo premio{{ if .Data.prize }} «{{ .Data.prize }}»{{ end }} prima di consegnarlo. Nulla è perduto: conserva il tuo codice.",
    next: "Appena sarà di nuovo valido ti scriveremo, e avrai altrettanti giorni in più per usarlo.",
  },
  cancelled: {
    subject: "Il tuo premio da {{ .Data.store }} è stato annullato",
    preview: "Un errore? Parlane con il personale del negozio.",
    title: "Questo premio è stato annullato",
    text: "Dopo una verifica, {{ .Data.store }} ha annullato il premio{{ if .Data.prize }} «{{ .Data.prize }}»{{ end }}: il suo codice non è più valido.",
    next: "È un errore? Ci dispiace. Mostra il tuo codice al personale del negozio: può ridartelo.",
  },
  released: {
    subject: "Il tuo premio da {{ .Data.store }} è di nuovo valido",
    preview: "La verifica è terminata: il tuo codice ti aspetta.",
    title: "Il tuo premio ti aspetta",
    text: "{{ .Data.store }} ha terminato la verifica: il tuo premio{{ if .Data.prize }} «{{ .Data.prize }}»{{ end }} è di nuovo valido. Grazie per la pazienza! Mostra questo codice alla cassa: vale una volta sola.",
  },
  answer: {
    subject: "{{ .Data.store }} ti risponde",
    preview: "Una risposta alla recensione che hai lasciato.",
    title: "{{ .Data.store }} ti risponde",
    free: "Questo messaggio non chiede nulla in cambio: non devi modificare o togliere alcuna recensione pubblica.",
  },
  gesture: {
    subject: "{{ .Data.store }} ti risponde, con un pensiero per te",
    preview: "Una risposta alla tua recensione e un codice da mostrare alla cassa.",
    title: "{{ .Data.store }} ti risponde",
    text: "Per te, da {{ .Data.store }}: mostra questo codice alla cassa. Vale una volta sola.",
    free: "Questo gesto non chiede nulla in cambio: non devi modificare o togliere alcuna recensione pubblica.",
  },
} satisfies Wording<typeof french>;
