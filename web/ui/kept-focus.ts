/** Parts of a page in which the keyboard can go on. */
const PARTS = "li, tr, section, form, dialog[open], main";

/**
 * Element that had the focus last, the parts around it, nearest first, and the page's path then.
 */
let last: Element | null = null;
let around: readonly HTMLElement[] = [];
let path = "";

/** Element that the keyboard was last sent back to. */
let kept: Element | null = null;

function remember({ target }: FocusEvent): void {
  // A dialog whose opener is gone leaves the focus at the content (`Modal`): the nearest part is still to be found.
  if (!(target instanceof Element) || target.id === "content") return;
  last = target;
  const parts: HTMLElement[] = [];
  let part = target.parentElement;
  while (part !== null) {
    if (part.matches(PARTS)) parts.push(part);
    part = part.parentElement;
  }
  around = parts;
  path = location.pathname;
}

/** Whether nothing has the focus, or only what it was sent back to. */
export function isFocusLost(): boolean {
  const { activeElement: focused } = document;
  return (
    focused === null || focused === document.body || focused === kept || focused.id === "content"
  );
}

/** Whether an element is drawn: Safari before 17.4 has no `checkVisibility`. */
export function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** Sends the keyboard on to the heading of the nearest part that is left, else to that part. */
function keepFocus(): void {
  // A page that gave way to another begins anew.
  if (last === null || last.isConnected || path !== location.pathname || !isFocusLost()) return;
  const part = around.find((one) => one.isConnected && isShown(one));
  last = null;
  for (const place of [part?.querySelector<HTMLElement>("h1, h2, h3"), part]) {
    if (!place) continue;
    if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    if (document.activeElement !== place) continue;
    kept = place;
    return;
  }
}

/** Keeps the focus, until the answer is called, when what has it goes: a row that was deleted, a button that gave way. */
export function watchFocus(): () => void {
  const observer = new MutationObserver(keepFocus);
  observer.observe(document.body, { childList: true, subtree: true });
  document.addEventListener("focusin", remember);
  return () => {
    observer.disconnect();
    document.removeEventListener("focusin", remember);
  };
}
