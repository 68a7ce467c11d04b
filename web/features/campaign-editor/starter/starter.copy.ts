/** The first wheel of a campaign, proposed by trade and adjusted before it is made. */
export const starterCopy = {
  list: "Vos gains et leurs chances",
  segment: (place: number) => `Segment ${place}`,
  columns: { label: "Ce que lit le client", cost: "Coût", odds: "Chances" },
  cost: (label: string) => `Coût : ${label}, en euros`,
  loses: "Perdu",
  notLoaded:
    "Ces réglages ne se chargent pas. La roue proposée sera créée telle quelle : vous pourrez la modifier ensuite.",
  addPrize: "Ajouter un gain",
  addLosing: "Ajouter un segment perdant",
  losing: "Pas de chance",
  hint: "Déplacez un curseur : les autres suivent, le total reste à 100 %. Le stock et les dates se règlent ensuite.",
  rules: {
    label: "Donnez un texte à ce segment.",
    cost: "Indiquez un montant, par exemple 0,50.",
    noPrize: "Ajoutez au moins un gain avec une chance d'être gagné.",
  },
  failed: {
    limit: "Votre plan ne permet pas une campagne active de plus. Rien n'a été créé.",
    name: "Une campagne avec ce nom existe déjà",
    store: "Ce magasin est archivé. Remettez-le en service, puis réessayez.",
    other: "La campagne n'a pas été créée. Votre roue est conservée ici : réessayez.",
  },
} as const;
