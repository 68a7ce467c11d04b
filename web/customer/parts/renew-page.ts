/** Loads the page again where a new release has taken away the one that it runs: what was typed is kept in the tab. */
export async function renewPage(): Promise<void> {
  const running = document.querySelector<HTMLElement>("[data-start]")?.dataset.start;
  if (running === undefined) return;
  const html = await fetch(location.href, { cache: "no-store" }).then(
    (answer) => (answer.ok ? answer.text() : running),
    () => running,
  );
  if (!html.includes(running)) location.reload();
}
