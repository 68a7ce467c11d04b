import { codeErrorCopy } from "#domain/errors/code-errors.copy.ts";
import { codeStatusCopy } from "#domain/schemas/code-status.copy.ts";
import { undoCopy } from "../../../lib/undo.copy.ts";

/** The codes of a reward (specification, section 2.17). */
export const rewardCodesCopy = {
  title: "Codes",
  titleOf: (name: string) => `Codes : ${name}`,
  counts: {
    total: "Codes",
    available: "Disponibles",
    used: "Utilisés",
    expired: "Expirés",
  },
  refresh: "Actualiser",
  export: "Exporter CSV",
  search: "Rechercher un code",
  searchPlaceholder: "Code, e-mail ou nom du client...",
  /** For members who may not see customers. */
  searchByStart: "Début du code...",
  statuses: codeStatusCopy,
  which: "Codes affichés",
  filters: {
    all: "Tous",
    available: "Disponibles",
    used: "Utilisés",
    expired: "Expirés",
    held: "À vérifier",
    cancelled: "Annulés",
  },
  items: "Liste des codes",
  columns: { code: "Code", status: "Statut", actions: "Actions" },
  exportSelection: "Exporter la sélection",
  anonymous: "Anonyme",
  goodwill: "Geste commercial",
  facts: { customer: "Client", issued: "Émis le", used: "Utilisé le", expires: "Expire le" },
  never: "Jamais",
  copy: "Copier",
  copied: "Copié",
  actionsFor: (code: string) => `Actions pour le code ${code}`,
  redeem: "Valider",
  redeemCode: (code: string) => `Valider le code ${code}`,
  undo: undoCopy.action,
  undoCode: (code: string) => `${undoCopy.action} du code ${code}`,
  trace: {
    used: (moment: string, name: string) => `Validé ${moment} par ${name}`,
    restored: (moment: string, name: string) => `Validation annulée ${moment} par ${name}`,
    expired: (moment: string) => `Expiré ${moment}`,
    held: (moment: string, name: string) => `Mis en attente ${moment} par ${name}`,
    cancelled: (moment: string, name: string) => `Gain annulé ${moment} par ${name}`,
    released: (moment: string, name: string) => `Rendu valable ${moment} par ${name}`,
    somebody: "un ancien membre de l'équipe",
  },
  problems: {
    ...undoCopy.problems,
    ...codeErrorCopy,
    forbidden: "Vous n'avez pas le droit de valider des codes.",
  },
  empty: {
    title: "Aucun code trouvé",
    none: "Les codes apparaissent ici dès que la récompense est gagnée.",
    points: "Les points sont crédités automatiquement : cette récompense n'a pas de code.",
    noMatch: "Vérifiez la saisie, ou affichez tous les codes.",
    clear: "Tout afficher",
  },
  loadFailed: "Erreur lors du chargement des codes",
} as const;
