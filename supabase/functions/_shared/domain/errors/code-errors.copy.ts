/** French of what a code is refused with at the till: the screens that use codes add it to what they know. */
export const codeErrorCopy = {
  code_not_found: "Ce code n'existe pas. Vérifiez les caractères.",
  code_test: "Ce code vient du mode test : il ne donne droit à rien.",
  code_used: "Ce code a déjà été utilisé.",
  code_expired: "Ce code a expiré.",
  code_held: "Ce code est en cours de vérification : il ne peut pas être validé pour le moment.",
  code_cancelled: "Ce gain a été annulé par l'équipe.",
  code_other_store: "Ce code est valable dans un autre magasin.",
} as const;
