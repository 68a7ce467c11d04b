/** Texts that are printed on posters. */
export const paperCopy = {
  /** In the place of a store's name that no font here can write. */
  welcome: "Bienvenue !",
  headline: "Donnez votre avis, tournez la roue.",
  chance: "Tentez votre chance",
  scan: "Scannez avec votre téléphone",
  smallPrint: (rules: string) =>
    `Jeu gratuit, sans obligation d'achat ni d'avis. Règlement : ${rules}`,
  title: (store: string) => `Donnez votre avis, tournez la roue : ${store}`,
} as const;
