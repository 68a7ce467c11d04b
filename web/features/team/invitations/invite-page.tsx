import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { PageHeader } from "../../../ui/page-header.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { rolesToGive } from "../roles/role-words.ts";
import { SeatsNotice } from "../seats-notice.tsx";
import { teamCopy } from "../team.copy.ts";
import { teamQuery } from "../team.queries.ts";
import { teamLoadFailure } from "../team-failure.ts";
import { InviteForm } from "./invite-form.tsx";

const copy = teamCopy.form;

/** `/team/invite`. */
export function InvitePage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { supabase } = useApp();
  const query = useQuery(teamQuery(supabase, orgId));
  const team = query.data;
  const problem = teamLoadFailure(query);
  if (problem) {
    return (
      <LoadProblem text={problem} isRetrying={query.isFetching} onRetry={() => query.refetch()} />
    );
  }
  // Nobody gives more than they may do themselves: a small role may have nothing to give.
  const offered = rolesToGive(team?.roles ?? []);
  const isFull = team !== undefined && team.limit >= 0 && team.used >= team.limit;
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-8">
      <PageHeader
        back={{ to: "/settings/team", label: teamCopy.title }}
        title={copy.title}
        text={copy.text}
      />
      {!team && <ListSkeleton />}
      {team && (
        <>
          {isFull && <SeatsNotice limit={team.limit} />}
          {offered.length > 0 ? (
            <InviteForm isFull={isFull} roles={team.roles} offered={offered} />
          ) : (
            <EmptyState title={copy.noRole.title} text={copy.noRole.text} />
          )}
        </>
      )}
    </div>
  );
}
