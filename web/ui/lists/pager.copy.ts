/** The buttons below a list of several pages. */
export const pagerCopy = {
  pages: "Pages de la liste",
  previousPage: "Précédent",
  nextPage: "Suivant",
  page: (page: number, pages?: number) => (pages ? `Page ${page} sur ${pages}` : `Page ${page}`),
} as const;
