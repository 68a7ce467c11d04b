/** The optional translations of a text that customers read. */
export const translationFieldsCopy = {
  title: "Traductions (facultatif)",
  filled: (count: number, of: number) => `${count} sur ${of}`,
  hint: "Pour les clients dont le téléphone n'est pas en français. Sans traduction, ils lisent votre texte.",
  tooLong: (most: number) => `${most} caractères au plus.`,
} as const;
