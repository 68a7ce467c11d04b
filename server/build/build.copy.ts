/** Texts that the terminal shows while the pages are built. */
export const buildCopy = {
  started: "Construction des pages…",
  done: "Pages construites en {seconds} s.",
  fresh: "Les pages sont à jour.",
} as const;
