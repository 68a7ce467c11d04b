/** Parts of a page in which the keyboard can go on. */
const PARTS = "li, tr, section, form, dialog[open], main";

/** Parts around what had the focus last, nearest first, and the page's path then. */
let around: readonly HTMLElement[] = [];
let path = "";

/** What the keyboard was sent back to last. */
let kept: Element | null = null;

function remember({ target }: FocusEvent): void {
  const parts: HTMLElement[] = [];
  let part = target instanceof Element ? target.parentElement : null;
  while (part !== null) {
    if (part.matches(PARTS)) parts.push(part);
    part = part.parentElement;
  }
  around = parts;
  path = location.pathname;
}

const hasNothing = () =>
  document.activeElement === null || document.activeElement === document.body;

/** Whether nothing has the focus, or only what it was sent back to. */
export function isFocusLost(): boolean {
  const { activeElement: focused } = document;
  return hasNothing() || focused === kept || focused?.id === "content";
}

/**
 * Sends the keyboard on where what had the focus is gone: to the heading of the nearest part around it that is still
 * there, else to the start of the page's content.
 */
export function keepFocus(): void {
  if (!hasNothing()) return;
  const part =
    path === location.pathname
      ? around.find((one) => one.isConnected && one.checkVisibility())
      : undefined;
  const places = [
    part?.querySelector<HTMLElement>("h1, h2, h3"),
    part,
    document.getElementById("content"),
  ];
  for (const place of places) {
    if (!place || !hasNothing()) continue;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    kept = place;
  }
}

/** Keeps the focus, until the answer is called, when what has it goes: a row that was deleted, a button that gave way. */
export function watchFocus(): () => void {
  const observer = new MutationObserver(() => {
    // A page that gave way to another begins anew.
    if (around.length > 0 && path === location.pathname) keepFocus();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", remember);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", remember);
  };
}
