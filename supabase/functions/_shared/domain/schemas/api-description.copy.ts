/** Texts of the API's description (`/openapi.json`) and of its documentation, in French. */
export const apiCopy = {
  title: "API de Tournavis",
  description: (perMinute: number) =>
    `Les données de votre organisation, avec une clé d'API du plan Pro : lecture des tables, ou validation des codes à la caisse. Chaque clé peut faire ${perMinute} demandes par minute.`,
  tags: {
    read: "Lecture",
    redeem: "Caisse",
    token: "Jeton",
  },
  /** The tables that a reading key opens, each in a sentence. */
  tables: {
    organizations: "Votre organisation.",
    organization_plans: "Le plan de votre organisation, son état et ses dates.",
    stores: "Vos magasins.",
    campaigns: "Vos campagnes.",
    campaign_rules: "Les règlements publiés de vos jeux.",
    rewards: "Les récompenses de vos campagnes.",
    wheel_segments: "Les segments de vos roues.",
    customers: "Vos clients et leurs coordonnées.",
    pre_spin_reviews: "Les avis collectés, avec leur note et leur message.",
    spins: "Les participations à la roue et leur résultat.",
    redemptions: "Les codes gagnés et leur état.",
    redemption_events: "Chaque utilisation d'un code, et chaque annulation.",
    points_ledger: "Les points de vos clients : gagnés, dépensés, rendus, expirés.",
    points_rewards: "Ce que vos clients peuvent obtenir contre leurs points.",
    points_spends: "Les points échangés par vos clients, et les codes donnés contre eux.",
    scan_events: "Les scans de vos QR codes.",
    campaign_daily_stats:
      "Les chiffres de vos campagnes, jour par jour, en une ou plusieurs lignes à additionner.",
    reward_daily_stats: "Les chiffres de vos récompenses, jour par jour.",
  },
  parameters: {
    select: "Colonnes à lire, séparées par des virgules ; toutes par défaut.",
    order: "Tri, par exemple `created_at.desc`.",
    limit: "Nombre de lignes, 1000 au plus.",
    offset: "Nombre de lignes à sauter.",
    filter: "Filtre, par exemple `eq.valeur`, `gte.2026-01-01` ou `in.(a,b)`.",
  },
  answers: { rows: "Les lignes trouvées.", done: "C'est fait." },
  refusals: {
    "401": "La clé est inconnue, révoquée ou expirée.",
    "402": "Le plan ne comprend pas l'API, ou n'est plus actif.",
    "403": "La portée de la clé ne permet pas cette demande.",
    "429": "Trop de demandes : l'en-tête `Retry-After` dit combien de secondes attendre.",
  },
  lookup: "Dit ce qu'est un code, sans l'utiliser.",
  redeem: "Utilise un code à la caisse d'un magasin, une seule fois.",
  token: "Échange une clé contre un jeton de dix minutes, à envoyer comme celui d'une session.",
} as const;
