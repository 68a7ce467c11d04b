/** Brings the first thing that is wrong with a first wheel to whoever sends it. */
export function showMistake(editor: HTMLElement | null): void {
  // After the mistakes are rendered.
  requestAnimationFrame(() => {
    const wrong = editor?.querySelector<HTMLElement>("[aria-invalid=true]");
    (wrong ?? editor?.querySelector<HTMLElement>("[data-total]"))?.focus();
  });
}
