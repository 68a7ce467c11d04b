import { tabMemory } from "./device-memory.ts";

/** Where the application's page is asked for, whatever address it shows. */
const APPLICATION = "/dashboard";

/** Under which the tab keeps which release it has left already. */
const LEFT = "tournavis-left-release";

/** Entry of the running release, as its page names it; null where it is not watched. */
let entry: string | null = null;

const missing = new WeakSet<object>();

/**
 * Notes the errors of parts of the application that do not load. `own` is the address of its first script, whose name
 * changes with every release.
 */
export function watchParts(own: string): void {
  entry = new URL(own).pathname;
  window.addEventListener("vite:preloadError", ({ payload }) => {
    missing.add(payload);
    // By the browser's sentence the router would load the page again at once, without network too: `renewRelease` asks first.
    payload.message = "part_missing";
  });
}

/** Whether an error is a part of the application that did not load. */
export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

/** Writes down that the tab leaves the running release; false where it did before, or nothing can be kept. */
function leave(release: string): boolean {
  if (tabMemory.read(LEFT) === release) return false;
  tabMemory.write(LEFT, release);
  return tabMemory.read(LEFT) === release;
}

/**
 * Loads the page again where an error is a part that a new release has taken away with the one that runs: once a
 * release, and after the question of the form that would lose something.
 */
export async function renewRelease(error: unknown): Promise<void> {
  const running = entry;
  if (running === null || !isMissingPart(error)) return;
  const html = await fetch(APPLICATION, { headers: { accept: "text/html" }, cache: "no-store" })
    .then((response) => (response.ok ? response.text() : running))
    .catch(() => running);
  if (!html.includes(running) && leave(running)) window.location.reload();
}
