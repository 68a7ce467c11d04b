/** Banner above every screen of an organisation that waits to be erased. */
export const endingCopy = {
  text: (day: string) =>
    `Cette organisation sera supprimée le ${day}, avec toutes ses données. Ses pages publiques sont fermées.`,
  keep: "Annuler la suppression",
  another: "Créer une autre organisation",
  tooLate: "Les 30 jours sont écoulés : la suppression ne peut plus être annulée.",
  failed: "La suppression n'a pas pu être annulée. Réessayez.",
} as const;
