/**
 * Texts of the till's screen by which customers prove that they are there. Read from two metres.
 */
export const presenceCopy = {
  open: "Code à afficher",
  title: (store: string) => `Sur place chez ${store}`,
  campaign: "Campagne",
  code: "Code du moment",
  word: "Mot du jour",
  typed: "Tapez-le sur votre téléphone, ou scannez :",
  typedWord: "Tapez-le sur votre téléphone.",
  qr: "QR code qui prouve que l'on est sur place",
  next: (seconds: number) => `Change dans ${seconds}\u00a0s`,
  nextDay: "Change à minuit",
  stale: "Plus de réseau : le code n'est plus à jour. Vérifiez la connexion.",
  close: "Fermer",
} as const;
