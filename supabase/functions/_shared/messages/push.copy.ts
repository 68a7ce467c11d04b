/** Words of the messages that a merchant's phone or computer shows: never of a customer, whom anybody beside it could read of. */
export const pushCopy = {
  lowRating: {
    title: "Un avis à lire",
    text: (store: string, rating: number) =>
      `${store} : un avis ${rating} ${rating > 1 ? "étoiles" : "étoile"} vient d'arriver.`,
  },
  lowStock: {
    title: "Un stock s'épuise",
    few: (store: string, prize: string, stock: number) =>
      `${store}, « ${prize} » : plus que ${stock}.`,
    none: (store: string, prize: string) => `${store}, « ${prize} » : il n'en reste plus.`,
  },
} as const;
