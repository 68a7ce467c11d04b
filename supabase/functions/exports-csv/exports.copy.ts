import { codeStatusCopy } from "../_shared/domain/schemas/code-status.copy.ts";

/** The words of an export: its files' names, the first line, and values that are words. */
export const exportsCopy = {
  files: { customers: "clients", redemptions: "codes", reviews: "avis" },
  customers: [
    "Prénom",
    "Nom",
    "Nom complet",
    "E-mail",
    "Téléphone",
    "Consentement marketing",
    "Date du consentement",
    "Langue",
    "Magasin",
    "Note moyenne",
    "Avis",
    "Participations",
    "Gains",
    "Récompenses utilisées",
    "Dernière activité",
    "Client depuis",
  ],
  redemptions: {
    code: ["Code", "Statut", "Récompense", "Campagne", "Magasin"],
    customer: ["Client", "E-mail"],
    dates: ["Émis le", "Expire le", "Utilisé le", "Utilisé à", "Validé par", "Origine"],
  },
  reviews: {
    review: ["Laissé le", "Étoiles"],
    customer: ["Message", "Client", "E-mail", "Téléphone"],
    place: ["Langue", "Magasin", "Campagne"],
    followUp: ["Suite donnée", "Suivi par", "Répondu le", "Répondu par"],
    answer: ["Réponse"],
    rest: ["Geste commercial", "Page publique ouverte"],
  },
  reviewStates: { open: "À traiter", answered: "Répondu", closed: "Clos" },
  erased: "Client effacé",
  yes: "oui",
  no: "non",
  statuses: codeStatusCopy,
  origins: { wheel: "Roue", goodwill: "Geste commercial" },
} as const;
