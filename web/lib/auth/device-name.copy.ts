/** Name of a device. */
export const deviceNameCopy = {
  on: (browser: string, system: string) => `${browser} sur ${system}`,
  under: (system: string) => `Appareil sous ${system}`,
  unknown: "Appareil inconnu",
} as const;
