import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { ListSkeleton } from "../../ui/list-skeleton.tsx";
import { LoadProblem } from "../../ui/load-problem.tsx";
import { InviteForm } from "./invite-form.tsx";
import { SeatsNotice } from "./seats-notice.tsx";
import { teamCopy } from "./team.copy.ts";
import { teamQuery } from "./team.queries.ts";
import { teamLoadFailure } from "./team-failure.ts";

const copy = teamCopy.form;

/** `/team/invite`. */
export function InvitePage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useQuery(teamQuery(supabase, orgId));
  const permissions = useWorkspace()?.permissions ?? [];
  const team = query.data;
  const mayInvite = permissions.includes("team.manage");
  const problem = teamLoadFailure(query);
  if (problem) {
    return (
      <LoadProblem text={problem} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
    );
  }
  const isFull = team !== undefined && team.limit >= 0 && team.used >= team.limit;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8">
      <div className="grid gap-2">
        <Link
          to="/settings/team"
          className="-ml-2 inline-flex min-h-11 items-center gap-1 self-start justify-self-start rounded-field px-2 font-semibold text-muted hover:text-ink"
        >
          <ChevronLeft aria-hidden="true" className="size-5" />
          {teamCopy.title}
        </Link>
        <h1 className="text-2xl sm:text-3xl">{copy.title}</h1>
        <p className="max-w-[60ch] text-lg text-pretty text-muted">
          {mayInvite ? copy.text : teamCopy.failures.forbidden}
        </p>
      </div>
      {!team && <ListSkeleton />}
      {team && mayInvite && (
        <>
          {isFull && <SeatsNotice limit={team.limit} />}
          <InviteForm isFull={isFull} roles={team.roles} />
        </>
      )}
    </div>
  );
}
