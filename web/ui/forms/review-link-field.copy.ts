/** The link to public reviews, wherever a store's is entered. */
export const reviewLinkFieldCopy = {
  unknown: (host: string) => `${host} n'est pas une plateforme d'avis que nous connaissons.`,
  risk: "Vos clients y seront envoyés depuis votre page. Collez plutôt le lien de votre fiche Google, Tripadvisor, Facebook…, ou vérifiez bien cette adresse.",
  confirm: (host: string) => `Je confirme que mes clients laissent leurs avis sur ${host}`,
  trail: "Votre confirmation est inscrite dans le journal d'activité.",
  unconfirmed: "Confirmez cette adresse, ou collez le lien d'une plateforme d'avis.",
  malformed: "Collez une adresse complète, qui commence par https://",
} as const;
