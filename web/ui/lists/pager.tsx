import { ChevronLeft, ChevronRight } from "lucide-react";
import { Button } from "../button.tsx";
import { pagerCopy } from "./pager.copy.ts";

type PagerProps = {
  /** From 1. */
  page: number;
  /** How many there are, where that is known. */
  pages?: number | undefined;
  hasNext: boolean;
  onPage: (page: number) => void;
};

/** Leads through a list's pages; nothing where one page holds it all. */
export function Pager({ page, pages, hasNext, onPage }: PagerProps) {
  if (page === 1 && !hasNext) return null;
  return (
    <nav aria-label={pagerCopy.pages} className="flex items-center justify-between gap-3">
      <Button variant="secondary" waiting={page === 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden="true" className="size-5" />
        <span className="max-sm:sr-only">{pagerCopy.previousPage}</span>
      </Button>
      <p className="text-muted tabular-nums">{pagerCopy.page(page, pages)}</p>
      <Button variant="secondary" waiting={!hasNext} onClick={() => onPage(page + 1)}>
        <span className="max-sm:sr-only">{pagerCopy.nextPage}</span>
        <ChevronRight aria-hidden="true" className="size-5" />
      </Button>
    </nav>
  );
}
