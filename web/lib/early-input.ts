import { useEffect } from "react";

/** Marks the element of a painted page that its script has not taken over yet. */
export const PAINTED = "data-painted";

/** What a person typed into a painted form before its script was there, read where it stands; else blank. */
export function typedEarly(name: string): string {
  const field = globalThis.document?.querySelector<HTMLInputElement>(
    `[${PAINTED}] input[name="${name}"]`,
  );
  return field?.value ?? "";
}

/**
 * Tells that the painted page lives now. A form that was sent before (`early.js` held it back) is sent by this, once
 * its fields hold what was typed.
 */
export function endPainted(): void {
  const page = document.querySelector<HTMLElement>(`[${PAINTED}]`);
  page?.removeAttribute(PAINTED);
  if (!page || !("sent" in page.dataset)) return;
  delete page.dataset.sent;
  page.querySelector("form")?.requestSubmit();
}

/** For the part of a painted page that has a form. */
export function useEndPainted(): void {
  useEffect(endPainted, []);
}
