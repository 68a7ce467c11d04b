/** Sentences for what goes wrong between the application and the platform, whatever the feature. */
export const errorsCopy = {
  unknown: "Une erreur est survenue",
  network: "Pas de connexion. Vérifiez le réseau, puis réessayez.",
} as const;
