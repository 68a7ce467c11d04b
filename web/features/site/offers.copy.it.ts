import type { Wording } from "#domain/text/wording.ts";
import type { offersCopy as french } from "./offers.copy.ts";

/** Italian of the page by which a customer withdraws their consent to offers. */
export const offersCopy = {
  title: "Non ricevere più offerte",
  ask: (organizer) => `${organizer} non potrà più inviarle offerte. I suoi premi restano validi.`,
  confirm: "Revocare il consenso",
  doneTitle: "Fatto",
  done: (organizer) =>
    `${organizer} non può più inviarle offerte. I suoi premi restano validi. Se cambia idea, spunti di nuovo la casella alla prossima visita.`,
  shop: "Questo esercizio",
  gone: "Questo esercizio non usa più il nostro servizio: qui non conserva più nulla su di lei.",
  badTitle: "Link incompleto",
  bad: "Apra di nuovo il link dell'e-mail, oppure chieda all'esercizio di revocare il suo consenso.",
  failed: "Non è stato possibile salvare la sua scelta. Riprovi.",
  loading: "Un attimo",
} satisfies Wording<typeof french>;
