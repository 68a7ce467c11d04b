/** Notice above data that could not be refreshed. */
export const staleNoticeCopy = {
  stale: "La mise à jour a échoué. Ce que vous voyez date peut-être.",
  kept: "La liste d'avant reste affichée.",
} as const;
