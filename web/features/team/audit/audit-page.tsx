import { useQuery } from "@tanstack/react-query";
import type { AuditEvent, AuditTrail } from "#domain/schemas/team.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError } from "../../../lib/app-error.ts";
import { formatMoment } from "../../../lib/format.ts";
import { useKeptList } from "../../../lib/lists/use-kept-list.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Button } from "../../../ui/button.tsx";
import { CursorPager } from "../../../ui/lists/cursor-pager.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { StaleNotice } from "../../../ui/states/stale-notice.tsx";
import { StaleRows } from "../../../ui/states/stale-rows.tsx";
import { type AuditView, auditQuery } from "../team.queries.ts";
import { auditCopy as copy } from "./audit.copy.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { auditActor, auditSentence } from "./audit-sentence.ts";

type AuditPageProps = {
  orgId: string;
  view: AuditView;
  onView: (view: AuditView) => void;
};

const ALL: AuditView = {
  person: undefined,
  action: undefined,
  before: undefined,
  after: undefined,
};

/** `/settings/audit`: who did what. */
export function AuditPage({ orgId, view, onView }: AuditPageProps) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useKeptList(useQuery(auditQuery(supabase, orgId, view)));
  const trail = query.data;
  if (query.isError && !trail) {
    const isForbidden = query.error instanceof AppError && query.error.code === "forbidden";
    return (
      <LoadProblem
        text={isForbidden ? copy.forbidden : loadFailure(query.error, copy.loadFailed)}
        isRetrying={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader
        back={{ to: "/settings/team", label: copy.back }}
        title={copy.title}
        text={copy.text}
      />
      <StaleNotice query={query} sentence={copy.loadFailed} />
      <AuditFilters trail={trail} view={view} onView={onView} />
      {trail ? (
        <StaleRows isStale={query.isStale}>
          <Found trail={trail} view={view} onView={onView} />
        </StaleRows>
      ) : (
        <ListSkeleton />
      )}
    </div>
  );
}

type FoundProps = Omit<AuditPageProps, "orgId"> & { trail: AuditTrail };

function Found({ trail, view, onView }: FoundProps) {
  const isFiltered = view.person !== undefined || view.action !== undefined;
  if (trail.items.length === 0) {
    const words = isFiltered ? copy.noMatch : copy.empty;
    return (
      <EmptyState title={words.title} text={words.text}>
        {isFiltered && <Button onClick={() => onView(ALL)}>{copy.clear}</Button>}
      </EmptyState>
    );
  }
  const first = trail.items[0]?.id;
  const last = trail.items.at(-1)?.id;
  return (
    <div className="grid gap-4">
      <AuditList events={trail.items} />
      <CursorPager
        hasPrevious={trail.has_previous}
        hasNext={trail.has_next}
        onPrevious={() => onView({ ...view, before: undefined, after: first })}
        onNext={() => onView({ ...view, before: last, after: undefined })}
      />
    </div>
  );
}

/** Entries of the trail, newest first. */
function AuditList({ events }: { events: readonly AuditEvent[] }) {
  const now = new Date();
  return (
    <ol
      aria-label={copy.list}
      className="grid divide-y divide-line rounded-card bg-surface px-5 shadow-card sm:px-6"
    >
      {events.map((event) => (
        <li key={event.id} className="grid gap-0.5 py-4">
          <p className="text-pretty">
            <strong className="font-semibold">{auditActor(event)}</strong> {auditSentence(event)}
          </p>
          <p className="text-sm text-muted">
            <time dateTime={event.at}>{formatMoment(new Date(event.at), now)}</time>
          </p>
        </li>
      ))}
    </ol>
  );
}
