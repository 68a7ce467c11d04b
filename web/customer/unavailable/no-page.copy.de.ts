import type { Wording } from "#domain/text/wording.ts";
import type { noPageCopy as french } from "./no-page.copy.ts";

/** German of an address below `/c/` or `/org/` that no page has. */
export const noPageCopy = {
  title: "Seite nicht gefunden",
  text: "Diese Seite gibt es nicht oder nicht mehr an dieser Stelle.",
  home: "Zur Startseite",
} satisfies Wording<typeof french>;
