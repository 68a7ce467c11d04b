import type { PermissionSubject, RolePermission } from "#domain/rules/permissions.ts";

/** `/settings/roles`: the given roles, and those of the organisation's own. */
export const rolesCopy = {
  title: "Rôles",
  text: "Ce que chacun peut faire. Composez vos propres rôles à partir des autorisations.",
  back: "Équipe",
  given: "Rôles fournis",
  own: "Vos rôles",
  create: "Créer un rôle",
  readOnly: "Seul le propriétaire crée et modifie les rôles.",
  empty: {
    title: "Aucun rôle personnalisé",
    text: "Par exemple « Animation » : prépare les campagnes, sans voir l'identité des clients.",
  },
  locked: {
    title: "Les rôles personnalisés sont inclus dans le plan Pro",
    text: "Donnez à chacun exactement ce dont il a besoin : lire sans modifier, gérer l'équipe sans la facturation...",
    kept: "Vos rôles restent en vigueur pour ceux qui les ont, mais ne peuvent plus être créés, modifiés ni attribués.",
  },
  usage: (members: number, invitations: number) => {
    const parts = [
      `${members} ${members > 1 ? "membres" : "membre"}`,
      ...(invitations > 0
        ? [`${invitations} ${invitations > 1 ? "invitations" : "invitation"} en attente`]
        : []),
    ];
    return parts.join(" · ");
  },
  edit: "Modifier",
  editNamed: (name: string) => `Modifier le rôle ${name}`,
  remove: "Supprimer",
  removeNamed: (name: string) => `Supprimer le rôle ${name}`,
  removeTitle: (name: string) => `Supprimer le rôle « ${name} » ?`,
  removeText: "Le rôle disparaît de la liste. Personne ne l'a en ce moment.",
  removed: (name: string) => `Le rôle « ${name} » est supprimé.`,
  saved: (name: string) => `Le rôle « ${name} » est enregistré.`,
  form: {
    createTitle: "Créer un rôle",
    editTitle: (name: string) => `Modifier « ${name} »`,
    name: "Nom",
    nameRequired: "Le nom est requis",
    nameGiven: "Ce nom est celui d'un rôle fourni. Choisissez-en un autre.",
    description: "Description",
    descriptionHint: "En une phrase, pour aider à choisir ce rôle.",
    permissions: "Autorisations",
    permissionsHint:
      "Dès qu'un rôle fait autre chose que la caisse, il voit aussi le tableau de bord et les magasins. L'identité des clients ne se voit qu'avec « Clients » : sans cet accès, les écrans, les exports et les e-mails disent « un client ».",
    permissionsRequired: "Choisissez au moins une autorisation.",
    submit: "Enregistrer",
  },
  none: "Aucun accès",
  subjects: {
    till: "Caisse",
    activity: "Tableau de bord et chiffres",
    campaigns: "Campagnes",
    rewards: "Récompenses",
    stores: "Magasins",
    customers: "Clients",
    reviews: "Avis",
    codes: "Codes gagnés",
    team: "Équipe",
    billing: "Abonnement",
    organization: "Organisation",
    audit: "Journal d'activité",
    api: "Clés d'API",
  } satisfies Record<PermissionSubject, string>,
  /** Screens and data that each permission opens, whatever the level. */
  opens: {
    till: "Un code présenté à la fois : sa récompense et le nom de son client.",
    activity: "Totaux, courbes, activité récente et notes des avis, sans nom.",
    campaigns: "Campagnes, roues, règlements, QR codes et affiches.",
    rewards: "Récompenses et stocks. Les modifier donne aussi accès aux campagnes.",
    stores: "Magasins, leurs adresses et leurs chiffres.",
    customers: "Noms, e-mails, téléphones, messages et historique, avec leur export.",
    reviews:
      "La boîte des avis : notes, suites données. Pour répondre et voir les messages, il faut aussi l'accès aux clients.",
    codes:
      "La liste des codes, même encore valables, avec son export. Donne aussi accès aux récompenses.",
    team: "Membres, e-mails et rôles. Gérer : inviter, retirer, changer de rôle.",
    billing: "Plan et échéances. Gérer : payer, changer de plan, voir les factures.",
    organization: "Nom, adresse publique, logo et couleur.",
    audit: "Qui, dans l'équipe, a fait quoi et quand.",
    api: "Clés pour vos programmes. Pour en créer une, il faut avoir soi-même accès à tout ce qu'elle lit.",
  } satisfies Record<PermissionSubject, string>,
  /** Each level by its permission. */
  levels: {
    "codes.redeem": "Valider les codes",
    "activity.read": "Consulter",
    "campaigns.read": "Consulter",
    "campaigns.write": "Modifier",
    "campaigns.delete": "Modifier et supprimer",
    "rewards.read": "Consulter",
    "rewards.write": "Modifier",
    "rewards.delete": "Modifier et supprimer",
    "stores.read": "Consulter",
    "stores.write": "Modifier",
    "stores.delete": "Modifier et supprimer",
    "customers.read": "Consulter",
    "customers.write": "Modifier",
    "customers.delete": "Modifier et effacer",
    "reviews.read": "Consulter",
    "reviews.write": "Répondre et clore",
    "codes.read": "Consulter",
    "team.read": "Consulter",
    "team.manage": "Gérer",
    "billing.read": "Consulter",
    "billing.manage": "Gérer",
    "organization.update": "Modifier",
    "audit.read": "Consulter",
    "api.manage": "Gérer",
  } satisfies Record<RolePermission, string>,
  /** Advice for each failure, by code. */
  failures: {
    TV113:
      "Ce rôle est encore attribué. Donnez un autre rôle à ses membres et retirez ses invitations, puis supprimez-le.",
    TV114: "Les rôles personnalisés sont inclus dans le plan Pro.",
    TV115: "Vous avez déjà 20 rôles. Supprimez-en un qui ne sert plus.",
    "23505": "Un de vos rôles porte déjà ce nom.",
    "23514": "Vérifiez le nom et la description.",
    forbidden: "Seul le propriétaire crée et modifie les rôles. Actualisez la page.",
  } satisfies Record<string, string>,
} as const;
