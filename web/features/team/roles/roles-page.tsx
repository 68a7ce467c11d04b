import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { teamQuery } from "../team.queries.ts";
import { teamLoadFailure } from "../team-failure.ts";
import { RoleLists } from "./role-lists.tsx";
import { rolesCopy as copy } from "./roles.copy.ts";

/** `/settings/roles`: what each role may do, and those of the organisation's own to make and change. */
export function RolesPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useQuery(teamQuery(supabase, orgId));
  const problem = teamLoadFailure(query);
  if (problem) {
    return (
      <LoadProblem text={problem} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
    );
  }
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader
        back={{ to: "/settings/team", label: copy.back }}
        title={copy.title}
        text={copy.text}
      />
      {query.data ? <RoleLists team={query.data} /> : <ListSkeleton />}
    </div>
  );
}
