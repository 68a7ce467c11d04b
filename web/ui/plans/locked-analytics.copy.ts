/** What a plan without advanced analytics is told. */
export const lockedAnalyticsCopy = { title: "Inclus dans les plans Basic et Pro" } as const;
