/** Notice above data that could not be refreshed. */
export const staleNoticeCopy = {
  stale: "La mise à jour a échoué. Ces données datent peut-être.",
  kept: "La liste précédente reste affichée.",
} as const;
