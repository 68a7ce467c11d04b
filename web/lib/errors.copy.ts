/** Sentences for what goes wrong between the application and the platform, whatever the feature. */
export const errorsCopy = {
  unknown: "Une erreur est survenue",
  tooMany: (seconds: number) => `Trop d'essais. Réessayez dans ${waitText(seconds)}.`,
  forbidden: "Vous n'avez pas, ou plus, le droit de faire cela. Demandez-le à votre responsable.",
  writeTo: (email: string | null) => (email ? ` Une question ? Écrivez à ${email}.` : ""),
  network: "Pas de connexion. Vérifiez le réseau, puis réessayez.",
} as const;

/** A wait in words, rounded up: nobody should come back too early. */
function waitText(seconds: number): string {
  if (seconds < 90) return seconds === 1 ? "1 seconde" : `${seconds} secondes`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 90) return `${minutes} minutes`;
  return `${Math.ceil(minutes / 60)} heures`;
}
