/** What is said where something older stays in sight. */
export const staleNoticeCopy = {
  stale: "La mise à jour a échoué. Ce que vous voyez date peut-être.",
  kept: "La liste d'avant reste affichée.",
} as const;
