import { EXPORT_AFTER_END_DAYS } from "#domain/rules/retention.ts";
/**
 * Page in the place of the back-office 30 days after the end of a plan (specification, section 9).
 */
export const closedCopy = {
  title: "Votre espace est fermé",
  text: (organization: string) =>
    `${organization} : le plan est terminé depuis plus de ${EXPORT_AFTER_END_DAYS} jours. Vos données sont gardées, mais ne sont plus consultables : choisissez un plan et vous retrouverez tout, tel quel.`,
  openBill: (organization: string) =>
    `${organization} : une facture reste à régler, et le plan est suspendu depuis plus de ${EXPORT_AFTER_END_DAYS} jours. Vos données sont gardées, mais ne sont plus consultables : réglez la facture et vous retrouverez tout, tel quel.`,
  others: "Prévenez le propriétaire ou un administrateur : eux seuls peuvent payer.",
  plans: "Choisir un plan",
  check: "J'ai réglé : rouvrir",
  end: "Supprimer l'organisation",
  account: "Mes données et mon compte",
  signOut: "Se déconnecter",
} as const;
