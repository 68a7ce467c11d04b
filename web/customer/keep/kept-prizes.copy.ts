/** French of the prizes that wait on this phone. */
export const keptCopy = {
  title: "Votre gain vous attend",
  show: "Voir le code",
  hide: "Masquer le code",
  drop: "Déjà utilisé\u00a0: l'effacer d'ici",
} as const;
