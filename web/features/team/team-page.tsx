import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { History } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { useUserId } from "../../lib/auth/use-session.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { SelectField } from "../../ui/forms/select-field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { teamCopy as copy } from "./team.copy.ts";
import { useLeaveOrganization, useTransferOwnership } from "./team.mutations.ts";
import { teamQuery } from "./team.queries.ts";
import { TeamCard } from "./team-card.tsx";
import { memberName, teamFailure } from "./team-words.ts";

/** `/settings/team`: the team, and what concerns oneself in it. */
export function TeamPage({ orgId }: { orgId: string }) {
  usePageTitle(copy.title);
  const { may, mayOpen } = useMay();
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      <PageHeader
        back={{ to: "/settings", label: copy.settings }}
        title={copy.title}
        text={copy.text}
      >
        {mayOpen("/settings/audit") && (
          <Link to="/settings/audit" className={buttonClass({ variant: "secondary" })}>
            <History aria-hidden="true" className="size-5" />
            {copy.journal}
          </Link>
        )}
      </PageHeader>
      <TeamCard orgId={orgId} isWhole />
      <OwnershipCard orgId={orgId} isOwner={may("owners.manage")} />
      <LeaveCard orgId={orgId} />
    </div>
  );
}

/** Lets a member leave the organisation; its last owner sees what to do first. */
function LeaveCard({ orgId }: { orgId: string }) {
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
    // Cached data of the organisation goes; the guard decides anew where to redirect.
    queryClient.clear();
    await navigate({ to: "/onboarding", replace: true });
  };
  return (
    <TitledCard title={copy.leave.title}>
      <p className="max-w-[60ch] text-pretty text-muted">
        {isLastOwner ? copy.leave.lastOwner : copy.leave.text}
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
            {copy.leave.action}
          </Button>
        </div>
      )}
      {isAsked && (
        <ConfirmDialog
          title={copy.leave.confirmTitle(organization)}
          action={copy.leave.action}
          busy={leave.isPending}
          problem={teamFailure(leave.error)}
          onConfirm={() => leave.mutate(undefined, { onSuccess: onLeft })}
          onClose={() => setIsAsked(false)}
        >
          {copy.leave.confirmText}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}

/** Hands the organisation over to a member who does not own it yet; for its owners. */
function OwnershipCard({ orgId, isOwner }: { orgId: string; isOwner: boolean }) {
  const { supabase } = useApp();
  const { data } = useQuery({ ...teamQuery(supabase, orgId), enabled: isOwner });
  const me = useUserId();
  const transfer = useTransferOwnership();
  const [chosen, setChosen] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const [news, setNews] = useState<string | null>(null);
  const others = data?.members.filter(({ id }) => id !== me) ?? [];
  const heirs = others.filter(({ role }) => role !== "owner");
  const heir = heirs.find(({ id }) => id === chosen);
  const name = heir ? memberName(heir) : "";

  if (news) return <Notice tone="done">{news}</Notice>;
  if (!isOwner || !data) return null;
  return (
    <TitledCard title={copy.ownership.title}>
      <p className="max-w-[60ch] text-pretty text-muted">{copy.ownership.text}</p>
      {heirs.length === 0 ? (
        <p>{others.length === 0 ? copy.ownership.nobody : copy.ownership.ownersAlone}</p>
      ) : (
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-0 flex-1 basis-60">
            <SelectField label={copy.ownership.who} value={chosen} onChange={setChosen}>
              <option value="">{copy.ownership.choose}</option>
              {heirs.map((member) => (
                <option key={member.id} value={member.id}>
                  {memberName(member)}
                </option>
              ))}
            </SelectField>
          </div>
          <Button
            variant="secondary"
            className="min-h-12"
            waiting={!heir}
            onClick={() => {
              transfer.reset();
              setIsAsked(true);
            }}
          >
            {copy.ownership.action}
          </Button>
        </div>
      )}
      {isAsked && heir && (
        <ConfirmDialog
          title={copy.ownership.confirmTitle(name)}
          action={copy.ownership.action}
          busy={transfer.isPending}
          problem={teamFailure(transfer.error)}
          onConfirm={() =>
            transfer.mutate(heir.id, {
              onSuccess: () => {
                setIsAsked(false);
                setNews(copy.ownership.done(name));
              },
            })
          }
          onClose={() => setIsAsked(false)}
        >
          {copy.ownership.confirmText(name)}
        </ConfirmDialog>
      )}
    </TitledCard>
  );
}
