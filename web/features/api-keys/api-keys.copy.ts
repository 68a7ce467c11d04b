import type { ApiScope } from "#domain/schemas/api-keys.ts";

/** `/settings/api`: keys of the organisation for the data API. */
export const apiKeysCopy = {
  title: "API",
  text: "Des clés pour que vos propres logiciels lisent vos données, ou valident des codes.",
  back: "Paramètres",
  documentation: "Documentation",
  loadFailed: "Erreur lors du chargement des clés",
  forbidden: "Les clés d'API sont réservées au propriétaire et aux administrateurs.",
  locked: {
    title: "L'API est incluse dans le plan Pro",
    text: "Avec le plan Pro, vos logiciels lisent vos avis, vos clients et vos chiffres, et votre caisse valide les codes sans changer d'écran.",
    paused:
      "Vos clés sont gardées mais ne fonctionnent plus : elles fonctionneront à nouveau avec un plan Pro actif.",
  },
  list: "Clés",
  create: "Créer une clé",
  empty: {
    title: "Aucune clé pour l'instant",
    text: "Une clé par logiciel : vous pourrez révoquer l'une sans toucher aux autres.",
  },
  /** To a role that may manage keys and do nothing of what they open. */
  noScope:
    "Une clé ne donne que les droits que vous avez vous-même. Demandez au propriétaire le droit d'encaisser ou de tout consulter, ou de créer la clé pour vous.",
  scopes: {
    read: "Lecture",
    redeem: "Caisse",
  } satisfies Record<ApiScope, string>,
  scopeTexts: {
    read: "Lit les magasins, campagnes, récompenses, codes, clients et chiffres. N'écrit rien.",
    redeem: "Consulte et utilise des codes à la caisse. Ne lit rien d'autre.",
  } satisfies Record<ApiScope, string>,
  expired: "Expirée",
  created: (date: string, name: string | null) =>
    name ? `Créée le ${date} par ${name}` : `Créée le ${date}`,
  used: (date: string) => `Utilisée pour la dernière fois le ${date}`,
  neverUsed: "Jamais utilisée",
  until: (date: string) => `Valable jusqu'au ${date}`,
  endless: "Sans expiration",
  at: (store: string) => `Caisse : ${store}`,
  revoke: "Révoquer",
  revokeNamed: (name: string) => `Révoquer la clé ${name}`,
  revokeTitle: (name: string) => `Révoquer la clé « ${name} » ?`,
  revokeText: "Le logiciel qui s'en sert perd l'accès dès sa prochaine demande. C'est définitif.",
  revokeAction: "Révoquer la clé",
  revoked: (name: string) => `La clé « ${name} » est révoquée.`,
  dialog: {
    title: "Créer une clé",
    name: "Nom",
    nameHint: "Le logiciel qui s'en servira, par exemple « Caisse du centre ».",
    nameRequired: "Le nom est requis",
    scope: "Ce que la clé permet",
    store: "Magasin",
    storeHint: "Où cette clé valide les codes.",
    allStores: "Tous les magasins",
    expiry: "Expiration",
    expiries: {
      "": "Sans expiration",
      "30": "Dans 30 jours",
      "90": "Dans 90 jours",
      "365": "Dans un an",
    },
    submit: "Créer la clé",
  },
  made: {
    title: "Votre nouvelle clé",
    text: "Copiez-la maintenant : elle n'est montrée qu'une fois, et personne ne peut la retrouver.",
    label: (name: string) => `Clé « ${name} »`,
    copy: "Copier la clé",
    copied: "Copiée",
    close: "J'ai copié la clé",
  },
  failures: {
    TV111: "Votre plan ne comprend pas l'API, ou n'est plus actif.",
    TV112: "Vous avez déjà 20 clés. Révoquez-en une qui ne sert plus.",
    "23514": "Vérifiez le nom et l'expiration.",
    forbidden: "Vous n'avez pas le droit de faire ce changement. Actualisez la page.",
  } satisfies Record<string, string>,
} as const;
