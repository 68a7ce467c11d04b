import type { Wording } from "#domain/text/wording.ts";
import type { noPageCopy as french } from "./no-page.copy.ts";

/** Italian of an address below `/c/` or `/org/` that no page has. */
export const noPageCopy = {
  title: "Pagina non trovata",
  text: "Questa pagina non esiste o è stata spostata.",
  home: "Torna alla pagina iniziale",
} satisfies Wording<typeof french>;
