import { TRIAL_DAYS } from "#domain/rules/constants.ts";
/** French of what convinces a merchant who asks on: the counter, the sums, the law and the limits. */
export const clearCopy = {
  title: "Ce que ça rapporte, ce que dit la loi",
  description:
    "Combien d'avis et de visites de retour attendre d'un QR code au comptoir, ce que la loi demande d'un jeu et d'un avis, et ce que chaque plan ne fait pas.",
  intro: "Avant de poser un QR code sur votre comptoir, voici tout ce qu'on nous demande.",
  link: "Combien d'avis, quelle loi, quelles limites\u00a0: en clair",
  scene: {
    title: "Au comptoir, pendant qu'on encaisse",
    text: "Le café est servi, le QR code est sur le comptoir. Votre client le scanne, donne son avis et tourne la roue avant d'avoir rangé son téléphone. Vous n'avez rien à dire de plus que «\u00a0tentez votre chance\u00a0».",
    label:
      "Un comptoir de café\u00a0: derrière lui la patronne, devant elle un chevalet avec le QR code et la roue, et la main d'un client qui tient son téléphone.",
  },
  loop: {
    title: "Vingt secondes, du QR code au gain",
    text: "Filmé dans le produit lui-même, tel que votre client le voit.",
    label:
      "Le parcours sur un téléphone\u00a0: le formulaire, cinq étoiles, la roue qui tourne, le ticket gagnant.",
    play: "Lire la vidéo",
    pause: "Mettre en pause",
  },
  sums: {
    title: "Faites le calcul pour chez vous",
    text: "Ces hypothèses sont prudentes, et ce sont les vôtres\u00a0: changez-les. Rien n'est envoyé.",
    example: (
      given: Record<"customers" | "days" | "scans" | "reviews" | "wins" | "returns", number>,
    ) =>
      `Un exemple\u00a0: ${given.customers}\u00a0clients par jour, ${given.days}\u00a0jours par mois, ${given.scans}\u00a0% scannent\u00a0; parmi eux ${given.reviews}\u00a0% publient un avis et ${given.wins}\u00a0% gagnent, dont ${given.returns}\u00a0% reviennent.`,
    problem: "Un nombre, s'il vous plaît.",
    legend: "Vos hypothèses",
    fields: {
      customers: { label: "Clients par jour", unit: "" },
      days: { label: "Jours ouverts par mois", unit: "" },
      scans: { label: "Clients qui scannent le QR code", unit: "%" },
      reviews: { label: "Parmi eux, ceux qui publient un avis", unit: "%" },
      wins: { label: "Parmi eux, ceux qui gagnent", unit: "%" },
      returns: { label: "Gagnants qui reviennent chercher leur gain", unit: "%" },
    },
    reviews: "avis publics par mois",
    returns: "visites de retour par mois",
    note: "Une estimation, pas une promesse. Jouer et publier un avis sont deux choses séparées\u00a0: la roue tourne aussi sans avis.",
  },
  law: {
    title: "Vos questions sur la loi",
    entries: [
      {
        question: "Faut-il un règlement, et le déposer\u00a0?",
        answer:
          "Le dépôt chez un commissaire de justice n'est plus obligatoire depuis 2014. Les conditions du jeu doivent rester claires et faciles à lire\u00a0: Tournavis écrit le règlement d'après vos réglages (organisateur, dates, lots, quantités, chances), garde chaque version et en donne le lien avant chaque tour.",
      },
      {
        question: "Faut-il acheter pour jouer\u00a0?",
        answer:
          "Non. Le QR code suffit, aucun achat n'est demandé ni vérifié. Une loterie commerciale est permise tant qu'elle n'est pas déloyale (Code de la consommation, article L.\u00a0121-20)\u00a0; jouer sans acheter est la façon la plus simple de s'y tenir.",
      },
      {
        question: "Puis-je offrir un cadeau contre un avis\u00a0?",
        answer:
          "Non, et c'est l'essentiel\u00a0: le gain récompense la participation. Il ne dépend ni d'un avis publié, ni du nombre d'étoiles, et l'on peut jouer sans donner d'avis. Google et les autres plateformes refusent tout avis obtenu contre un avantage\u00a0: n'écrivez jamais «\u00a0un avis = un cadeau\u00a0» sur vos supports.",
      },
      {
        question: "Puis-je n'envoyer vers Google que les clients contents\u00a0?",
        answer:
          "En mode conforme, celui par défaut, chacun reçoit le même lien, quelle que soit sa note. Trier les avis est contraire aux règles de Google et peut être une pratique commerciale trompeuse (articles L.\u00a0121-2 à L.\u00a0121-4). L'autre mode existe\u00a0: il vous avertit du risque, et vous en répondez.",
      },
      {
        question: "Et les données de mes clients\u00a0?",
        answer:
          "Vous en êtes responsable, nous les gardons pour vous comme sous-traitant. Nom, e-mail ou téléphone servent au jeu et à remettre le gain. Recevoir vos offres est une case à part, jamais cochée d'avance. Chaque fiche se consulte, s'exporte et s'efface en quelques gestes.",
      },
    ],
    rgpd: "Le RGPD en détail",
    note: "Ces réponses informent\u00a0; elles ne remplacent pas le conseil d'un juriste.",
  },
  limits: {
    title: "Les limites, sans petites lignes",
    text: "Ce que chaque plan permet, et ce qu'il ne fait pas.",
    trial: [
      `${TRIAL_DAYS}\u00a0jours, sans carte. Rien n'est prélevé ensuite\u00a0: sans plan payant, vos roues s'arrêtent et vos données restent lisibles.`,
      "Le logo Tournavis reste affiché sur les pages de vos clients.",
      "Ni export CSV, ni statistiques avancées.",
    ],
    basic: [
      "Le logo Tournavis reste affiché sur les pages de vos clients.",
      "Ni export CSV, ni accès API.",
    ],
    pro: [
      "Votre logo à la place du nôtre, export CSV et API compris.",
      "Aucune limite de campagnes, de tours de roue ni d'équipe.",
    ],
    reached:
      "Une fois les tours du mois utilisés, la roue le dit à vos clients et reprend le mois suivant\u00a0; les gains déjà obtenus restent valables. Vous êtes prévenu avant.",
    more: "Comparer les plans",
  },
} as const;
