import { TRIAL_DAYS } from "#domain/rules/constants.ts";
/** A merchant's first steps (specification, sections 2.20, 5 and 8). */
export const onboardingCopy = {
  step: (number: number) => `Étape ${number} sur 5`,
  percent: (percent: number) => `${percent}%`,
  progress: "Progression de l'installation",
  wanted: {
    basic:
      "Vous avez choisi le plan Basic. Nommez d'abord votre organisation : le paiement vient ensuite.",
    pro: "Vous avez choisi le plan Pro. Nommez d'abord votre organisation : le paiement vient ensuite.",
  },
  account: "Mon compte",
  signOut: "Se déconnecter",
  home: "Accueil de Tournavis",
  welcome: {
    title: "Bienvenue sur Tournavis",
    greeting: (name: string) => `Bonjour ${name},`,
    text: "En 5 minutes environ, votre commerce est prêt à recueillir des avis et à offrir un tour de roue.",
    featuresTitle: "Ce que vous allez pouvoir faire",
    features: {
      reviews: {
        title: "Collecte d'avis",
        text: "Un QR code à la caisse, et chaque client donne son avis en dix secondes.",
      },
      wheel: {
        title: "Roue des cadeaux",
        text: "Un tour de roue remercie ceux qui participent. Vous choisissez les gains.",
      },
      customers: {
        title: "Gestion des clients",
        text: "Retrouvez qui est venu, qui a gagné et qui accepte vos offres.",
      },
      analytics: {
        title: "Statistiques",
        text: "Scans, avis, satisfaction, gains utilisés : tout se lit d'un coup d'œil.",
      },
    },
    stepsTitle: "Les cinq étapes",
    steps: [
      "Votre organisation",
      "Votre magasin",
      "Votre première campagne",
      "Vos gains et votre roue",
      "Votre QR code",
    ],
    trial: `${TRIAL_DAYS} jours d'essai gratuit, sans carte bancaire.`,
    trialText: "1 campagne active et 100 tours de roue par mois, pour vous faire une idée.",
    start: "Commencer",
    resume: "Reprendre",
  },
  /** In place of the welcome, for a colleague who was taken out of a team. */
  ended: {
    title: (organization: string) => `Votre accès à l'organisation ${organization} a pris fin`,
    text: "Vous avez été retiré de cette équipe. Pour savoir pourquoi ou pour revenir, adressez-vous à la personne qui gère l'équipe : sa nouvelle invitation arrivera par e-mail et s'affichera ici.",
    erased:
      "L'organisation dont vous faisiez partie a été supprimée, avec tout ce qu'elle contenait ; vous gardez votre compte.",
    own: "Vous gardez votre compte et pouvez créer votre propre organisation.",
  },
  organization: {
    title: "Votre organisation",
    text: "L'enseigne ou la société à laquelle appartiennent vos magasins. Vos clients la verront.",
    name: "Nom de l'organisation",
    namePlaceholder: "Boulangerie Martin",
    slug: "Adresse publique",
    slugHint: "Elle se remplit toute seule. Vous pouvez la changer.",
    slugPrefix: "/org/",
    submit: "Continuer",
    back: "Retour",
    nameRequired: "Indiquez le nom de votre organisation.",
    slugRequired: "Choisissez une adresse.",
    tooLong: "Ce texte est trop long : raccourcissez-le.",
    failed: {
      taken: "Ce nom d'organisation est déjà pris. Veuillez en choisir un autre.",
      forbidden: "Permissions insuffisantes. Vérifiez votre authentification.",
      noData: "Aucune donnée retournée lors de la création de l'organisation",
      database: (message: string) => `Erreur base de données: ${message}`,
      member: (message: string) => `Erreur ajout membre: ${message}`,
      subscription: (message: string) => `Erreur abonnement: ${message}`,
      fallback: "Erreur lors de la création de l'organisation",
    },
  },
  store: {
    title: "Votre magasin",
    text: "Le lieu où vos clients scannent le QR code.",
    editTitle: "Corriger le magasin",
    name: "Nom du magasin",
    namePlaceholder: "Boulangerie Martin, Bastille",
    slug: "Identifiant",
    slugHint: "Un nom court, unique dans votre organisation. Il se remplit tout seul.",
    address: "Adresse",
    addressPlaceholder: "12 rue de la Roquette, 75011 Paris",
    reviewUrl: "Lien vers votre page d'avis (facultatif)",
    reviewUrlHint:
      "Celui que votre fiche d'établissement propose pour demander des avis. Vous pourrez l'ajouter plus tard.",
    reviewUrlPlaceholder: "https://g.page/r/.../review",
    timezone: (place: string) =>
      `Fuseau horaire : ${place}. Il se change dans les paramètres du magasin.`,
    modeHint: "Vous pourrez changer d'avis dans les paramètres du magasin.",
    submit: "Continuer",
    save: "Enregistrer et continuer",
    nameRequired: "Indiquez le nom de votre magasin.",
    addressRequired: "Indiquez l'adresse de votre magasin.",
    slugRequired: "Choisissez un identifiant.",
    failed: {
      taken: "Ce nom de magasin est déjà pris dans votre organisation.",
      noOrganization: "Aucune organisation trouvée pour cet utilisateur",
      organization: (message: string) => `Organisation non trouvée. Erreur: ${message}`,
      other: (message: string) => `Erreur création magasin: ${message}`,
      fallback: "Erreur lors de la création du magasin",
    },
  },
  /** Sentences in place of the database's own words, which are for the log. */
  reasons: {
    limit: "votre plan comprend un seul magasin. Changez de plan pour en ajouter.",
    link: "confirmez l'adresse de votre page d'avis, ou collez celle d'une plateforme d'avis.",
    forbidden: "vous n'en avez pas le droit. Demandez à votre responsable.",
    malformed: "une valeur n'est pas acceptée. Vérifiez les champs.",
    network: "pas de connexion. Vérifiez le réseau, puis réessayez.",
    other: "réessayez dans un instant.",
  },
  campaign: {
    title: "Félicitations !",
    text: (store: string) =>
      `${store} : le magasin est prêt. Il ne manque que votre première campagne.`,
    todoTitle: "Ce qui reste à faire",
    todo: [
      "Créer votre première campagne : un nom, un magasin, et c'est parti.",
      "Choisir les gains et composer la roue.",
      "Imprimer le QR code et le poser près de la caisse.",
    ],
    dashboard: "Aller au tableau de bord",
    back: "Retour au magasin",
    next: "Choisir mes gains",
    nextText: "Cinq minutes suffisent pour les trois.",
  },
  wheel: {
    title: "Votre métier",
    text: "Nous proposons des gains, leur coût et une roue équilibrée. Tout se change ensuite.",
    choose: "Choisissez votre métier",
    chosenTitle: "Votre roue",
    chosenText: (trade: string) =>
      `Voici une roue pour votre métier : ${trade}. Gardez-la telle quelle ou ajustez-la.`,
    change: "Changer de métier",
    /** Name of the campaign that is made: its store's customers read it. */
    campaign: (store: string) => `La roue, ${store}`,
    submit: "Créer ma campagne",
    later: "Plus tard",
  },
  poster: {
    title: "Votre affiche",
    text: "Votre campagne tourne. Imprimez l'affiche, posez-la près de la caisse : c'est prêt.",
    sheetTitle: "À imprimer",
    scanTitle: "Scannez-la avec votre téléphone",
    scanText:
      "Sur papier ou ici, à l'écran : l'appareil photo suffit. Cette carte passe au vert dès le premier scan.",
    waiting: "En attente du premier scan",
    scanned: "Premier scan reçu",
    scannedText: "L'affiche mène vos clients au bon endroit. Vous êtes prêt.",
    ratingTitle: "Votre note publique aujourd'hui (facultatif)",
    ratingText:
      "Recopiez ce que montre votre page d'avis. Dans un mois, le tableau de bord dira ce qui a changé.",
    noPhone: "Vous êtes déjà sur votre téléphone ?",
    open: "Ouvrir la page de vos clients",
    inactive: "Cette campagne est inactive : activez-la pour que vos clients puissent jouer.",
    edit: "Retoucher la campagne",
    dashboard: "Aller au tableau de bord",
    failed: "L'affiche ne se charge pas.",
  },
  existing: {
    title: "Vous avez déjà une organisation",
    owner:
      "Un compte n'a qu'une organisation. Pour en créer une autre, il faut d'abord supprimer celle-ci.",
    member: "Votre compte fait partie de cette organisation.",
    dashboard: "Aller au tableau de bord",
    settings: "Paramètres",
  },
} as const;
