/** Focuses the first mistake of a wheel, or its total. */
export function showMistake(wheel: HTMLElement | null): void {
  // After the mistakes are rendered.
  requestAnimationFrame(() => {
    const wrong = wheel?.querySelector<HTMLElement>("[aria-invalid=true]");
    (wrong ?? wheel?.querySelector<HTMLElement>("[data-total]"))?.focus();
  });
}
