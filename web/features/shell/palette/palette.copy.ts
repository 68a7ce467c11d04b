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
    place: {
      title: "Ma place dans l'équipe",
      words: "Mon rôle, quitter ou transmettre l'organisation",
    },
    invite: { title: "Inviter un membre", words: "Équipe, ajouter un collègue, un utilisateur" },
  },
  inSettings: "Paramètres",
  /** Words that people type for the parts of the settings. */
  parts: {
    organization: "Nom, identifiant, page publique, entreprise",
    team: "Membres, collègues, utilisateurs",
    notifications: "Alertes, e-mails, SMS, résumé, rapport du mois",
    subscription: "Facturation, factures, paiement, carte, plan, résilier",
    brand: "Marque, apparence, personnaliser",
    roles: "Droits, permissions, accès",
    audit: "Historique, audit, qui a fait quoi",
    api: "Clés API, jetons, intégrations",
    data: "Exporter, sauvegarde, télécharger, supprimer l'organisation, RGPD",
  },
  found: (count: number) => (count === 1 ? "1 résultat" : `${count} résultats`),
  searching: "Recherche...",
  noMatch: (text: string) => `Aucun résultat pour « ${text} »`,
  noMatchHint: "Essayez un autre nom, ou le début d'un code.",
  failed: "La recherche n'a pas abouti.",
  retry: "Réessayer",
  keys: { move: "pour choisir", open: "pour ouvrir", close: "pour fermer" },
} as const;
