import { PERIOD_MAX_DAYS } from "#domain/rules/constants.ts";
import { formatCount, formatNumber } from "../../lib/format.ts";
import { planNames } from "../../lib/plan-names.copy.ts";

/** The dashboard (specification, sections 2.10, 4.4 and 9). */
export const dashboardCopy = {
  title: "Tableau de bord",
  loading: "Chargement...",
  newCampaign: "Nouvelle campagne",
  newReward: "Ajouter une récompense",
  settings: "Paramètres",
  next: {
    label: "À faire maintenant",
    others: "À faire ensuite",
    archivedStores: {
      title: "Tous vos magasins sont archivés",
      text: "Vos clients ne peuvent plus participer. Remettez un magasin en service, puis activez sa campagne.",
      asked:
        "Vos clients ne peuvent plus participer. Demandez au propriétaire de remettre un magasin en service.",
      action: "Voir les magasins archivés",
    },
    firstCampaign: {
      title: "Créez votre première campagne",
      text: "Un nom, un magasin, et votre QR code est prêt à imprimer.",
      action: "Créer ma campagne",
    },
    noneActive: {
      title: "Aucune campagne ne tourne",
      text: "Vos clients ne peuvent plus participer tant qu'aucune campagne n'est active.",
      action: "Voir mes campagnes",
    },
    firstReward: {
      title: "Ajoutez une première récompense",
      text: "Sans rien à gagner, la roue ne peut pas tourner. Commencez par un café offert.",
      action: "Ajouter une récompense",
    },
    spinsReached: {
      title: "Votre roue se repose",
      text: "Tous les tours du mois ont été joués. Les avis continuent d'arriver ; la roue repart le mois prochain.",
      action: "Voir les plans",
    },
    spinsNear: {
      title: "Bientôt plus de tours ce mois-ci",
      text: (left: number) =>
        `Il reste ${formatCount(left, "tour", "tours")} de roue jusqu'à la fin du mois.`,
      action: "Voir les plans",
    },
    overCampaign: {
      title: (name: string) => `« ${name} » est terminée`,
      text: "Plus aucune campagne ne tourne : vos clients ne peuvent plus participer. Repoussez sa fin, ou créez-en une autre.",
      action: "Voir mes campagnes",
    },
    emptyCampaign: {
      title: (name: string) => `Rien à gagner dans « ${name} »`,
      text: "La campagne tourne sans récompense : vos clients donnent leur avis, puis la roue reste vide.",
      scheduled: (day: string) =>
        `La campagne commence le ${day}. Sans récompense d'ici là, la roue restera vide.`,
      action: "Ajouter une récompense",
    },
    badReview: {
      title: (rating: number) =>
        rating === 1 ? "Un avis à 1 étoile vous attend" : `Un avis à ${rating} étoiles vous attend`,
      titles: (count: string) => `${count} avis de 3 étoiles ou moins vous attendent`,
      manyTitle: "Plus de 99 avis de 3 étoiles ou moins vous attendent",
      list: "Avis à voir",
      stars: (rating: number) => `${rating} sur 5`,
      where: (store: string, elapsed: string) => `${store}, il y a ${elapsed}`,
      silent: "Sans message.",
      more: (count: string) => `Encore ${count} : les suivants viennent à mesure que vous avancez.`,
      all: "Voir tous les avis à traiter",
      action: "Lire l'avis",
      campaign: "Voir la campagne",
      seen: "Marquer comme vu",
      isSeen: "Vu",
      allSeen: "Plus aucun avis à voir",
      undo: "Annuler",
      of: (name: string, rating: number) => ` : ${name}, ${rating} sur 5`,
      seenFailed: "Rien n'a été enregistré. Rechargez la page, puis réessayez.",
    },
    checks: {
      title: "Des gains sont à vérifier",
      text: (count: number) =>
        count === 1
          ? "Un groupe de gains sort de l'ordinaire. Mettez-le en attente avant qu'il ne passe en caisse, ou classez-le."
          : `${count >= 100 ? "Plus de 100" : count} groupes de gains sortent de l'ordinaire. Mettez-les en attente avant qu'ils ne passent en caisse, ou classez-les.`,
      action: "Vérifier ces gains",
    },
    lowStock: {
      none: (name: string) => `« ${name} » : stock épuisé`,
      few: (stock: string, name: string) => `« ${name} » : plus que ${stock} en stock`,
      text: "À zéro, la roue ne s'arrête plus dessus.",
      others: (count: number) =>
        count === 1
          ? "Une autre récompense s'épuise aussi."
          : `${count} autres récompenses s'épuisent aussi.`,
      action: "Compléter le stock",
    },
    unlinkedStore: {
      title: "Reliez votre page d'avis publique",
      text: (store: string) =>
        `${store} : vos clients ne peuvent pas encore publier leur avis, il manque l'adresse de la page.`,
      action: "Ajouter l'adresse",
    },
    neverScanned: {
      title: "Imprimez votre QR code",
      text: "Personne ne l'a encore scanné. Posez-le près de la caisse, bien en vue.",
      action: "Voir mon QR code",
    },
  },
  locked:
    "Le plan Basic montre ici vos 30 derniers jours et le chemin de vos clients, de la porte à la caisse.",
  period: {
    title: "Vos chiffres",
    label: "Période",
    days: (count: number) => `${count} jours`,
    dates: "Dates",
    from: "Du",
    to: "Au",
    show: "Afficher",
    problems: {
      missing: "Choisissez les deux jours.",
      backwards: "Le premier jour doit venir avant le dernier.",
      long: `Choisissez au plus ${PERIOD_MAX_DAYS} jours.`,
    },
    span: (from: string, to: string) => `Du ${from} au ${to}, à comparer aux jours précédents.`,
    funnelHint: (from: string, to: string) => `Du ${from} au ${to}.`,
    all: "Depuis le début",
    trend: (days: number) => `Les ${days} derniers jours`,
    trendOfDates: "Jour par jour",
    trendTitle: (from: string, to: string) => `Scans, avis et participations du ${from} au ${to}`,
    quiet: "Rien sur cette période.",
    loadFailed: "Ces chiffres n'ont pas pu être chargés",
    tiles: {
      scans: "Scans",
      reviews: "Avis",
      satisfaction: "Avis 5 étoiles",
      redemption: "Gains utilisés",
      than: " par rapport aux jours précédents",
      nothingBefore: "Aucun chiffre avant",
    },
  },
  earnings: {
    title: "Ce que ça rapporte",
    text: "Chaque code utilisé à la caisse est une visite de retour. Voici ce que ces visites vous laissent, récompenses et abonnement payés.",
    gain: "Il vous reste (estimation)",
    revenue: "Visites de retour",
    visits: (count: number, share: string | null) =>
      `${share === null ? "" : `${share} de `}${formatCount(count, "visite", "visites")}, au panier moyen de chaque magasin`,
    cost: "Récompenses",
    costMade: "Codes utilisés, au coût de chaque récompense",
    subscription: "Abonnement",
    price: (price: string, days: number) =>
      `${price} HT par mois, pour ${formatCount(days, "jour", "jours")}`,
    unpaid: "Rien à payer pour le moment",
    changePlan: "Changer de plan",
    quiet:
      "Aucun code utilisé sur cette période. Dès le premier, vous verrez ici ce qu'il rapporte.",
    worth: "Ce qu'elles valent",
    toCome: "À estimer",
    unknown: "Indiquez votre panier moyen : le reste se calcule aussitôt.",
    /** To a reader who may not type it in. */
    noBasket: "Le panier moyen n'est pas encore indiqué.",
    unestimated: (count: number) =>
      count === 1
        ? "1 visite n'est pas comptée : son magasin n'a pas de panier moyen."
        : `${formatNumber(count)} visites ne sont pas comptées : leur magasin n'a pas de panier moyen.`,
    unpriced: (count: string, isOne: boolean) =>
      isOne
        ? `${count} récompense sans coût renseigné n'est pas comptée.`
        : `${count} récompenses sans coût renseigné ne sont pas comptées.`,
    share: {
      label: "Vrais retours, en %",
      hint: "Sur cent codes utilisés, combien ont vraiment fait revenir un client. À 100, chaque code compte.",
      save: "Enregistrer",
      saved: "Part de vrais retours enregistrée.",
      rule: "Un nombre entier de 0 à 100.",
      conflict:
        "Quelqu'un d'autre a changé cette part entre-temps. Rien n'a été écrasé : vérifiez-la, puis enregistrez de nouveau.",
      forbidden: "Vous n'avez pas le droit de changer cette part.",
      failed: "La part n'a pas pu être enregistrée. Réessayez dans un instant.",
    },
    costs: {
      open: "Coût des récompenses",
      list: "Récompenses utilisées",
      none: "Aucune récompense utilisée sur cette période.",
      loadFailed: "Le coût des récompenses n'a pas pu être chargé",
      named: (reward: string, campaign: string) => `${reward} (${campaign})`,
      said: (uses: number, cost: string | null) =>
        `${formatCount(uses, "utilisation", "utilisations")} · ${cost ?? "Coût inconnu"}`,
      more: (count: number) =>
        count === 1 ? "Et une autre récompense." : `Et ${formatNumber(count)} autres récompenses.`,
      label: "Coût d'une récompense, en euros",
      hint: (reward: string) => `Ce que vous coûte « ${reward} » à chaque fois. Vide : non compté.`,
      save: "Enregistrer",
      saved: "Coût enregistré.",
      rule: "Un montant en euros, par exemple 1,20.",
      conflict:
        "Quelqu'un d'autre a changé cette récompense entre-temps. Rien n'a été écrasé : vérifiez le coût, puis enregistrez de nouveau.",
      forbidden: "Vous n'avez pas le droit de changer ce coût.",
      failed: "Le coût n'a pas pu être enregistré. Réessayez dans un instant.",
    },
    fillIn: "Renseigner les coûts",
    baskets: "Paniers moyens",
    basket: (amount: string | null, visits: number) =>
      `${amount ?? "Panier moyen inconnu"} · ${formatCount(visits, "visite", "visites")}`,
    more: (count: number) =>
      count === 1 ? "Et un autre magasin." : `Et ${formatNumber(count)} autres magasins.`,
  },
  usage: {
    title: "Votre plan ce mois-ci",
    campaigns: "Campagnes actives",
    spins: "Spins mensuels",
    users: "Utilisateurs",
    of: (used: string, limit: string) => `${used} / ${limit}`,
    percent: (percent: string) => `${percent} utilisé`,
    unlimited: "Illimité",
    near: "Limite proche",
    reached: "Limite dépassée",
    /** Why the badge is there: what is used, and the plan that allows more. */
    full: {
      campaigns: (used: number, limit: number) =>
        `${formatCount(used, "campagne", "campagnes")} sur ${formatNumber(limit)}`,
      spins: (used: number, limit: number) =>
        `${formatCount(used, "tour", "tours")} sur ${formatNumber(limit)}`,
      users: (used: number, limit: number) =>
        `${formatCount(used, "utilisateur", "utilisateurs")} sur ${formatNumber(limit)}`,
    },
    allows: {
      campaigns: (plan: string, limit: number) => `${plan} en permet ${formatNumber(limit)}`,
      spins: (plan: string, limit: number) => `${plan} en permet ${formatNumber(limit)} par mois`,
      users: (plan: string, limit: number) => `${plan} en permet ${formatNumber(limit)}`,
    },
    endless: (plan: string) => `${plan} n'a pas de limite`,
    reason: (full: string, more: string | null) => (more === null ? full : `${full} : ${more}`),
    plans: planNames,
  },
  kpis: {
    title: "Chiffres clés",
    scans: "Scans totaux",
    scansHint: "QR codes scannés",
    reviews: "Avis collectés",
    fiveStars: (count: string, share: string) => `${count} avis 5 étoiles (${share})`,
    satisfaction: "Satisfaction",
    average: (average: string) => `Moyenne ${average}/5`,
    redemption: "Taux de rédemption",
    redemptionHint: (used: string, wins: number) =>
      `${used} sur ${formatCount(wins, "gain", "gains")}`,
    change: (change: string) => `${change} en 30 jours`,
    recent: (count: string) => `${count} en 30 jours`,
  },
  activity: {
    title: "Activité récente",
    empty: "Aucune activité récente",
    line: (user: string, elapsed: string) => `${user} • Il y a ${elapsed}`,
    review: (stars: number) => (stars === 1 ? "Avis 1 étoile" : `Avis ${stars} étoiles`),
    redeem: (reward: string) => `${reward} : récompense utilisée`,
    win: (reward: string) => `${reward} : récompense gagnée`,
    reward: "Récompense",
  },
  report: {
    title: "Rapport du mois",
    text: "Les chiffres d'un mois sur une page, à transmettre à un associé. Aucun client n'y est nommé.",
    month: "Mois",
    first: (day: string) => `Le premier sera prêt le ${day}.`,
    download: "Télécharger le PDF",
    failed: "Le rapport n'a pas pu être préparé. Réessayez.",
    file: (month: string) => `rapport-${month}.pdf`,
    settings: "Le recevoir chaque mois par e-mail",
  },
  publicRatings: {
    title: "Page publique",
    none: "Recopiez la note et le nombre d'avis de votre page publique : vous verrez ici ce qui change.",
    unknown: "Aucun relevé",
    begin: "Premier relevé",
    update: "Nouveau relevé",
    see: "Voir",
    of: (store: string) => ` : ${store}`,
    stars: (rating: string) => `${rating} sur 5`,
    reviews: (count: number) => `${formatNumber(count)} avis`,
    at: (day: string) => `au ${day}`,
    page: (gain: string, day: string) => `${gain} sur la page depuis le ${day}`,
    collected: (count: number) =>
      `${formatNumber(count)} ${count < 2 ? "collecté" : "collectés"} ici sur la même période`,
    all: (count: number) => `Voir les ${formatNumber(count)} magasins`,
  },
  reviews: {
    title: "Derniers avis écrits",
    empty: "Personne n'a encore laissé de message. Le premier paraîtra ici.",
    anonymous: "Un client",
    stars: (rating: number) => `${rating} sur 5`,
    ago: (elapsed: string) => `il y a ${elapsed}`,
    hidden: "Message réservé à ceux qui ont accès aux clients.",
    open: "Ouvrir cet avis",
    of: (name: string, rating: number) => ` : ${name}, ${rating} sur 5`,
    all: "Voir tous les avis",
  },
  active: {
    title: "Campagnes actives",
    empty: "Aucune campagne active",
    scans: (count: number) => formatCount(count, "scan", "scans"),
    all: "Voir toutes les campagnes",
  },
} as const;
