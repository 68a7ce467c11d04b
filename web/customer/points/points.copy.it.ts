import { locale } from "#domain/text/locale.copy.it.ts";
import type { Wording } from "#domain/text/wording.ts";
import type { pointsCopy as french } from "./points.copy.ts";

const number = new Intl.NumberFormat(locale);

function points(count: number): string {
  return `${number.format(count)} ${count === 1 ? "punto" : "punti"}`;
}

/** Italian of one's points, and of what they buy. */
export const pointsCopy = {
  title: "I tuoi punti",
  balance: points,
  loading: "Caricamento dei tuoi punti…",
  failed: "I tuoi punti non si possono mostrare al momento. Restano tuoi.",
  offline: "Nessuna connessione: ecco i tuoi punti com'erano l'ultima volta.",
  retry: "Riprova",
  next: (missing, reward) => `Ancora ${points(missing)} per «${reward}».`,
  ready: (reward) => `Puoi avere «${reward}».`,
  none: "Questo negozio non ha ancora un regalo da scambiare. I tuoi punti restano tuoi.",
  ends: (count, day) => `${points(count)} da spendere entro la fine di ${day}.`,
  list: "In cambio dei tuoi punti",
  missing: (count) => `Ancora ${points(count)}`,
  soldOut: "Esaurito",
  exchange: "Scambia",
  exchangeFor: (reward) => `Scambia con ${reward}`,
  ask: (cost, reward) => `Scambiare ${points(cost)} con «${reward}»?`,
  consequence:
    "Ricevi un codice da mostrare alla cassa entro 30 giorni. Se non viene usato, riavrai i tuoi punti.",
  confirm: "Sì, scambia",
  cancel: "Annulla",
  sending: "Scambio in corso…",
  noAnswer: "La risposta non è arrivata. Riprova: lo scambio avviene una sola volta.",
  anywhere: (organization) => `${organization}, in tutti i suoi negozi`,
  nowhere: "Negozio chiuso",
  codes: "I tuoi scambi",
  used: (day) => `Usato ${day}`,
  expired: "Scaduto, punti restituiti",
} satisfies Wording<typeof french>;
