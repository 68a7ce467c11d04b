import { formatCount, formatEstimate, formatNumber } from "../../../lib/format.ts";

/** Customers (specification, sections 2.11 and 2.12). */
export const customersCopy = {
  title: "Clients",
  export: "Exporter",
  filters: "Filtres",
  search: "Rechercher un client",
  searchPlaceholder: "Rechercher un client...",
  loadFailed: "Erreur lors du chargement des données",
  cards: {
    total: "Total clients",
    consent: "Consentement marketing",
    consentHint: (consents: number) => formatCount(consents, "client", "clients"),
    rating: "Note moyenne",
    ratingHint: "Sur 5 étoiles",
    participation: "Taux de participation",
    participationHint: "Clients actifs",
  },
  filter: {
    consent: "Consentement",
    consents: { all: "Tous", yes: "Marketing autorisé", no: "Sans consentement" },
    rating: "Note moyenne",
    ratings: {
      all: "Toutes",
      "5": "5 étoiles",
      "4": "4 étoiles",
      "3": "3 étoiles",
      "2": "2 étoiles",
      "1": "1 étoile",
      "0": "Sans avis",
    },
    activity: "Dernière activité",
    activities: {
      all: "Toutes",
      "7": "7 derniers jours",
      "30": "30 derniers jours",
      "90": "90 derniers jours",
      older: "Plus de 90 jours",
    },
    store: "Magasin",
    allStores: "Tous les magasins",
    locale: "Langue",
    allLocales: "Toutes les langues",
    clear: "Effacer les filtres",
    active: (count: number) => formatCount(count, "filtre actif", "filtres actifs"),
  },
  byDay: "par jour de dernière activité, en heure universelle (UTC)",
  /** An estimate is said in two figures: « Environ 12 000 ». */
  found: (count: number, is: "exactly" | "more" | "about") =>
    is === "about"
      ? `Environ ${formatEstimate(count)} clients trouvés`
      : `${is === "more" ? "Plus de " : ""}${formatNumber(count)} client(s) trouvé(s)`,
  items: "Liste des clients",
  selection: {
    export: "Exporter la sélection",
    withdraw: "Retirer le consentement",
    withdrawTitle: (count: number) =>
      `Retirer le consentement de ${formatCount(count, "client", "clients")} ?`,
    withdrawText:
      "Ils ne recevront plus vos offres. Eux seuls peuvent donner à nouveau leur accord, lors d'une visite.",
  },
  row: {
    name: "Nom",
    contact: "Coordonnées",
    since: "Client depuis",
    consent: "Marketing OK",
    lastActivity: "Dernière activité",
    never: "Aucune",
    rating: "Note moyenne",
    reviews: (average: string, count: string) => `${average}/5 (${count} avis)`,
    noReview: "Sans avis",
    participations: "Participations",
    redemptions: "Rédemptions",
    details: "Voir détails",
    detailsOf: (name: string) => `Voir détails : ${name}`,
  },
  empty: {
    noMatch: "Aucun client trouvé pour cette recherche",
    noMatchText: "Essayez un autre mot, ou élargissez les filtres.",
    title: "Aucun client enregistré",
    text: "Vos clients apparaissent ici dès leur première visite. Imprimez le QR code d'une campagne pour commencer.",
    campaigns: "Voir mes campagnes",
    clear: "Tout afficher",
  },
} as const;
