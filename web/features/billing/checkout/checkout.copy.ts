import { VAT_PERCENT } from "#domain/rules/plans.ts";

/** `/checkout` (specification, sections 2.4 and 8). */
export const checkoutCopy = {
  title: "Votre commande",
  plan: { basic: "Plan Basic", pro: "Plan Pro" },
  billing: { monthly: "Paiement mensuel", yearly: "Paiement annuel, 2 mois gratuits" },
  perMonth: (amount: string) => `${amount} HT par mois`,
  amount: {
    loading: "À payer aujourd'hui",
    failed: "À payer aujourd'hui",
    today: "À payer aujourd'hui",
    paid: "Payé aujourd'hui",
    price: "Prix du plan, TVA comprise",
  },
  noFigure: { loading: "Calcul du montant…", failed: "Montant inconnu" },
  lines: {
    credit: "Temps non utilisé de votre plan actuel",
    plan: { basic: "Plan Basic", pro: "Plan Pro" },
    until: (name: string, date: string) => `${name} jusqu'au ${date}`,
    tax: `TVA ${VAT_PERCENT} %`,
    other: "Autres éléments de la facture",
    balance_used: "Avoir utilisé",
    balance_kept: "Mis en avoir",
    balance_carried: "Report d'une autre facture",
  },
  next: {
    monthly: (amount: string) => `puis ${amount} TTC par mois`,
    yearly: (amount: string) => `puis ${amount} TTC par an`,
    from: (rate: string, date: string) => `${rate} à partir du ${date}`,
  },
  creditLeft: (amount: string) => `Avoir restant : ${amount}, déduit de vos prochaines factures.`,
  resumes: "Votre résiliation prévue est annulée : l'abonnement continue.",
  subtotal: { monthly: "Un mois, hors taxes", yearly: "Douze mois, hors taxes" },
  discount: "Économie annuelle comprise",
  back: "Voir les autres plans",
  loading: "Chargement...",
  pay: "Payer",
  change: "Changer de plan",
  retry: "Réessayer",
  portal: "Ouvrir le portail de facturation",
  hint: {
    pay: "Vous payez sur la page sécurisée de notre prestataire, puis revenez ici.",
    change: "Le changement est immédiat et calculé au prorata : ce qui est déjà payé est déduit.",
  },
  keep: {
    title: "Campagnes qui restent actives",
    text: (room: number) =>
      `Ce plan permet ${room} campagnes actives. Choisissez celles qui continuent ; les autres seront mises en pause, sans rien perdre.`,
    count: (chosen: number, room: number) => `${chosen} sur ${room} choisies`,
  },
  done: {
    title: "C'est fait",
    text: "Votre plan est à jour.",
    waiting:
      "Paiement reçu. Votre plan sera à jour dans un instant… Cette page s'actualise seule ; vous pouvez aussi la quitter.",
    late: "Ce plan n'est pas encore en place. Si vous venez de payer, votre paiement n'est pas perdu : vérifiez à nouveau dans quelques minutes.",
    lookAgain: "Vérifier à nouveau",
    dashboard: "Aller au tableau de bord",
  },
  canceled: "Paiement annulé : rien n'a été débité.",
  errors: {
    organization: "Une erreur est survenue lors du chargement de votre organisation",
    updateFailed: "La mise à jour de l'abonnement a échoué",
    noUrl: "URL de paiement non reçue",
    preparing: "Erreur lors de la préparation du paiement",
    current: "Vous avez déjà ce plan.",
    amount: "Le montant à payer n'a pas pu être calculé. Vérifiez votre connexion, puis réessayez.",
  },
} as const;
