/** Status of a slug while it is typed (specification, section 5). */
export const slugFieldCopy = {
  checking: "Vérification...",
  free: {
    organization: "Cette adresse est libre.",
    store: "Cet identifiant est libre.",
    campaign: "Cette adresse est libre.",
  },
  taken: {
    organization: "Cette adresse est prise, ou des affiches y mènent encore.",
    store: "Votre organisation a déjà un magasin avec cet identifiant.",
    campaign: "Cette adresse est prise, ou des affiches y mènent encore.",
  },
  take: (slug: string) => `Prendre « ${slug} », qui est libre`,
  malformed: "Uniquement lettres minuscules, chiffres et tirets",
  unknown: "La disponibilité n'a pas pu être vérifiée. Elle le sera à l'enregistrement.",
} as const;
