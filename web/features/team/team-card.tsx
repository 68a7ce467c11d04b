import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { UserMinus, UserPen, UserPlus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { Team, TeamMember, TeamRole } from "#domain/schemas/team.ts";
import { useApp } from "../../lib/app-context.ts";
import { useUserId } from "../../lib/auth/use-session.ts";
import { formatDate, formatNumber } from "../../lib/format.ts";
import { useMay } from "../../lib/use-may.ts";
import { Alert } from "../../ui/alert.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonRow } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { MENU_ITEM, Menu } from "../../ui/menu.tsx";
import { Notice } from "../../ui/notice.tsx";
import { LoadProblem } from "../../ui/states/load-problem.tsx";
import { TitledCard } from "../../ui/titled-card.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { useCloseWarning } from "../../ui/unsaved/use-close-warning.tsx";
import { useUnsavedForm } from "../../ui/unsaved/use-unsaved-form.ts";
import { useHasUnsaved } from "../../ui/unsaved/use-unsaved-input.tsx";
import { InvitationList } from "./invitations/invitation-list.tsx";
import { PlaceFields, rolesToGive, SeatsNotice } from "./place-fields.tsx";
import { RoleBadge } from "./roles/role-badge.tsx";
import { teamCopy as copy } from "./team.copy.ts";
import {
  type Place,
  useChangeRole,
  useRemoveMember,
  useResendInvitation,
} from "./team.mutations.ts";
import { teamQuery } from "./team.queries.ts";
import { memberName, teamFailure, teamLoadFailure } from "./team-words.ts";

type TeamCardProps = {
  orgId: string;
  /** Whether it is on the team's own page, and does not link to it. */
  isWhole?: boolean;
};

/** The card « Équipe » (specification, section 2.19): members, invitations that wait, and what to do about them. */
export function TeamCard({ orgId, isWhole = false }: TeamCardProps) {
  const { supabase } = useApp();
  const { may, mayOpen } = useMay();
  const mayRead = may("team.read");
  const query = useQuery({ ...teamQuery(supabase, orgId), enabled: mayRead });
  const problem = teamLoadFailure(query);
  const mayManage = may("team.manage");
  const invite = mayOpen("/team/invite") && (
    <Link to="/team/invite" className={buttonClass({ variant: "secondary" })}>
      <UserPlus aria-hidden="true" className="size-5" />
      {copy.invite}
    </Link>
  );
  // A custom role may not manage the team, but its member can still leave it.
  if (!mayRead && isWhole) return null;
  return (
    <TitledCard title={isWhole ? copy.members : copy.title} action={invite}>
      {mayRead && query.isPending && <TeamSkeleton />}
      {problem && (
        <LoadProblem
          title={copy.loadFailed}
          text={problem}
          isRetrying={query.isFetching}
          onRetry={() => query.refetch()}
        />
      )}
      {query.data && !problem && <Members team={query.data} mayManage={mayManage} />}
      {!isWhole && (
        <Link
          to="/settings/team"
          className="inline-flex min-h-11 items-center justify-self-start font-semibold underline underline-offset-4"
        >
          {mayManage ? copy.manage : copy.see}
        </Link>
      )}
    </TitledCard>
  );
}

/** Identifies the form of a member's role on its page. */
const placeFormName = ({ id }: TeamMember) => `place of ${id}`;

type MembersProps = { team: Team; mayManage: boolean };

function Members({ team, mayManage }: MembersProps) {
  const { members, invitations, roles, used, limit } = team;
  const hasUnsaved = useHasUnsaved();
  const [changing, setChanging] = useState<TeamMember | null>(
    () => (mayManage && members.find((member) => hasUnsaved(placeFormName(member)))) || null,
  );
  const [leaving, setLeaving] = useState<TeamMember | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const resend = useResendInvitation();
  const tell = (next: string | null) => {
    setNews(next);
    // One that is under way still has its outcome to tell.
    if (!resend.isPending) resend.reset();
  };
  const roleOf = (name: string) => roles.find(({ role }) => role === name);
  const isFull = limit >= 0 && used >= limit;
  return (
    <div className="grid gap-6">
      {news && <Notice tone="done">{news}</Notice>}
      {mayManage && isFull && <SeatsNotice limit={limit} />}
      <ul aria-label={copy.members} className="grid divide-y divide-line border-t border-line">
        {members.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            roleName={roleOf(member.role)?.name}
            mayChange={mayManage && roleOf(member.role)?.has_power === true}
            onChangeRole={() => {
              tell(null);
              setChanging(member);
            }}
            onRemove={() => {
              tell(null);
              setLeaving(member);
            }}
          />
        ))}
      </ul>
      <InvitationList invitations={invitations} roles={roles} resend={resend} onNews={tell} />
      {mayManage && (
        <p className="text-sm text-muted tabular-nums">
          {limit < 0 ? copy.seatsUnlimited(used) : copy.seats(used, formatNumber(limit))}
        </p>
      )}
      {changing && (
        <RoleDialog
          member={changing}
          roles={roles}
          onSaved={(name) => {
            setChanging(null);
            setNews(copy.changeRole.saved(name));
          }}
          onClose={() => setChanging(null)}
        />
      )}
      {leaving && (
        <RemoveMemberDialog
          member={leaving}
          onRemoved={(name) => {
            setLeaving(null);
            setNews(copy.remove.done(name));
          }}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

type RoleDialogProps = {
  member: TeamMember;
  roles: readonly TeamRole[];
  onSaved: (name: string) => void;
  onClose: () => void;
};

/** Gives a member another role. Rendered only while it is asked; Escape says no. */
function RoleDialog({ member, roles, onSaved, onClose }: RoleDialogProps) {
  const name = memberName(member);
  const change = useChangeRole();
  const problem = teamFailure(change.error);
  const form = useForm<Place>({
    defaultValues: { role: member.role, storeId: member.store?.id ?? "" },
  });
  const { isDirty } = form.formState;
  const isUnsaved = isDirty && !change.isSuccess;
  const { close, warning } = useCloseWarning(isUnsaved, onClose);
  const found = useUnsavedForm(form, isUnsaved, placeFormName(member));
  const send = (values: Place) => {
    if (change.isPending) return;
    change.mutate({ id: member.id, ...values }, { onSuccess: () => onSaved(name) });
  };
  return (
    <Dialog
      title={copy.changeRole.title(name)}
      intro={
        <>
          <p className="text-muted">{copy.changeRole.text}</p>
          <LastingKeys member={member} />
        </>
      }
      width="w-lg"
      locked={change.isPending}
      onSubmit={form.handleSubmit(send, change.reset)}
      onClose={close}
    >
      {found}
      <PlaceFields
        roles={roles}
        offered={rolesToGive(roles, member.role)}
        role={form.watch("role")}
        register={form.register}
      />
      {problem && <Alert>{problem}</Alert>}
      <ButtonRow>
        <Button variant="secondary" waiting={change.isPending} onClick={close}>
          {uiCopy.cancel}
        </Button>
        <Button type="submit" busy={change.isPending}>
          {copy.changeRole.save}
        </Button>
      </ButtonRow>
      {warning}
    </Dialog>
  );
}

type RemoveMemberDialogProps = {
  member: TeamMember;
  onRemoved: (name: string) => void;
  onClose: () => void;
};

/** Asks for confirmation before the user leaves the team, and says what that means. */
function RemoveMemberDialog({ member, onRemoved, onClose }: RemoveMemberDialogProps) {
  const remove = useRemoveMember();
  const name = memberName(member);
  return (
    <ConfirmDialog
      title={copy.remove.title(name)}
      action={copy.remove.action}
      busy={remove.isPending}
      problem={teamFailure(remove.error)}
      onConfirm={() => remove.mutate(member.id, { onSuccess: () => onRemoved(name) })}
      onClose={onClose}
    >
      {copy.remove.text}
      <LastingKeys member={member} />
    </ConfirmDialog>
  );
}

/** Keys belong to the organisation: those that a member created stay valid without them. */
function LastingKeys({ member }: { member: TeamMember }) {
  const { mayOpen } = useMay();
  if (member.api_keys === 0) return null;
  return (
    <p className="mt-3 text-ink">
      {copy.keys.text(formatNumber(member.api_keys), memberName(member))}{" "}
      {mayOpen("/settings/api") && (
        <Link to="/settings/api" className="font-semibold underline underline-offset-4">
          {copy.keys.link}
        </Link>
      )}
    </p>
  );
}

const ROWS = ["first", "second", "third"] as const;

/** The shape of the members that are on their way. */
function TeamSkeleton() {
  return (
    <div role="status" className="grid gap-6">
      <span className="sr-only">{uiCopy.loading}</span>
      {ROWS.map((row) => (
        <div key={row} aria-hidden="true" className="grid animate-pulse gap-2.5">
          <div className="h-5 w-2/5 rounded-field bg-line" />
          <div className="h-4 w-3/5 rounded-field bg-line" />
        </div>
      ))}
    </div>
  );
}

type MemberRowProps = {
  member: TeamMember;
  /** Name of an organisation's own role. */
  roleName: string | null | undefined;
  /** Whether the reader has power over this member's role. */
  mayChange: boolean;
  onChangeRole: () => void;
  onRemove: () => void;
};

/** One member: full name, role, e-mail, and since when (specification, section 2.19). */
function MemberRow({ member, roleName, mayChange, onChangeRole, onRemove }: MemberRowProps) {
  const name = memberName(member);
  const isMe = useUserId() === member.id;
  return (
    <li className="flex items-start justify-between gap-3 py-4 last:pb-0">
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 font-semibold wrap-anywhere">{name}</p>
          <RoleBadge role={member.role} name={roleName} />
          {isMe && <Badge>{copy.you}</Badge>}
        </div>
        <p className="text-muted wrap-anywhere">{member.email ?? copy.noEmail}</p>
        <p className="text-sm text-muted">
          {copy.joined(formatDate(new Date(member.added_at)))}
          {member.store && ` · ${copy.onlyStore(member.store.name)}`}
        </p>
      </div>
      {mayChange && !isMe && (
        <Menu label={copy.actions.menu(name)}>
          <button type="button" role="menuitem" className={MENU_ITEM} onClick={onChangeRole}>
            <UserPen aria-hidden="true" className="size-5 text-muted" />
            {copy.actions.role}
          </button>
          {/* Owners cannot be removed from the list (specification, section 6). */}
          {member.role !== "owner" && (
            <button type="button" role="menuitem" className={MENU_ITEM} onClick={onRemove}>
              <UserMinus aria-hidden="true" className="size-5 text-muted" />
              {copy.actions.remove}
            </button>
          )}
        </Menu>
      )}
    </li>
  );
}
