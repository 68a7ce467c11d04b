/** Effects of another time zone on the campaigns of a store. */
export const timezoneChangeCopy = {
  moves:
    "Les dates des campagnes de ce magasin ne changent pas : elles se lisent désormais à l'heure du nouveau fuseau.",
  stops: (names: string, count: number) =>
    `${count > 1 ? "S'arrêtent" : "S'arrête"} dès l'enregistrement : ${names}.`,
  starts: (names: string, count: number) =>
    `${count > 1 ? "Démarrent" : "Démarre"} dès l'enregistrement : ${names}.`,
  name: (name: string) => `« ${name} »`,
  confirm: "Arrêter des campagnes en cours ?",
  save: "Enregistrer",
  keep: "Pour les laisser ouvertes, changez d'abord leurs dates.",
  unnamed: (count: number) => (count > 1 ? `${count} campagnes` : "une campagne"),
  others: (count: number) => `et ${count} ${count > 1 ? "autres" : "autre"}`,
} as const;
