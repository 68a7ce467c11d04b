import { reviewStateCopy } from "#domain/schemas/review-state.copy.ts";

/** The inbox of reviews (specification, section 2.21). */
export const reviewsCopy = {
  title: "Avis",
  text: "Lisez, répondez, passez à la suite.",
  loadFailed: "Erreur lors du chargement des avis",
  export: "Exporter",
  search: "Rechercher un avis",
  searchPlaceholder: "Mot, nom ou e-mail...",
  states: {
    label: "Suite donnée",
    open: "À traiter",
    answered: "Répondus",
    closed: "Clos",
    all: "Tous",
  },
  filters: "Filtres",
  filter: {
    active: (count: number) => (count === 1 ? " : 1 actif" : ` : ${count} actifs`),
    rating: "Étoiles",
    everyRating: "Toutes les notes",
    stars: (count: number) => (count === 1 ? "1 étoile" : `${count} étoiles`),
    store: "Magasin",
    everyStore: "Tous les magasins",
    campaign: "Campagne",
    everyCampaign: "Toutes les campagnes",
    locale: "Langue",
    everyLocale: "Toutes les langues",
    text: "Avec un message",
    mine: "Suivis par moi",
    clear: "Effacer les filtres",
  },
  list: "Avis",
  keys: {
    title: "Au clavier",
    list: [
      ["J", "suivant"],
      ["K", "précédent"],
      ["R", "répondre"],
      ["E", "clore"],
    ] as const,
    off: "Désactiver les raccourcis",
    on: "Activer les raccourcis clavier",
  },
  row: {
    /** Where a review was left. A first campaign is named after its store, which is said once. */
    place: (store: string, campaign: string) =>
      campaign.includes(store) ? [campaign] : [store, campaign],
    stars: (rating: number) => `${rating} sur 5`,
    silent: "Sans message.",
    erased: "Client effacé",
    mine: "Suivi par vous",
    assigned: (name: string) => `Suivi par ${name}`,
    writing: (name: string) => `${name} répond…`,
    unread: "À lire",
  },
  badges: reviewStateCopy,
  empty: {
    title: "Rien à traiter",
    text: "Les avis de 3 étoiles ou moins arrivent ici, avec les mots de vos clients.",
    all: "Voir tous les avis",
    noMatch: "Aucun avis pour cette recherche",
    noMatchText: "Élargissez les filtres pour voir le reste.",
    clear: "Tout afficher",
    none: "Pas encore d'avis",
    noneText:
      "Posez votre affiche près de la caisse et parlez-en au moment de payer : chaque client qui la scanne laisse son avis ici.",
    posters: "Voir mes affiches",
  },
  none: "Choisissez un avis pour le lire.",
  missing: {
    title: "Avis introuvable",
    text: "Il n'existe pas, ou plus, dans votre organisation.",
  },
} as const;
