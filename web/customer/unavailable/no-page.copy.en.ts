import type { Wording } from "#domain/text/wording.ts";
import type { noPageCopy as french } from "./no-page.copy.ts";

/** English of an address below `/c/` or `/org/` that no page has. */
export const noPageCopy = {
  title: "Page not found",
  text: "This page does not exist or has moved.",
  home: "Back to the home page",
} satisfies Wording<typeof french>;
