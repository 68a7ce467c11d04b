import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { useUserId } from "../../lib/auth/use-session.ts";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { teamCopy } from "./team.copy.ts";
import { useLeaveOrganization } from "./team.mutations.ts";
import { teamQuery } from "./team.queries.ts";
import { teamFailure } from "./team-failure.ts";

const copy = teamCopy.leave;

/** The way out of an organisation; its last owner is told what to do first. */
export function LeaveCard({ orgId }: { orgId: string }) {
  const { supabase } = useApp();
  const mayRead = useMay().may("team.read");
  const { data } = useQuery({ ...teamQuery(supabase, orgId), enabled: mayRead });
  const organization = useWorkspace()?.organization?.name ?? "";
  const me = useUserId();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = useLeaveOrganization();
  const [isAsked, setIsAsked] = useState(false);
  // A member who cannot read the team is not its owner.
  if (mayRead && !data) return null;

  const owners = data?.members.filter(({ role }) => role === "owner") ?? [];
  const isLastOwner = owners.length === 1 && owners[0]?.id === me;
  const onLeft = async () => {
    // Cached data of the organisation goes; the guard asks anew where to lead.
    queryClient.clear();
    await navigate({ to: "/onboarding", replace: true });
  };
  return (
    <TitledCard title={copy.title}>
      <p className="max-w-[60ch] text-pretty text-muted">
        {isLastOwner ? copy.lastOwner : copy.text}
      </p>
      {!isLastOwner && (
        <div>
          <Button
            variant="secondary"
            onClick={() => {
              leave.reset();
              setIsAsked(true);
            }}
          >
            {copy.action}
          </Button>
        </div>
      )}
      {isAsked && (
        <ConfirmDialog
          title={copy.confirmTitle(organization)}
          action={copy.action}
          busy={leave.isPending}
          problem={teamFailure(leave.error)}
          onConfirm={() => leave.mutate(undefined, { onSuccess: onLeft })}
          onClose={() => setIsAsked(false)}
        >
          {copy.confirmText}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}
