/** Texts for a winner on the page of a prize that its merchant holds back or has cancelled. */
export const verdictCopy = {
  held: {
    stamp: "En vérification",
    notice:
      "Le magasin vérifie ce gain. Rien n'est perdu : gardez-le, il redeviendra valable, avec autant de jours en plus.",
  },
  cancelled: {
    stamp: "Annulé",
    notice:
      "Le magasin a annulé ce gain après vérification. Une erreur ? Montrez ce code à la caisse.",
  },
};

/** Texts for a winner on the page of a prize whose own store is no longer in use: where it is taken. */
export const placeCopy = {
  anywhere: (organization: string) => `${organization}, dans tous ses magasins`,
  nowhere: {
    stamp: "Magasin fermé",
    notice: (organization: string) =>
      `Aucun magasin ne remet plus ce gain. Une question ? ${organization} vous répond.`,
  },
};
