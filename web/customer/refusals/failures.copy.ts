/** French of what can go wrong on a phone page. */
export const failuresCopy = {
  serverFault: "Le service ne répond pas comme prévu. Réessayez dans un instant.",
  notFoundHint:
    "Elle n'a pas encore commencé, ou elle est terminée. Demandez à l'accueil, ou scannez à nouveau le QR code.",
  waitSeconds: (seconds: number) =>
    seconds < 90
      ? `Réessayez dans ${seconds}\u00a0seconde${seconds > 1 ? "s" : ""}.`
      : `Réessayez dans ${Math.ceil(seconds / 60)}\u00a0minutes.`,
} as const;
