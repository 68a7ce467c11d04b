/** Customers whom a screen cannot name. */
export const unnamedCopy = {
  /** Nobody is known by a name: the person gave none, or was erased (specification, section 2.16). */
  anonymous: "Client anonyme",
  /** The reader may not know who it was. */
  hidden: "Un client",
} as const;
