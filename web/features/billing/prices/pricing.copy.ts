import { TRIAL_DAYS } from "#domain/rules/constants.ts";
import { EXPORT_AFTER_END_DAYS, PAYMENT_NOTICE_DAYS } from "#domain/rules/retention.ts";
import { planNames } from "../../../lib/plan-names.copy.ts";

/** Said plainly, beside what is included and what is not: it is no feature that is missing. */
const LOGO = "Le logo Tournavis reste affiché sur les pages de vos clients.";

/** `/pricing` and `/test-pricing` (specification, sections 2.3 and 9). */
export const pricingCopy = {
  description: `Essai gratuit de ${TRIAL_DAYS} jours sans carte, Basic et Pro au mois ou à l'année. Prix hors taxes, sans engagement, changement de plan au prorata.`,
  title: "Des prix simples, sans surprise",
  text: `Essayez ${TRIAL_DAYS} jours gratuitement, sans carte bancaire. Changez de plan ou arrêtez quand vous voulez.`,
  textUnsold: `Essayez ${TRIAL_DAYS} jours gratuitement, sans carte bancaire. Les abonnements ne sont pas ouverts pour le moment.`,
  dashboard: "Tableau de bord",
  planLabel: "Votre plan",
  billing: {
    label: "Rythme de paiement",
    monthly: "Mensuel",
    yearly: "Annuel",
    discount: "2 mois gratuits",
  },
  plansLabel: "Les plans",
  names: planNames,
  descriptions: {
    free_trial: "Pour voir la roue tourner dans votre magasin.",
    basic: "Pour un commerce qui veut des avis toute l'année.",
    pro: "Pour les enseignes, les réseaux et les franchises.",
  },
  popular: "Recommandé",
  free: "0 €",
  durations: {
    free_trial: `pendant ${TRIAL_DAYS} jours, sans carte bancaire`,
    paid: "HT par mois",
  },
  yearly: {
    total: (amount: string) => `${amount} HT par an`,
    original: (amount: string) => `au lieu de ${amount}`,
    savings: (amount: string) => `Vous économisez ${amount}`,
  },
  monthlyNote: "Facturé chaque mois, sans engagement",
  included: "Inclus",
  excluded: "Non inclus",
  features: {
    campaigns: (count: string, isMany: boolean) =>
      isMany ? `${count} campagnes actives` : `${count} campagne active`,
    unlimitedCampaigns: "Campagnes actives illimitées",
    spins: (count: string) => `${count} tours de roue par mois`,
    unlimitedSpins: "Tours de roue illimités",
    users: (count: string) => `${count} utilisateurs`,
    unlimitedUsers: "Utilisateurs illimités",
    own: {
      free_trial: ["QR code, avis et roue complets"],
      basic: ["Plusieurs magasins", "Statistiques avancées"],
      pro: [
        "Plusieurs magasins",
        "Statistiques avancées",
        "Export CSV",
        "Accès API",
        "Marque blanche",
      ],
    },
    limitations: {
      free_trial: ["Export CSV", "Statistiques avancées"],
      basic: ["Export CSV", "Accès API"],
      pro: [],
    },
    notes: { free_trial: LOGO, basic: LOGO, pro: null },
  },
  actions: {
    startTrial: "Commencer l'essai gratuit",
    choose: { basic: "Choisir Basic", pro: "Choisir Pro" },
    current: "Plan actuel",
    over: "Essai terminé",
    unavailable: "Non disponible",
    upgrade: "Passer au plan supérieur",
    change: "Changer de plan",
  },
  planUnknown: "Votre plan actuel ne s'affiche pas.",
  retry: "Réessayer",
  tax: "Prix hors taxes pour les entreprises françaises. La TVA de 20 % est ajoutée au paiement.",
  faq: {
    title: "Questions fréquentes",
    entries: [
      {
        question: "Faut-il une carte bancaire pour essayer ?",
        answer: `Non. L'essai dure ${TRIAL_DAYS} jours et ne demande aucune carte. À la fin, vos pages se ferment au public jusqu'à ce que vous choisissiez un plan ; rien n'est débité.`,
      },
      {
        question: "Puis-je changer de plan en cours de route ?",
        answer:
          "Oui, à tout moment. Le changement est immédiat et calculé au prorata : le temps déjà payé est déduit de la prochaine facture.",
      },
      {
        question: "Les prix comprennent-ils la TVA ?",
        answer:
          "Les prix sont hors taxes pour les entreprises françaises. La TVA de 20 % est ajoutée au moment du paiement et figure sur chaque facture.",
      },
      {
        question: "Que se passe-t-il si je dépasse une limite ?",
        answer:
          "Vous êtes prévenu à 80 % et à 100 %. Au-delà, les avis continuent d'arriver et la roue se repose jusqu'au mois suivant, ou jusqu'à ce que vous passiez au plan supérieur.",
      },
      {
        question: "Et si un paiement échoue ?",
        answer: `Vous avez ${PAYMENT_NOTICE_DAYS} jours pour régler. Ensuite vos pages se ferment au public ; vos données restent lisibles et exportables pendant ${EXPORT_AFTER_END_DAYS} jours.`,
      },
      {
        question: "Comment arrêter mon abonnement ?",
        answer:
          "Depuis vos paramètres, en deux clics. Votre plan reste actif jusqu'à la fin de la période déjà payée.",
      },
    ],
  },
  closing: {
    title: "Prêt à faire tourner la roue ?",
    text: "Votre premier QR code est prêt en cinq minutes.",
    signup: "Commencer l'essai gratuit",
    dashboard: "Aller au tableau de bord",
  },
  test: {
    title: "Page de test des tarifs",
    text: "La page des tarifs fonctionne.",
    back: "Voir les tarifs",
  },
} as const;
