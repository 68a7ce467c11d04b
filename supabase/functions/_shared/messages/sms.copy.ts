/** Words of the text messages that the database writes; they stay within one part of 160 characters. */
export const smsCopy = {
  lowRating: (store: string, rating: number) =>
    `Tournavis : un avis ${rating}/5 vient d'arriver chez ${store}. Ouvrez Tournavis pour rappeler ce client.`,
} as const;
