/** French of the landing page's wheel, which its script says, too. */
export const trialWheelCopy = {
  label: "Roue d'essai",
  spin: "Tourner la roue",
  again: "Tourner encore",
  turning: "La roue tourne…",
  won: (label: string) => `« ${label} »\u00a0: voilà ce que verrait votre client.`,
  note: "C'est un essai\u00a0: rien n'est enregistré.",
  segments: "Sur la roue",
} as const;
