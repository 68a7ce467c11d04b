/** Page in place of a screen that the member's role does not open. */
export const noAccessCopy = {
  title: "Vous n'avez pas accès à cette page",
  text: "Votre rôle n'y donne pas accès. Si vous en avez besoin, demandez au propriétaire de l'organisation.",
  back: "Retour au tableau de bord",
} as const;
