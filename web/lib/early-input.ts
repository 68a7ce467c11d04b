import { useEffect } from "react";

/** Marks the element of a painted page that its script has not taken over yet. */
export const PAINTED = "data-painted";

/** What stood in the fields of a painted page that is about to be replaced. */
let kept = new Map<string, string>();

/** Keeps what was typed into a page that will not be there when its form asks. */
export function keepTyped(page: HTMLElement): void {
  const fields = page.querySelectorAll<HTMLInputElement>("input[name]");
  kept = new Map(Array.from(fields, ({ name, value }) => [name, value]));
}

/** What a person typed into a painted form before its script was there, read where it stands; else blank. */
export function typedEarly(name: string): string {
  const field = globalThis.document?.querySelector<HTMLInputElement>(
    `[${PAINTED}] input[name="${name}"]`,
  );
  return field?.value ?? kept.get(name) ?? "";
}

/**
 * For the part of a painted page that has a form: it has its fields now, and what was typed into them. If it was sent
 * before (`early.js` held it back), it is sent by this.
 */
export function useEndPainted(): void {
  useEffect(() => {
    kept.clear();
    const page = document.querySelector<HTMLElement>(`[${PAINTED}], [data-sent]`);
    page?.removeAttribute(PAINTED);
    if (!page || !("sent" in page.dataset)) return;
    delete page.dataset.sent;
    page.querySelector("form")?.requestSubmit();
  }, []);
}
