/** Brings the first thing that is wrong with a wheel, or its total, to whoever sends it. */
export function showMistake(wheel: HTMLElement | null): void {
  // After the mistakes are rendered.
  requestAnimationFrame(() => {
    const wrong = wheel?.querySelector<HTMLElement>("[aria-invalid=true]");
    (wrong ?? wheel?.querySelector<HTMLElement>("[data-total]"))?.focus();
  });
}
