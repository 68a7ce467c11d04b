import { formatCount, formatNumber } from "../../../lib/format.ts";

/** The public page of a store, as its merchant reads it there. */
export const publicRatingCopy = {
  title: "Page publique",
  text: "La note que vos clients voient avant de venir.",
  write: "Recopiez-la quand vous voulez : un relevé par jour au plus.",
  open: "Ouvrir la page",
  none: "Aucun relevé pour le moment. Le premier servira de point de départ.",
  outOf: "sur 5",
  reviews: (count: number) => `${formatNumber(count)} avis`,
  at: (day: string) => `Saisi par vous le ${day}`,
  google: {
    now: "C'est ce que votre fiche montre en ce moment, et Google ne permet pas de le conserver. Pour suivre l'évolution, faites un relevé de votre page.",
    terms: "Conditions de Google Maps",
    noPlace: "Cette page peut montrer la note de votre fiche Google du moment.",
    addPlace: "Indiquer l'identifiant Google du magasin",
    unknownPlace: "Google ne reconnaît pas l'identifiant de ce magasin.",
    mendPlace: "Corriger l'identifiant",
    paused:
      "La note de votre fiche Google n'est pas disponible pour le moment. Réessayez plus tard, ou recopiez-la.",
    too_many:
      "La note de votre fiche Google a été demandée assez souvent aujourd'hui. Elle reviendra demain.",
  },
  page: "Sur la page publique",
  collected: "Collectés ici",
  since: (gain: string, day: string) => `${gain} avis depuis le ${day}`,
  rated: (change: string) => `note ${change}`,
  firstOne: (day: string) =>
    `Premier relevé le ${day}. Au prochain, vous verrez ici ce qui a changé.`,
  chart: (day: string) => `Avis gagnés depuis le ${day}`,
  described: (page: string, collected: string) =>
    `En tout : ${page} sur la page publique, ${collected} collectés ici.`,
  table: { day: "Jour", rating: "Note", reviews: "Avis publics", collected: "Collectés ici" },
  form: {
    title: "Nouveau relevé",
    rating: "Note",
    ratingHint: "Par exemple 4,6.",
    reviews: "Nombre d'avis",
    reviewsHint: "Comme sur la page.",
    save: "Enregistrer",
    saved: "Relevé enregistré.",
    failed: "Le relevé n'a pas été enregistré. Réessayez.",
    forbidden: "Votre rôle ne permet pas de changer ce magasin.",
    rules: {
      rating: "Indiquez une note de 0 à 5, avec une décimale au plus.",
      reviews: "Indiquez un nombre d'avis, en chiffres.",
      unrated: "Une page sans avis a la note 0 ; avec des avis, la note est de 1 au moins.",
    },
  },
  remove: {
    list: "Relevés",
    action: "Effacer le dernier relevé",
    title: "Effacer ce relevé ?",
    text: (day: string, rating: string, reviews: number) =>
      `Celui du ${day} : ${rating}, ${formatCount(reviews, "avis", "avis")}. Les autres restent.`,
    confirm: "Effacer",
    failed: "Le relevé n'a pas été effacé. Réessayez.",
  },
} as const;
