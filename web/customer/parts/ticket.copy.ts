/** French of the ticket, here and on the wheel page. */
export const ticketCopy = {
  test: "TEST",
  testCode: "Ce code d'essai ne donne droit à rien.",
  show: (store: string) => `${store}\u00a0: montrez ce code à la caisse.`,
  code: "Votre code\u00a0:",
  until: (date: string) => `Valable jusqu'au ${date}`,
  qr: (code: string) => `QR code de ${code}`,
  copy: "Copier le code",
  copied: "Code copié",
} as const;
