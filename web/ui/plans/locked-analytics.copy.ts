/** Notice for a plan without advanced analytics. */
export const lockedAnalyticsCopy = { title: "Inclus dans les plans Basic et Pro" } as const;
