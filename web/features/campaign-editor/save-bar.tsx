import type { ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ListLink } from "../../ui/list-link.tsx";
import { editorCopy as copy } from "./editor.copy.ts";

type SaveBarProps = {
  isUnsaved: boolean;
  isBusy: boolean;
  /** What became of it. */
  children: ReactNode;
};

/** Saving and giving up, in sight wherever one is on the page; on a phone above the navigation. Not where it would cover half a screen. */
export function SaveBar({ isUnsaved, isBusy, children }: SaveBarProps) {
  return (
    <div
      data-sticks="saving"
      className="sticky bottom-[calc(3.75rem+env(safe-area-inset-bottom))] z-10 -mx-4 grid gap-2 border-t border-line bg-surface px-4 py-2.5 shadow-card sm:-mx-2 sm:rounded-card sm:border sm:px-4 md:bottom-3 [@media(max-height:30em)]:static"
    >
      {children}
      <div className="flex items-center justify-end gap-2">
        <p className="mr-auto min-w-0 text-sm text-muted max-sm:sr-only">
          {isUnsaved && copy.unsaved}
        </p>
        <ListLink to="/campaigns" className={`${buttonClass({ variant: "quiet" })} max-sm:flex-1`}>
          {copy.cancel}
        </ListLink>
        <Button type="submit" className="min-h-12 max-sm:flex-[2] sm:min-w-48" busy={isBusy}>
          {copy.save}
        </Button>
      </div>
    </div>
  );
}
