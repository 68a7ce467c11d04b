/** Words once an account is deleted. */
export const deletedCopy = {
  title: "Votre compte est supprimé",
  text: "Vous êtes déconnecté partout. Un e-mail vous le confirme, et nous ne vous écrirons plus. Merci d'avoir été là.",
  home: "Aller à l'accueil",
} as const;
