import { formatNumber } from "../../lib/format.ts";

/** Texts of the tables and the cards of lists. */
export const listTableCopy = {
  columns: "Colonnes",
  columnsHint: "Colonnes affichées sur cet appareil",
  selectAll: "Sélectionner toute la page",
  select: (name: string) => `Sélectionner ${name}`,
  selected: (count: number) =>
    count === 1 ? "1 ligne sélectionnée" : `${formatNumber(count)} lignes sélectionnées`,
  actions: "Actions sur la sélection",
  clear: "Tout désélectionner",
  sortBy: "Trier par",
  usualOrder: "Ordre habituel",
  ascending: "Ordre croissant : inverser",
  descending: "Ordre décroissant : inverser",
  start: "Sélectionner",
  finish: "Terminer",
  ticked: (count: number) => {
    if (count === 0) return "Rien n'est sélectionné";
    return count === 1 ? "1 élément sélectionné" : `${formatNumber(count)} éléments sélectionnés`;
  },
} as const;
