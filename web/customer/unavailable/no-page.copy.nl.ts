import type { Wording } from "#domain/text/wording.ts";
import type { noPageCopy as french } from "./no-page.copy.ts";

/** Dutch of an address below `/c/` or `/org/` that no page has. */
export const noPageCopy = {
  title: "Pagina niet gevonden",
  text: "Deze pagina bestaat niet of is verplaatst.",
  home: "Terug naar de startpagina",
} satisfies Wording<typeof french>;
