import { isGivenRole } from "#domain/rules/roles.ts";
import { formatCount } from "../../../lib/format.ts";
import { teamCopy } from "../team.copy.ts";

/** Names of the columns that a change may mention. */
const FIELDS: Readonly<Record<string, string>> = {
  name: "nom",
  slug: "adresse publique",
  address: "adresse",
  google_place_id: "fiche d'avis",
  google_review_url: "lien d'avis",
  review_mode: "mode d'avis",
  timezone: "fuseau horaire",
  description: "description",
  store_id: "magasin",
  starts_at: "début",
  ends_at: "fin",
  play_interval_days: "délai entre deux participations",
  type: "type",
  value: "valeur",
  campaign_id: "campagne",
  code_template: "modèle de code",
  max_per_user: "limite par client",
  metadata: "détails",
  picture: "image",
  translations: "traductions",
  item_translations: "traductions de l'article",
  active: "état",
  wheel: "roue",
  archived_at: "archivage",
  return_share: "part de vrais retours",
  average_basket: "panier moyen",
  cost: "prix en points",
};

/** « nom, adresse »; what has no name here is left out. */
export function fieldNames(fields: readonly string[] = []): string {
  return fields.flatMap((field) => FIELDS[field] ?? []).join(", ");
}

/** A role in French; one's own roles are called what they are called. */
function roleName(role: string): string {
  return isGivenRole(role) ? teamCopy.roles[role] : role;
}

/** Facts that the sentences mention. */
export type Facts = {
  name: string;
  host: string;
  count: number;
  formerName: string;
  fields: string;
  role: string;
  formerRole: string;
  plan: string;
  formerPlan: string;
  /** List that was exported. */
  list: string;
};

/** Roles as people read them. */
export const roleWords = roleName;

/** A list that was exported, by its kind in the export's request. */
export function listWords(kind: string): string {
  return LISTS[kind] ?? "des données";
}

const LISTS: Readonly<Record<string, string>> = {
  customers: "les clients",
  redemptions: "les codes",
  reviews: "les avis",
  campaigns: "les campagnes",
};

/** « Pro, annuel »; what is no plan here is called what it is called. */
export function planWords(plan = "", billing = ""): string {
  const words = [PLANS[plan] ?? plan, RHYTHMS[billing] ?? billing];
  return words.filter(Boolean).join(", ");
}

const PLANS: Readonly<Record<string, string>> = {
  free_trial: "essai gratuit",
  basic: "Basic",
  pro: "Pro",
};
const RHYTHMS: Readonly<Record<string, string>> = { monthly: "mensuel", yearly: "annuel" };

/** The verbs of a kind of thing: « a archivé le magasin « Annexe » ». */
function about(the: string): Record<string, (facts: Facts) => string> {
  return {
    created: ({ name }) => `a créé ${the} « ${name} »`,
    updated: ({ name, formerName, fields }) =>
      formerName
        ? `a renommé ${the} « ${formerName} » en « ${name} »`
        : `a modifié ${the} « ${name} »${fields && ` (${fields})`}`,
    activated: ({ name }) => `a activé ${the} « ${name} »`,
    deactivated: ({ name }) => `a désactivé ${the} « ${name} »`,
    archived: ({ name }) => `a archivé ${the} « ${name} »`,
    restored: ({ name }) => `a remis en service ${the} « ${name} »`,
    deleted: ({ name }) => `a supprimé ${the} « ${name} »`,
  };
}

function sentencesOf(kind: string, the: string) {
  return Object.fromEntries(
    Object.entries(about(the)).map(([verb, sentence]) => [`${kind}.${verb}`, sentence]),
  );
}

/**
 * Sentences of the audit trail (`private.audit` in SQL), one an action, after the person's name.
 */
export const auditCopy = {
  title: "Journal d'activité",
  text: "Qui a fait quoi dans votre organisation, sur les 13 derniers mois.",
  back: "Équipe",
  loadFailed: "Erreur lors du chargement du journal",
  forbidden: "Le journal est réservé au propriétaire et aux administrateurs.",
  list: "Activité",
  person: "Personne",
  everybody: "Tout le monde",
  action: "Action",
  everything: "Toutes les actions",
  clear: "Effacer les filtres",
  empty: {
    title: "Rien à signaler pour l'instant",
    text: "Ce que fait votre équipe s'affichera ici.",
  },
  noMatch: {
    title: "Aucune activité pour ces filtres",
    text: "Élargissez la recherche pour voir le reste.",
  },
  platform: "Tournavis",
  customer: "Un client",
  somebody: "Quelqu'un",
  unknown: (action: string) => `a fait une action (${action})`,
  sentences: {
    ...sentencesOf("store", "le magasin"),
    "store.link_confirmed": ({ name, host }) =>
      `a confirmé ${host} comme page d'avis du magasin « ${name} »`,
    ...sentencesOf("campaign", "la campagne"),
    ...sentencesOf("reward", "la récompense"),
    ...sentencesOf("organization", "l'organisation"),
    "organization.transferred": ({ name }) => `a transmis l'organisation à ${name}`,
    "organization.ended": () => "a demandé la suppression de l'organisation",
    "organization.kept": () => "a annulé la suppression de l'organisation",
    "organization.suspended": () =>
      "a suspendu l'organisation : pages fermées, données en lecture seule",
    "organization.resumed": () => "a levé la suspension de l'organisation",
    "organization.exported": () => "a téléchargé toutes les données",
    "brand.logo_changed": () => "a changé le logo",
    "brand.logo_removed": () => "a retiré le logo",
    "brand.color_changed": () => "a changé la couleur de la marque",
    "check.held": ({ name }) => `a mis en attente des gains de « ${name} »`,
    "check.cancelled": ({ name }) => `a annulé des gains de « ${name} »`,
    "check.released": ({ name }) => `a rétabli des gains de « ${name} »`,
    "check.cleared": ({ name }) => `a classé des gains à vérifier de « ${name} »`,
    "check.reopened": ({ name }) => `a repris des gains à vérifier de « ${name} »`,
    "check.updated": ({ name }) => `a réglé ce que « ${name} » signale`,
    "code.restored": ({ name }) => `a annulé la validation d'un code pour « ${name} »`,
    "customer.exported": () => "a exporté les données d'un client",
    "customer.erased": () => "a effacé les données d'un client",
    "customer.consent_withdrawn": () =>
      "a retiré son consentement marketing, par le lien d'un e-mail",
    "customer.consents_withdrawn": ({ count }) =>
      `a retiré le consentement marketing de ${formatCount(count, "client", "clients")}`,
    "data.exported": ({ list }) => `a exporté ${list}`,
    "invitation.sent": ({ name, role }) => `a invité ${name} (${role})`,
    "invitation.resent": ({ name }) => `a renvoyé l'invitation envoyée à ${name}`,
    "invitation.withdrawn": ({ name }) => `a retiré l'invitation envoyée à ${name}`,
    "member.joined": ({ role }) => `a rejoint l'équipe (${role})`,
    "member.role_changed": ({ name, formerRole, role }) =>
      formerRole === role
        ? `a changé la caisse attribuée à ${name}`
        : `a changé le rôle attribué à ${name} : ${formerRole} → ${role}`,
    "member.removed": ({ name }) => `a retiré ${name} de l'équipe`,
    "member.left": () => "a quitté l'équipe",
    "member.erased": ({ role }) =>
      `a retiré de l'équipe un membre qui a supprimé son compte (${role})`,
    "notifications.updated": () => "a changé ses notifications",
    "plan.changed": ({ formerPlan, plan }) => `a changé le plan : ${formerPlan} → ${plan}`,
    "plan.closed": ({ plan }) => `a clos le plan (${plan})`,
    "plan.suspended": ({ plan }) => `a suspendu le plan (${plan}) : une facture reste impayée`,
    "plan.unpaid": ({ plan }) => `a constaté un paiement non abouti (${plan})`,
    "plan.resumed": ({ plan }) => `a rouvert le plan (${plan})`,
    "plan.ending": ({ plan }) => `a enregistré la résiliation du plan (${plan}) en fin de période`,
    "plan.continued": ({ plan }) => `a annulé la résiliation du plan (${plan})`,
    "points.spent": ({ name }) => `a remis « ${name} » à un client contre ses points`,
    "review.answered": ({ name }) => `a répondu à un avis chez « ${name} »`,
    "review.assigned": ({ name }) => `a changé qui suit un avis chez « ${name} »`,
    "review.closed": ({ name }) => `a clos un avis chez « ${name} »`,
    "review.gifted": ({ name }) => `a offert un code à l'auteur d'un avis chez « ${name} »`,
    "review.noted": ({ name }) => `a ajouté une note à un avis chez « ${name} »`,
    "review.reopened": ({ name }) => `a rouvert un avis chez « ${name} »`,
    "review.seen": ({ name }) => `a marqué comme vu un avis chez « ${name} »`,
    "review.unseen": ({ name }) => `a marqué comme non vu un avis chez « ${name} »`,
    "store.rated": ({ name }) => `a relevé la note publique de « ${name} »`,
    "store.rating_removed": ({ name }) => `a effacé un relevé de la note publique de « ${name} »`,
    "templates.updated": () => "a changé les modèles de réponse",
    ...sentencesOf("role", "le rôle"),
    "api_key.created": ({ name }) => `a créé la clé d'API « ${name} »`,
    "api_key.revoked": ({ name }) => `a révoqué la clé d'API « ${name} »`,
  } as Readonly<Record<string, (facts: Facts) => string>>,
  /** The same as entries of the filter. */
  things: {
    store: "Magasins",
    campaign: "Campagnes",
    reward: "Récompenses",
    organization: "Organisation",
    brand: "Marque",
    check: "Gains à vérifier",
    code: "Codes",
    customer: "Clients",
    data: "Exports",
    invitation: "Invitations",
    member: "Membres",
    notifications: "Notifications",
    plan: "Abonnement",
    points: "Points",
    review: "Avis",
    role: "Rôles",
    templates: "Modèles de réponse",
    api_key: "Clés d'API",
  } as Readonly<Record<string, string>>,
  verbs: {
    created: "création",
    updated: "modification",
    activated: "activation",
    deactivated: "désactivation",
    link_confirmed: "page d'avis confirmée",
    archived: "archivage",
    spent: "échange",
    restored: "remise en service",
    deleted: "suppression",
    transferred: "transmission",
    erased: "effacement",
    consent_withdrawn: "consentement retiré par le client",
    consents_withdrawn: "consentements retirés",
    exported: "export",
    sent: "envoi",
    resent: "renvoi",
    withdrawn: "retrait",
    joined: "arrivée",
    role_changed: "changement de rôle",
    removed: "retrait",
    revoked: "révocation",
    left: "départ",
    ended: "suppression demandée",
    kept: "suppression annulée",
    changed: "changement",
    rated: "note publique relevée",
    rating_removed: "relevé effacé",
    answered: "réponse",
    assigned: "attribution",
    noted: "note",
    reopened: "réouverture",
    held: "mise en attente",
    cancelled: "annulation",
    released: "rétablissement",
    cleared: "classement",
    seen: "marqué comme vu",
    unseen: "marqué comme non vu",
    closed: "clôture",
    continued: "résiliation annulée",
    suspended: "suspension",
    unpaid: "paiement non abouti",
    resumed: "réouverture",
    ending: "résiliation",
  } as Readonly<Record<string, string>>,
};
