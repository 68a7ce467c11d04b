/** Unit of the number behind an entry of the navigation. */
export const waitingCopy = {
  reviews: "avis à lire",
  checks: "à vérifier",
} as const;
