import type { Wording } from "#domain/text/wording.ts";
import type { customerCopy as french } from "./customer.copy.ts";

/** Italian that every phone page shares. */
export const customerCopy = {
  progress: (step, total) => `Passo ${step} di ${total}`,
  loading: "Caricamento…",
  retry: "Riprova",
  sending: "Invio in corso…",
  offline: "La connessione è caduta. Nient'altro è perso: riprova quando torna.",
  startAgain: "Torna all'inizio",
  scriptNeeded: "Per continuare, attiva JavaScript nel tuo browser.",
  email: "Indirizzo e-mail",
  phone: "Numero di telefono",
} satisfies Wording<typeof french>;
