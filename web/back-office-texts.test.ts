import { describe, expect, it } from "vitest";
import { campaignsCopy } from "./features/campaigns/campaigns.copy.ts";
import { campaignFiguresCopy } from "./features/campaigns/figures/campaign-figures.copy.ts";
import { customersCopy } from "./features/customers/list/customers.copy.ts";
import { customerDetailCopy } from "./features/customers/profile/customer-detail.copy.ts";
import { customerFormCopy } from "./features/customers/profile/customer-form.copy.ts";
import { dashboardCopy } from "./features/dashboard/dashboard.copy.ts";
import { rewardCodesCopy } from "./features/rewards/codes/reward-codes.copy.ts";
import { rewardFormCopy } from "./features/rewards/form/reward-form.copy.ts";
import { rewardsCopy } from "./features/rewards/rewards.copy.ts";
import { storeStatsCopy } from "./features/stores/figures/store-stats.copy.ts";
import { storesCopy } from "./features/stores/stores.copy.ts";
import { unnamedCopy } from "./lib/customers.copy.ts";
import { formatElapsed } from "./lib/figures.ts";
import { campaignBadgesCopy } from "./ui/campaign/campaign-badges.copy.ts";
import { chartsCopy } from "./ui/charts/charts.copy.ts";

/** The words that the specification prints for the screens of the back-office, section by section, to the letter. */

const { next: _, ...dashboard } = dashboardCopy;
const campaigns = campaignsCopy.list;
const detail = customerDetailCopy;

const TEXTS: Readonly<Record<string, readonly (readonly [said: string, printed: string])[]>> = {
  "2.10": [
    [dashboard.title, "Tableau de bord"],
    [dashboard.loading, "Chargement..."],
    [dashboard.newCampaign, "Nouvelle campagne"],
    [dashboard.newReward, "Ajouter une récompense"],
    [dashboard.usage.campaigns, "Campagnes actives"],
    [dashboard.usage.spins, "Spins mensuels"],
    [dashboard.usage.users, "Utilisateurs"],
    [dashboard.kpis.scans, "Scans totaux"],
    [dashboard.kpis.scansHint, "QR codes scannés"],
    [dashboard.kpis.reviews, "Avis collectés"],
    [dashboard.kpis.satisfaction, "Satisfaction"],
    [dashboard.kpis.average("4,3"), "Moyenne 4,3/5"],
    [dashboard.kpis.redemption, "Taux de rédemption"],
    [dashboard.activity.title, "Activité récente"],
    [dashboard.activity.line("Léa", "2 h"), "Léa • Il y a 2 h"],
    [dashboard.activity.empty, "Aucune activité récente"],
    [dashboard.active.title, "Campagnes actives"],
    [campaignBadgesCopy.active, "Actif"],
    [dashboard.active.empty, "Aucune campagne active"],
    [dashboard.active.all, "Voir toutes les campagnes"],
  ],
  "2.11": [
    [customersCopy.title, "Clients"],
    [customersCopy.export, "Exporter"],
    [customersCopy.filters, "Filtres"],
    [customersCopy.searchPlaceholder, "Rechercher un client..."],
    [customersCopy.cards.total, "Total clients"],
    [customersCopy.cards.consent, "Consentement marketing"],
    [customersCopy.cards.rating, "Note moyenne"],
    [customersCopy.cards.ratingHint, "Sur 5 étoiles"],
    [customersCopy.cards.participation, "Taux de participation"],
    [customersCopy.cards.participationHint, "Clients actifs"],
    [customersCopy.row.consent, "Marketing OK"],
    [customersCopy.row.lastActivity, "Dernière activité"],
    [customersCopy.row.details, "Voir détails"],
    [customersCopy.found(3, "exactly"), "3 client(s) trouvé(s)"],
    [customersCopy.found(100, "more"), "Plus de 100 client(s) trouvé(s)"],
    [customersCopy.found(12_480, "about"), "Environ 12\u202f000 clients trouvés"],
    [customersCopy.empty.noMatch, "Aucun client trouvé pour cette recherche"],
    [customersCopy.empty.title, "Aucun client enregistré"],
  ],
  "2.12": [
    [detail.subtitle, "Détails du client"],
    [detail.consentBadge, "Marketing autorisé"],
    [detail.contact.title, "Informations de contact"],
    [detail.statistics.title, "Statistiques"],
    [detail.statistics.ofFive("4,3"), "4,3/5"],
    [detail.statistics.participations, "Participations"],
    [detail.statistics.wins, "Récompenses gagnées"],
    [detail.engagement.title, "Engagement"],
    [detail.engagement.since, "Client depuis"],
    [detail.engagement.lastActivity, "Dernière activité"],
    [detail.engagement.never, "Aucune"],
    [detail.engagement.reviews, "Total avis"],
    [detail.history.title, "Historique d'activité"],
    [Object.values(detail.history.tabs).join(", "), "Tout, Avis, Participations, Récompenses"],
    [detail.history.review(4), "Avis laissé - 4/5"],
    [detail.history.spin, "Participation à la roue"],
    [detail.history.redemption, "Récompense utilisée"],
    [detail.history.empty, "Aucune activité pour cette catégorie"],
    [detail.notFound.title, "Client non trouvé"],
    [detail.notFound.text, "Ce client n'existe pas ou vous n'avez pas accès à ses informations."],
    [detail.notFound.back, "Retour aux clients"],
  ],
  "2.13": [
    [campaigns.title, "Campagnes"],
    [campaigns.search, "Rechercher une campagne..."],
    [campaigns.stats.active, "Campagnes actives"],
    [campaigns.stats.ofTotal("4"), "Sur 4 total"],
    [campaigns.stats.scans, "Total scans"],
    [campaigns.stats.reviews, "Avis collectés"],
    [campaigns.stats.rating, "Note moyenne"],
    [campaignBadgesCopy.active, "Actif"],
    [campaignBadgesCopy.inactive, "Inactif"],
    [campaigns.unknownStore, "Store Unknown"],
    [campaigns.between("1er mai", "3 mai"), "Du 1er mai au 3 mai"],
    [campaigns.qr, "QR Code"],
    [campaigns.test, "Tester"],
    [campaignsCopy.menu.stats, "Voir statistiques"],
    [campaignsCopy.menu.edit, "Modifier"],
    [campaignsCopy.menu.remove, "Supprimer"],
    [campaigns.empty.title, "Aucune campagne créée"],
    [campaigns.noMatch, "Aucune campagne trouvée pour cette recherche"],
  ],
  "2.14": [[campaignsCopy.create.noStore.title, "Aucun établissement trouvé"]],
  "2.16": [
    [campaignFiguresCopy.unknownStore, "Store Unknown"],
    [unnamedCopy.anonymous, "Client anonyme"],
    [campaignFiguresCopy.reviews.empty, "Aucun avis pour le moment"],
    [campaignFiguresCopy.rewards.empty, "Aucune rédemption pour le moment"],
    [campaignFiguresCopy.rewards.uses("7", false), "7 utilisations"],
  ],
  "2.17": [
    [Object.values(rewardsCopy.types).join(", "), "Coupon, Cadeau, Points"],
    [rewardsCopy.deletedCampaign, "Campagne supprimée"],
    [rewardsCopy.unlimited, "Illimité"],
    [rewardsCopy.left("3"), "3 restant(s)"],
    [rewardsCopy.actions.codes, "Codes"],
    [rewardsCopy.actions.edit, "Modifier"],
    [rewardsCopy.actions.stats, "Statistiques"],
    [rewardsCopy.actions.remove, "Supprimer"],
    [rewardFormCopy.campaigns.none, "Aucune campagne active trouvée"],
    [rewardCodesCopy.refresh, "Actualiser"],
    [rewardCodesCopy.export, "Exporter CSV"],
    [rewardCodesCopy.anonymous, "Anonyme"],
    [rewardCodesCopy.never, "Jamais"],
    [rewardCodesCopy.empty.title, "Aucun code trouvé"],
  ],
  "2.18": [[storesCopy.title, "Magasins"]],
  "4.4": [
    [dashboard.usage.near, "Limite proche"],
    [dashboard.usage.reached, "Limite dépassée"],
  ],
  "8": [
    [campaignsCopy.create.failed.exists, "Une campagne avec ce nom existe déjà"],
    [campaignsCopy.create.failed.fallback, "Erreur lors de la création de la campagne"],
    [campaignsCopy.create.storesFailed, "Erreur lors du chargement des établissements"],
    [campaigns.loadFailed, "Erreur lors du chargement des campagnes"],
    [campaignFiguresCopy.missing.title, "Campagne non trouvée"],
    [campaignFiguresCopy.loadFailed, "Erreur lors du chargement des statistiques"],
    [rewardsCopy.notFound.title, "Récompense non trouvée"],
    [rewardsCopy.loadFailed, "Erreur lors du chargement des données"],
    [rewardCodesCopy.loadFailed, "Erreur lors du chargement des codes"],
    [rewardFormCopy.failures.create, "Erreur lors de la création de la récompense"],
    [rewardFormCopy.failures.update, "Erreur lors de la mise à jour de la récompense"],
    [storesCopy.loadFailed, "Erreur lors du chargement des établissements"],
  ],
};

describe.each(Object.entries(TEXTS))("section %s of the specification", (_section, texts) => {
  it.each(texts)("« %s »", (said, printed) => {
    expect(said).toBe(printed);
  });
});

it.each([
  [59, "< 1 min"],
  [60, "1 min"],
  [3_599, "59 min"],
  [3_600, "1 h"],
  [86_399, "23 h"],
  [86_400, "1 j"],
  [40 * 86_400, "40 j"],
])("%i seconds ago is « %s »", (seconds, words) => {
  const now = new Date("2026-11-21T12:00:00Z");
  expect(formatElapsed(new Date(now.getTime() - seconds * 1000), now)).toBe(words);
});

/** Sentences that count, with one thing and with two. */
it("one thing is one thing, in every sentence that counts", () => {
  const { erase } = customerFormCopy;
  expect(
    [
      [dashboard.kpis.redemptionHint("1", 1), dashboard.kpis.redemptionHint("1", 2)],
      [dashboardCopy.next.spinsNear.text(1), dashboardCopy.next.spinsNear.text(2)],
      [chartsCopy.visits.described(1, 1, 1), chartsCopy.visits.described(2, 2, 2)],
      [storeStatsCopy.campaignFacts(1, 1), storeStatsCopy.campaignFacts(2, 2)],
      [erase.reviews(1), erase.reviews(2)],
      [erase.points(1), erase.points(2)],
    ].flat(),
  ).toEqual([
    "1 sur 1 gain",
    "1 sur 2 gains",
    "Il reste 1 tour de roue jusqu'à la fin du mois.",
    "Il reste 2 tours de roue jusqu'à la fin du mois.",
    "En tout : 1 scan, 1 avis et 1 participation.",
    "En tout : 2 scans, 2 avis et 2 participations.",
    "1 scan · 1 avis",
    "2 scans · 2 avis",
    "le nom et le texte de son avis (les étoiles restent, sans nom)",
    "le nom et le texte de ses 2 avis (les étoiles restent, sans nom)",
    "son point",
    "ses 2 points",
  ]);
});
