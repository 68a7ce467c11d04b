import { hasRecord, JOURNEY_LIFE_MS, remember } from "../memory/storage.ts";

/**
 * Loads the page again where a new release has taken away the one that it runs, once a release: while two are served side by side
 * the former may come again. What was typed is kept in the tab.
 */
export async function renewPage(): Promise<void> {
  const running = document.querySelector<HTMLElement>("[data-start]")?.dataset.start;
  if (running === undefined) return;
  const html = await fetch(location.href, { cache: "no-store" }).then(
    (answer) => (answer.ok ? answer.text() : running),
    () => running,
  );
  const left = `tournavis-left:${running}`;
  if (html.includes(running) || hasRecord("tab", left)) return;
  if (remember("tab", left, true, JOURNEY_LIFE_MS)) location.reload();
}
