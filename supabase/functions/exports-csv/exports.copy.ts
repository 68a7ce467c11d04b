import { campaignStateCopy } from "../_shared/domain/rules/campaign-state.copy.ts";
import { codeStatusCopy } from "../_shared/domain/schemas/code-status.copy.ts";
import { reviewStateCopy } from "../_shared/domain/schemas/review-state.copy.ts";

/** The words of an export: the first line, and values that are words. */
export const exportsCopy = {
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
  campaigns: [
    "Nom",
    "État",
    "Magasin",
    "Du",
    "Au",
    "Créée le",
    "Scans",
    "Avis",
    "Note moyenne",
    "Participations",
    "Gains",
    "Rédemptions",
  ],
  campaignStates: campaignStateCopy,
  reviewStates: reviewStateCopy,
  erased: "Client effacé",
  yes: "oui",
  no: "non",
  statuses: codeStatusCopy,
  origins: { wheel: "Roue", goodwill: "Geste commercial" },
} as const;
