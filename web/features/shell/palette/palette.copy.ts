/** The search through everything (issue 4, « Command palette »). */
export const paletteCopy = {
  title: "Aller à",
  placeholder: "Nom, code ou page...",
  label: "Rechercher un client, un code, une campagne, une récompense, un magasin ou une page",
  close: "Fermer la recherche",
  recent: "Récemment ouverts",
  pages: "Pages",
  kinds: {
    campaign: "Campagnes",
    customer: "Clients",
    code: "Codes",
    reward: "Récompenses",
    store: "Magasins",
  },
  /** Pages, and beside their titles the words that people type for them. */
  actions: {
    campaign: "Nouvelle campagne",
    reward: "Nouvelle récompense",
    store: "Nouveau magasin",
    till: { title: "Caisse", words: "Encaisser un code, scanner" },
    pricing: { title: "Tarifs", words: "Prix, plans, changer de plan" },
    sessions: { title: "Appareils connectés", words: "Sessions, se déconnecter" },
    password: { title: "Mot de passe", words: "Sécurité, identifiants" },
    factors: {
      title: "Double authentification",
      words: "Sécurité, 2FA, A2F, clé d'accès, passkey",
    },
    account: {
      title: "Mes données et mon compte",
      words: "Profil, adresse e-mail, supprimer mon compte",
    },
  },
  inSettings: "Paramètres",
  settings: {
    organization: { title: "Organisation", words: "Nom, identifiant, page publique, entreprise" },
    team: { title: "Équipe", words: "Membres, collègues, utilisateurs" },
    place: {
      title: "Ma place dans l'équipe",
      words: "Mon rôle, quitter ou transmettre l'organisation",
    },
    invite: { title: "Inviter un membre", words: "Équipe, ajouter un collègue, un utilisateur" },
    roles: { title: "Rôles personnalisés", words: "Droits, permissions, accès" },
    notifications: {
      title: "Notifications",
      words: "Alertes, e-mails, SMS, résumé, rapport du mois",
    },
    subscription: {
      title: "Abonnement",
      words: "Facturation, factures, paiement, carte, plan, résilier",
    },
    brand: { title: "Logo et couleur", words: "Marque, apparence, personnaliser" },
    audit: { title: "Journal d'activité", words: "Historique, audit, qui a fait quoi" },
    api: { title: "Clés d'API", words: "Clés API, jetons, intégrations" },
    data: {
      title: "Vos données",
      words: "Exporter, sauvegarde, télécharger, supprimer l'organisation, RGPD",
    },
  },
  found: (count: number) => (count === 1 ? "1 résultat" : `${count} résultats`),
  searching: "Recherche...",
  noMatch: (text: string) => `Aucun résultat pour « ${text} »`,
  noMatchHint: "Essayez un autre nom, ou le début d'un code.",
  failed: "La recherche n'a pas abouti.",
  retry: "Réessayer",
  keys: { move: "pour choisir", open: "pour ouvrir", close: "pour fermer" },
} as const;
