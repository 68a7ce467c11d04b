/** Look of a button of a segment that shows an icon alone. */
export const ICON_BUTTON =
  "grid size-11 shrink-0 place-items-center rounded-field text-muted hover:bg-line/60 hover:text-ink aria-disabled:opacity-40 aria-disabled:hover:bg-transparent";
