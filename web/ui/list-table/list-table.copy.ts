import { formatNumber } from "../../lib/format.ts";

/** What the tables of lists say. */
export const listTableCopy = {
  columns: "Colonnes",
  columnsHint: "Colonnes affichées sur cet appareil",
  selectAll: "Sélectionner toute la page",
  select: (name: string) => `Sélectionner ${name}`,
  selected: (count: number) =>
    count === 1 ? "1 ligne sélectionnée" : `${formatNumber(count)} lignes sélectionnées`,
  actions: "Actions sur la sélection",
  clear: "Tout désélectionner",
} as const;
