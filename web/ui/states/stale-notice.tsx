import { loadFailure } from "../../lib/load-failure.ts";
import { Alert } from "../alert.tsx";
import { Button } from "../button.tsx";
import { uiCopy } from "../ui.copy.ts";
import { staleNoticeCopy } from "./stale-notice.copy.ts";

type StaleNoticeProps = {
  /** What the screen shows, as the query client knows it; or a list that keeps what it showed. */
  query: {
    data: unknown;
    error: unknown;
    isError: boolean;
    isFetching: boolean;
    isKept?: boolean;
    refetch: () => unknown;
  };
  /** What it says when another page, search or filter of a list was not loaded. */
  sentence?: string;
};

/** What is shown could not be brought up to date, or is not what was asked for: it stays, and this says so above it. */
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
