import { EXPORT_AFTER_END_DAYS } from "#domain/rules/retention.ts";
import { formatCount } from "../../../lib/format.ts";

/** Texts of the window that ends an organisation, loaded with it. */
export const endDialogCopy = {
  title: (name: string) => `Supprimer ${name} ?`,
  intro: `Dès maintenant, vos pages publiques se ferment. Dans ${EXPORT_AFTER_END_DAYS} jours, tout ceci sera effacé pour toujours :`,
  goes: {
    stores: (count: number) => formatCount(count, "magasin", "magasins"),
    campaigns: (count: number) => formatCount(count, "campagne", "campagnes"),
    customers: (count: number) => formatCount(count, "client", "clients"),
    reviews: (count: number) => formatCount(count, "avis", "avis"),
    codes: (count: number) => formatCount(count, "gain, avec son code", "gains, avec leurs codes"),
    members: (count: number) => `l'accès de ${formatCount(count, "personne", "personnes")}`,
  },
  keeps: "La loi nous oblige à garder 10 ans la trace des paiements, sans vos nom et adresse.",
  typeName: "Pour confirmer, tapez le nom de l'organisation",
  confirm: "Supprimer l'organisation",
  otherName: "Ce n'est pas le nom de l'organisation.",
  payments:
    "Votre abonnement est encore facturé. Résiliez-le d'abord dans le portail de facturation, puis revenez ici.",
  already: "La suppression est déjà demandée.",
  forbidden: "Seul le propriétaire peut supprimer l'organisation.",
  loadFailed: "Ce qui serait effacé n'a pas pu être compté",
} as const;
