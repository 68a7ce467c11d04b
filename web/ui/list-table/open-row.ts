import type { MouseEvent } from "react";

/** What answers to a press by itself. */
const INTERACTIVE = "a, button, input, select, label, dialog, [role=menu]";

/** Opens what a row leads to, as a press on the link in it does: also in a new tab, where one asks for that. */
export function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const link = event.currentTarget.querySelector<HTMLAnchorElement>("a[data-row-link]");
  const isMiddle = event.type === "auxclick" && event.button === 1;
  if (!link || (event.type === "auxclick" && !isMiddle)) return;
  if (event.target instanceof Element && event.target.closest(INTERACTIVE)) return;
  // Whoever marks words wants to copy them.
  if (!getSelection()?.isCollapsed) return;
  if (isMiddle || event.metaKey || event.ctrlKey || event.shiftKey) {
    window.open(link.href, "_blank", "noopener");
  } else {
    link.click();
  }
}
