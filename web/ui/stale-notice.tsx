import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";
import { uiCopy } from "./ui.copy.ts";

type StaleNoticeProps = {
  /** What the screen shows, as the query client knows it. */
  query: { data: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
};

/** What is shown could not be brought up to date: it stays, and this says so beside it. */
export function StaleNotice({ query }: StaleNoticeProps) {
  if (!query.isError || query.data === undefined) return null;
  return (
    <Alert>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p>{uiCopy.stale}</p>
        <Button variant="secondary" busy={query.isFetching} onClick={() => query.refetch()}>
          {uiCopy.retry}
        </Button>
      </div>
    </Alert>
  );
}
