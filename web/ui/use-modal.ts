import { type RefObject, useLayoutEffect, useRef } from "react";

/** Shows a `<dialog>` over everything for as long as it is mounted; the focus then returns to where it was. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return dialog;
}
