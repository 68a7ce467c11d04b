import { TRIAL_DAYS } from "#domain/rules/constants.ts";
import { planNames } from "../../../lib/plan-names.copy.ts";
/** French of the landing page (specification, sections 1 and 2.2). */
export const landingCopy = {
  title: "Collectez des avis, offrez un tour de roue",
  description: `Vos clients scannent un QR code, donnent leur avis et tournent la roue. Conforme aux règles des avis, ${TRIAL_DAYS} jours d'essai sans carte bancaire.`,
  hero: {
    title: "Chaque avis mérite un tour de roue.",
    text: "Vos clients scannent un QR code, donnent leur avis et tournent la roue. Leur gain les attend à votre caisse.",
    pricing: "Commencer gratuitement",
    demo: "Voir la démonstration",
    trial: `${TRIAL_DAYS}\u00a0jours d'essai, sans carte bancaire`,
  },
  gains: [
    {
      title: "Des avis chaque semaine",
      text: "Demandés au bon moment, sur place, sans que l'équipe ait à y penser.",
    },
    {
      title: "Des clients qui reviennent",
      text: "Un gain se retire à la caisse. C'est une visite de plus.",
    },
    {
      title: "Des déçus qui vous le disent",
      text: "Un mot en privé arrive chez vous en quelques minutes, pour réparer à temps.",
    },
  ],
  steps: {
    title: "Trois gestes, et c'est fait",
    pictures: {
      form: "L'écran d'accueil sur le téléphone d'un client\u00a0: nom, e-mail, et un bouton pour continuer.",
      stars: "La note\u00a0: cinq étoiles à toucher.",
      win: "Le ticket gagnant, avec son code et son QR code à montrer à la caisse.",
    },
    list: [
      {
        picture: "form",
        title: "Scanner le QR code",
        text: "Posé sur la table, à la caisse ou sur le ticket. Aucune application à installer.",
      },
      {
        picture: "stars",
        title: "Noter, puis aller à la page d'avis",
        text: "De 1 à 5\u00a0étoiles. Votre page d'avis publique est proposée à chacun, content ou non.",
      },
      {
        picture: "win",
        title: "Tourner la roue",
        text: "Le hasard choisit le gain. Le code se montre à la caisse, et vos clients reviennent.",
      },
    ],
  },
  features: {
    title: "Tout ce qu'il faut pour faire parler de vous",
    list: [
      {
        picture: "fair",
        title: "Conforme aux règles des avis",
        text: "Chaque client peut laisser un avis public, positif ou négatif. La roue ne regarde pas la note.",
      },
      {
        picture: "figures",
        title: "Des chiffres qui parlent",
        text: "Taux de conversion, satisfaction, part d'avis 5\u00a0étoiles, retour sur investissement de chaque campagne.",
      },
      {
        picture: "own",
        title: "Une roue à votre image",
        text: "Parts, couleurs, probabilités, et un stock tenu à jour à chaque tour.",
      },
      {
        picture: "stores",
        title: "Plusieurs magasins, une équipe",
        text: "Des campagnes indépendantes par établissement, et à chacun son rôle, jusqu'à la caisse.",
      },
      {
        picture: "word",
        title: "Les déçus vous parlent en privé",
        text: "Un client mécontent peut vous dire pourquoi, et vous savez quoi améliorer.",
      },
      {
        picture: "locked",
        title: "Un jeu équitable",
        text: "Empreinte de l'appareil, limites par personne, comportements suspects\u00a0: chacun joue à égalité.",
      },
    ],
  },
  compliance: {
    title: "« Conforme », en clair",
    points: [
      "On peut jouer sans donner d'avis.",
      "Les chances sont les mêmes avec 1\u00a0étoile, avec 5, ou sans avis.",
      "Personne n'est écarté de la page d'avis publique.",
    ],
    text: "C'est ce que demandent la loi française et les plateformes d'avis. Le mode conforme est celui par défaut\u00a0; l'autre mode vous avertit clairement du risque.",
    link: "La loi, le calcul, les limites\u00a0: en clair",
  },
  product: {
    title: "Ouvrez, et voyez quoi faire",
    text: "Un avis à lire, un stock qui baisse, une étape à finir\u00a0: le tableau de bord commence par ce qui vous attend. Les courbes viennent après.",
    points: [
      "Le chemin de vos clients, du scan au gain retiré",
      "Chaque magasin, chaque campagne, côte à côte",
      "À la caisse, un code se valide en trois secondes",
    ],
    picture:
      "Le tableau de bord de Tournavis\u00a0: scans, avis et satisfaction, les 30 derniers jours en courbes, et le chemin de la porte à la caisse.",
  },
  prices: {
    title: "Trois plans, rien de caché",
    text: "Prix hors taxes. Changez ou arrêtez quand vous voulez.",
    textUnsold: "Les abonnements ne sont pas ouverts pour le moment ; l'essai gratuit l'est.",
    more: "Comparer les plans",
    from: "dès",
    month: "par mois",
    trial: `pendant ${TRIAL_DAYS}\u00a0jours, sans carte`,
    names: planNames,
    limits: (campaigns: number, spins: string) =>
      `${campaigns}\u00a0${campaigns > 1 ? "campagnes actives" : "campagne active"}, ${spins}\u00a0tours de roue par mois`,
    unlimited: "Campagnes, tours de roue et équipe sans limite, export et API",
  },
  closing: {
    title: "Votre première campagne, dans cinq minutes",
    text: "Un magasin, une récompense, un QR code à imprimer.",
    start: "Commencer l'essai gratuit",
    demo: "Planifier une démo",
  },
} as const;
