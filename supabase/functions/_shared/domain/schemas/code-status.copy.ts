import type { CodeListStatus } from "./code-status.ts";

/** The states of a code, as lists and exports name them. */
export const codeStatusCopy = {
  available: "Disponible",
  used: "Utilisé",
  expired: "Expiré",
  held: "À vérifier",
  cancelled: "Annulé",
} satisfies Record<CodeListStatus, string>;
