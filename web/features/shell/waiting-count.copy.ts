/** What waits behind an entry of the navigation, after its number. */
export const waitingCopy = {
  reviews: "avis à lire",
  checks: "à vérifier",
} as const;
