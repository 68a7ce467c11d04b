/** The optional translations of a text that customers read. */
export const translationFieldsCopy = {
  title: "Traductions (facultatif)",
  filled: (count: number, of: number) => `${count} sur ${of}`,
  hint: "Pour les clients dont le téléphone n'est pas en français. Sans traduction, ils lisent votre texte.",
  proposal: "Ce texte fait partie de ceux que Tournavis propose : nous l'avons déjà traduit.",
  fill: "Reprendre nos traductions",
  tooLong: (most: number) => `${most} caractères au plus.`,
} as const;
