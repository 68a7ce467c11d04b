/** Descriptions of QR codes that are no prize, at the till and at `/verifier`. */
export const whoseCodeCopy = {
  notACode: "Ce QR code n'est pas celui d'un gain.",
  elsewhere: (host: string) => `Ce code n'est pas de Tournavis : il mène à ${host}.`,
  page: "Ce code mène à une page de Tournavis, pas à un jeu.",
  gone: "Ce code est de Tournavis, mais ne mène à aucun jeu.",
  asking: "À qui est ce code ?",
  problems: {
    network: "Pas de réponse. Vérifiez le réseau, puis réessayez.",
  },
  /** Texts for the cashier. */
  mine: {
    campaign: (name: string) => `Ce n'est pas un gain, mais votre affiche « ${name} ».`,
    organization: "Ce n'est pas un gain, mais la page de vos jeux.",
  },
  others: {
    campaign: (store: string) => `Ce code est d'un autre commerce : il mène chez « ${store} ».`,
    organization: (name: string) =>
      `Ce code est d'un autre commerce : il mène aux jeux de « ${name} ».`,
  },
  /** To anybody. */
  anybody: {
    prize: "Ce n'est pas une affiche. Un code de gain se vérifie à la caisse.",
    other: "Ce n'est pas l'adresse d'une affiche.",
    campaign: (name: string, store: string) =>
      `Ce code est de Tournavis : il mène au jeu « ${name} » de « ${store} ».`,
    organization: (name: string) => `Ce code est de Tournavis : il mène aux jeux de « ${name} ».`,
  },
} as const;
