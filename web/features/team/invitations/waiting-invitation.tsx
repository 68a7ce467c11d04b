import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApp } from "../../../lib/app-context.ts";
import { SIGNED_IN_HOME } from "../../../lib/auth/signed-in-home.ts";
import { formatDate } from "../../../lib/format.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { useAcceptWaiting } from "../team.mutations.ts";
import { waitingInvitationQuery } from "../team.queries.ts";
import { roleTitle } from "../team-words.ts";
import { invitationCopy } from "./invitation.copy.ts";
import { refusalText } from "./refusal-text.ts";

const copy = invitationCopy.waiting;

/** Informs a user who came without the mail's link that a team has invited them; nothing without an invitation. */
export function WaitingInvitation() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const query = useQuery(waitingInvitationQuery(supabase));
  const accept = useAcceptWaiting();
  if (query.isError) {
    return (
      <Alert>
        <p>{copy.failed}</p>
        <Button
          variant="secondary"
          className="mt-3"
          busy={query.isFetching}
          onClick={() => query.refetch()}
        >
          {copy.retry}
        </Button>
      </Alert>
    );
  }
  if (!query.data) return null;
  const {
    id,
    organization,
    inviter,
    role,
    role_name: name,
    expires_at: until,
    closed,
  } = query.data;
  const problem = refusalText(closed, accept.error);
  const onJoined = async () => {
    queryClient.removeQueries({ queryKey: ["workspace"] });
    await navigate({ to: SIGNED_IN_HOME, replace: true });
  };
  const as = roleTitle({ role, name });
  return (
    <TitledCard
      title={copy.title(organization)}
      text={inviter ? copy.from(inviter, as) : copy.fromTeam(as)}
    >
      {problem && <Alert>{problem}</Alert>}
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <Button busy={accept.isPending} onClick={() => accept.mutate(id, { onSuccess: onJoined })}>
          {copy.accept}
        </Button>
        {!closed && (
          <p className="min-w-0 flex-1 basis-64 text-sm text-pretty text-muted">
            {copy.until(formatDate(new Date(until)))}
          </p>
        )}
      </div>
    </TitledCard>
  );
}
