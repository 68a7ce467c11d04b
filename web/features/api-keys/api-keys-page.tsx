import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { BookOpen, Plus } from "lucide-react";
import { useState } from "react";
import { API_SCOPE_PERMISSIONS, API_SCOPES, type ApiKeys } from "#domain/schemas/api-keys.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError } from "../../lib/app-error.ts";
import { loadFailure } from "../../lib/load-failure.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { LockedFeature } from "../../ui/plans/locked-feature.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { useHasUnsaved } from "../../ui/unsaved/use-unsaved-input.tsx";
import { apiKeysCopy as copy } from "./api-keys.copy.ts";
import { apiKeysQuery } from "./api-keys.queries.ts";
import { KeyList } from "./key-list.tsx";
import { NEW_KEY, NewKeyDialog } from "./new-key-dialog.tsx";

/** `/settings/api`: the organisation's keys for the data API, or what they would be good for. */
export function ApiKeysPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useQuery(apiKeysQuery(supabase, orgId));
  if (query.isError && !query.data) {
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
      <PageHeader back={{ to: "/settings", label: copy.back }} title={copy.title} text={copy.text}>
        <Link to="/docs/api" className={buttonClass({ variant: "secondary" })}>
          <BookOpen aria-hidden="true" className="size-5" />
          {copy.documentation}
        </Link>
      </PageHeader>
      {query.data ? <Keys {...query.data} /> : <ListSkeleton />}
    </div>
  );
}

function Keys({ is_included: isIncluded, keys }: ApiKeys) {
  const hasUnsaved = useHasUnsaved();
  const { may } = useMay();
  const scopes = API_SCOPES.filter((scope) => API_SCOPE_PERMISSIONS[scope].every(may));
  const [first] = scopes;
  const [isCreating, setIsCreating] = useState(() => isIncluded && hasUnsaved(NEW_KEY));
  const [news, setNews] = useState<string | null>(null);
  const create = first && (
    <Button
      onClick={() => {
        setNews(null);
        setIsCreating(true);
      }}
    >
      <Plus aria-hidden="true" className="size-5" />
      {copy.create}
    </Button>
  );
  return (
    <div className="grid gap-6">
      {news && <Notice tone="done">{news}</Notice>}
      {!isIncluded && <Locked hasKeys={keys.length > 0} />}
      {isIncluded && !first && <Notice tone="info">{copy.noScope}</Notice>}
      {keys.length > 0 && <KeyList keys={keys} action={isIncluded && create} onNews={setNews} />}
      {keys.length === 0 && isIncluded && (
        <EmptyState title={copy.empty.title} text={copy.empty.text}>
          {create}
        </EmptyState>
      )}
      {isCreating && first && (
        <NewKeyDialog scopes={scopes} first={first} onClose={() => setIsCreating(false)} />
      )}
    </div>
  );
}

/** Benefits of another plan, and the state of existing keys. */
function Locked({ hasKeys }: { hasKeys: boolean }) {
  return (
    <LockedFeature title={copy.locked.title} text={copy.locked.text}>
      {hasKeys && <p className="max-w-[70ch] text-pretty">{copy.locked.paused}</p>}
    </LockedFeature>
  );
}
