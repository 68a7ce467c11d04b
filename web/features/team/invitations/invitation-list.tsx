import { Send, X } from "lucide-react";
import { useId, useState } from "react";
import type { TeamInvitation, TeamRole } from "#domain/schemas/team.ts";
import { formatDate } from "../../../lib/format.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { RoleBadge } from "../roles/role-badge.tsx";
import { teamCopy } from "../team.copy.ts";
import { type useResendInvitation, useWithdrawInvitation } from "../team.mutations.ts";
import { teamFailure } from "../team-words.ts";

const copy = teamCopy.pending;

type InvitationListProps = {
  invitations: readonly TeamInvitation[];
  roles: readonly TeamRole[];
  resend: ReturnType<typeof useResendInvitation>;
  /** Takes what is to be said, or null once something else is begun. */
  onNews: (news: string | null) => void;
};

/** Open invitations, each with its actions. */
export function InvitationList({ invitations, roles, resend, onNews }: InvitationListProps) {
  const titleId = useId();
  const withdraw = useWithdrawInvitation();
  const [leaving, setLeaving] = useState<TeamInvitation | null>(null);
  const problem = teamFailure(resend.error);
  const send = ({ id }: TeamInvitation) => {
    onNews(null);
    resend.mutate(id);
  };
  const takeBack = ({ id }: TeamInvitation) =>
    withdraw.mutate(id, {
      onSuccess: () => {
        setLeaving(null);
        onNews(copy.withdrawn);
      },
    });
  // Why an invitation could not be sent stays when it was the last one.
  if (invitations.length === 0 && !problem) return null;
  return (
    <section aria-labelledby={titleId} className="grid gap-3">
      <h3 id={titleId} className="text-lg font-semibold">
        {copy.title}
      </h3>
      {problem && <Alert>{problem}</Alert>}
      <ul className="grid divide-y divide-line border-t border-line">
        {invitations.map((invitation) => (
          <InvitationRow
            key={invitation.id}
            invitation={invitation}
            roleName={roles.find(({ role }) => role === invitation.role)?.name}
            isSending={resend.isPending && resend.variables === invitation.id}
            isSent={resend.isSuccess && resend.variables === invitation.id}
            onResend={() => send(invitation)}
            onWithdraw={() => {
              withdraw.reset();
              onNews(null);
              setLeaving(invitation);
            }}
          />
        ))}
      </ul>
      {leaving && (
        <ConfirmDialog
          title={copy.withdrawTitle}
          action={copy.withdraw}
          busy={withdraw.isPending}
          problem={teamFailure(withdraw.error)}
          onConfirm={() => takeBack(leaving)}
          onClose={() => setLeaving(null)}
        >
          {copy.withdrawText(leaving.email)}
        </ConfirmDialog>
      )}
    </section>
  );
}

type InvitationRowProps = {
  invitation: TeamInvitation;
  roleName: string | null | undefined;
  isSending: boolean;
  isSent: boolean;
  onResend: () => void;
  onWithdraw: () => void;
};

function InvitationRow({
  invitation,
  roleName,
  isSending,
  isSent,
  onResend,
  onWithdraw,
}: InvitationRowProps) {
  const { email, role, store, is_expired: isExpired, expires_at: until } = invitation;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-4 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 font-semibold wrap-anywhere">{email}</p>
          <RoleBadge role={role} name={roleName} />
          {isExpired && <Badge tone="careful">{copy.expired}</Badge>}
        </div>
        <p className="text-sm text-pretty text-muted">
          {isExpired ? copy.expiredText : copy.until(formatDate(new Date(until)))}
          {store && ` · ${teamCopy.onlyStore(store.name)}`}
        </p>
      </div>
      {/* In its row: on a phone the head of the list is out of sight. */}
      {isSent && (
        <div className="basis-full">
          <Notice tone="done">{copy.resent(email)}</Notice>
        </div>
      )}
      <div className="-mr-3 flex flex-wrap">
        <Button
          variant="quiet"
          aria-label={teamCopy.actions.resendNamed(email)}
          busy={isSending}
          onClick={onResend}
        >
          <Send aria-hidden="true" className="size-5" />
          {teamCopy.actions.resend}
        </Button>
        <Button
          variant="quiet"
          aria-label={teamCopy.actions.withdrawNamed(email)}
          onClick={onWithdraw}
        >
          <X aria-hidden="true" className="size-5" />
          {teamCopy.actions.withdraw}
        </Button>
      </div>
    </li>
  );
}
