/** The statistics of a campaign (specification, sections 2.16, 5 and 8). */
export const campaignFiguresCopy = {
  title: "Statistiques de la campagne",
  back: "Retour aux campagnes",
  edit: "Modifier",
  unknownStore: "Store Unknown",
  created: (date: string) => `Créée le ${date}`,
  loadFailed: "Erreur lors du chargement des statistiques",
  missing: {
    title: "Campagne non trouvée",
    text: "Cette campagne n'existe pas ou vous n'avez pas accès à ses statistiques.",
  },
  posters: "Affiches",
  checklist: {
    title: "Prête pour vos clients ?",
    progress: (done: number, of: number) => `${done} sur ${of}`,
    state: (isDone: boolean) => (isDone ? "Fait : " : "À faire : "),
    steps: {
      rewards: {
        done: "Elle a des récompenses",
        toDo: "Ajoutez une première récompense",
        link: "Ajouter",
      },
      odds: {
        done: "La roue peut faire gagner",
        toDo: "Donnez une chance de gagner sur la roue",
        link: "Régler la roue",
      },
      reviewLink: {
        done: "Le lien d'avis de l'établissement est en place",
        toDo: "Indiquez où vos clients laissent un avis public",
        link: "Ajouter le lien",
      },
      active: {
        done: "Elle est active",
        toDo: "Activez-la quand tout est prêt",
        link: "Régler",
      },
      poster: {
        done: "Une affiche est prête",
        toDo: "Téléchargez une affiche et imprimez-la",
        link: "Choisir une affiche",
      },
      scan: {
        done: "Un premier client a scanné le QR code",
        toDo: "Posez l'affiche, puis scannez-la avec votre téléphone",
        link: "Revoir les affiches",
      },
    },
  },
  cards: {
    title: "Chiffres clés",
    scans: "Total scans",
    reviews: "Avis collectés",
    conversion: (share: string) => `${share} de conversion`,
    spins: "Participations",
    spinsHint: "Tours de roue",
    redemptions: "Rédemptions",
    used: (share: string) => `${share} des gains utilisés`,
  },
  rating: {
    title: "Note moyenne",
    outOf: (average: string) => `${average} sur 5`,
    count: (count: string) => `${count} avis`,
  },
  locked:
    "Le plan Basic montre ici l'évolution jour par jour, le chemin de vos clients de la porte à la caisse et ce que la campagne rapporte.",
  reviews: {
    title: "Avis récents",
    empty: "Aucun avis pour le moment",
    asked: "L'avis",
    silent: "Cette personne n'a pas laissé de message.",
    askedMissing: "Cet avis n'est plus là, ou vous ne pouvez pas le lire.",
    askedFailed: "Erreur lors du chargement des données",
    stars: (rating: number) => `${rating} sur 5`,
  },
  rewards: {
    title: "Récompenses les plus utilisées",
    empty: "Aucune rédemption pour le moment",
    uses: (count: string, isOne: boolean) =>
      isOne ? `${count} utilisation` : `${count} utilisations`,
  },
  earnings: {
    title: "Retour sur investissement",
    text: "Chaque code utilisé est une visite de retour. Leur nombre, multiplié par votre panier moyen, se compare à ce que les récompenses vous ont coûté.",
    visits: "Visites de retour",
    revenue: "Rapporté",
    cost: "Coût des récompenses",
    gain: "Bénéfice estimé",
    ratio: (share: string) => `Retour sur investissement : ${share}`,
    share: (share: string) =>
      `${share} de ces visites sont comptées comme de vrais retours, comme vous l'avez choisi au tableau de bord.`,
    unknown: "Indiquez votre panier moyen pour savoir ce que cette campagne rapporte.",
    /** To a reader who may not type it in. */
    noBasket:
      "Le panier moyen du magasin n'est pas encore indiqué : on ne sait pas ce que cette campagne rapporte.",
    unpriced: (count: string, isOne: boolean) =>
      isOne
        ? `${count} utilisation d'une récompense sans coût renseigné n'est pas comptée.`
        : `${count} utilisations de récompenses sans coût renseigné ne sont pas comptées.`,
    price: "Renseigner les coûts",
  },
  basket: {
    label: "Panier moyen, en euros",
    hint: (store: string) =>
      `Ce qu'un client dépense en une visite chez ${store}. Vide : non estimé.`,
    save: "Enregistrer",
    saved: "Panier moyen enregistré.",
    rule: "Un montant en euros, par exemple 24,50.",
    conflict:
      "Quelqu'un d'autre a changé le panier moyen entre-temps. Rien n'a été écrasé : vérifiez le montant, puis enregistrez de nouveau.",
    forbidden: "Vous n'avez pas le droit de changer le panier moyen.",
    failed: "Le panier moyen n'a pas pu être enregistré. Réessayez dans un instant.",
  },
} as const;
