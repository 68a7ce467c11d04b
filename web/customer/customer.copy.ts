/** French that every phone page shares. */
export const customerCopy = {
  progress: (step: number, total: number) => `Étape ${step} sur ${total}`,
  loading: "Chargement…",
  retry: "Réessayer",
  sending: "Envoi en cours…",
  offline: "Connexion interrompue. Rien n'est perdu\u00a0: réessayez dès qu'elle revient.",
  startAgain: "Revenir au début",
  scriptNeeded: "Pour continuer, activez JavaScript dans votre navigateur.",
  email: "Adresse e-mail",
  phone: "Numéro de téléphone",
} as const;
