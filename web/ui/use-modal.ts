import { type RefObject, useLayoutEffect, useRef } from "react";

/** Where the keyboard goes on once what had the focus is gone: the start of the page's content. */
function keepFocus(): void {
  if (document.activeElement && document.activeElement !== document.body) return;
  document.getElementById("content")?.focus({ preventScroll: true });
}

/**
 * Shows a `<dialog>` over everything for as long as it is mounted; the focus then returns to where it was, or, when that
 * went with what the dialog was about, to the page's content.
 */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => {
      opened?.close();
      // Once the whole change is rendered: the dialog may disappear together with the row that opened it.
      queueMicrotask(keepFocus);
    };
  }, []);
  return dialog;
}
