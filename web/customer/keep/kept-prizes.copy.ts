/** French of the prizes that wait on this phone. */
export const keptCopy = {
  title: "Votre gain vous attend",
  show: "Voir le code",
  hide: "Masquer le code",
  drop: "C'est utilisé, l'effacer d'ici",
} as const;
