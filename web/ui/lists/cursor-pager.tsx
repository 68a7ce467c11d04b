import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "../button.tsx";
import { pagerCopy } from "./pager.copy.ts";

type CursorPagerProps = {
  hasPrevious: boolean;
  hasNext: boolean;
  onPrevious: () => void;
  onNext: () => void;
};

/** Leads through a list that is too long to number its pages; nothing where one page holds it all. */
export function CursorPager({ hasPrevious, hasNext, onPrevious, onNext }: CursorPagerProps) {
  if (!hasPrevious && !hasNext) return null;
  return (
    <nav aria-label={pagerCopy.pages} className="flex items-center justify-between gap-3">
      <Button variant="secondary" waiting={!hasPrevious} onClick={onPrevious}>
        <ChevronLeft aria-hidden="true" className="size-5" />
        {pagerCopy.previousPage}
      </Button>
      <Button variant="secondary" waiting={!hasNext} onClick={onNext}>
        {pagerCopy.nextPage}
        <ChevronRight aria-hidden="true" className="size-5" />
      </Button>
    </nav>
  );
}
