import { loadFailure } from "../../lib/load-failure.ts";
import { Alert } from "../alert.tsx";
import { Button } from "../button.tsx";
import { uiCopy } from "../ui.copy.ts";
import { staleNoticeCopy } from "./stale-notice.copy.ts";

type StaleNoticeProps = {
  /**
   * State of the screen's query, as the query client knows it; or a list that keeps earlier rows.
   */
  query: {
    data: unknown;
    error: unknown;
    isError: boolean;
    isFetching: boolean;
    isKept?: boolean;
    refetch: () => unknown;
  };
  /** Sentence for another page, search or filter of a list that was not loaded. */
  sentence?: string;
};

/**
 * Notice above data that could not be refreshed, or that belongs to an earlier request: it stays in
 * sight.
 */
export function StaleNotice({ query, sentence }: StaleNoticeProps) {
  const { data, error, isError, isFetching, isKept = false, refetch } = query;
  if (!isError || data === undefined) return null;
  return (
    <Alert>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div>
          <p>{isKept && sentence ? loadFailure(error, sentence) : staleNoticeCopy.stale}</p>
          {isKept && <p>{staleNoticeCopy.kept}</p>}
        </div>
        <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
          {uiCopy.retry}
        </Button>
      </div>
    </Alert>
  );
}
