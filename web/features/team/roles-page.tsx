import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { RoleLists } from "./role-lists.tsx";
import { rolesCopy as copy } from "./roles.copy.ts";
import { teamQuery } from "./team.queries.ts";
import { teamLoadFailure } from "./team-failure.ts";

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
      <div className="grid gap-2">
        <Link
          to="/settings/team"
          className="-ml-2 inline-flex min-h-11 items-center gap-1 justify-self-start rounded-field px-2 font-semibold text-muted hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
          {copy.back}
        </Link>
        <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
        <p className="max-w-[60ch] text-lg text-pretty text-muted">{copy.text}</p>
      </div>
      {query.data ? <RoleLists team={query.data} /> : <ListSkeleton />}
    </div>
  );
}
