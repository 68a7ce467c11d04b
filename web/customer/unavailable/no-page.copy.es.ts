import type { Wording } from "#domain/text/wording.ts";
import type { noPageCopy as french } from "./no-page.copy.ts";

/** Spanish of an address below `/c/` or `/org/` that no page has. */
export const noPageCopy = {
  title: "Página no encontrada",
  text: "Esta página no existe o se ha movido.",
  home: "Volver al inicio",
} satisfies Wording<typeof french>;
