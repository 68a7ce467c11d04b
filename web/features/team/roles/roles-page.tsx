import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import {
  choiceOf,
  PERMISSION_LEVELS,
  PERMISSION_SUBJECTS,
  type PermissionSubject,
} from "#domain/rules/permissions.ts";
import { isGivenRole } from "#domain/rules/roles.ts";
import type { Team, TeamRole } from "#domain/schemas/team.ts";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { LockedFeature } from "../../../ui/plans/locked-feature.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ListSkeleton } from "../../../ui/states/list-skeleton.tsx";
import { LoadProblem } from "../../../ui/states/load-problem.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { useHasUnsaved } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { useDeleteRole } from "../team.mutations.ts";
import { teamQuery } from "../team.queries.ts";
import { roleText, roleTitle, teamLoadFailure } from "../team-words.ts";
import { RoleBadge } from "./role-badge.tsx";
import { RoleFormDialog, roleFormName } from "./role-form-dialog.tsx";
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

/** The custom roles with their actions, then the built-in ones. */
function RoleLists({ team }: { team: Team }) {
  const { roles, has_own_roles: isIncluded } = team;
  const mayManage = useMay().may("roles.manage");
  const remove = useDeleteRole();
  const hasUnsaved = useHasUnsaved();
  const own = roles.filter(({ role }) => !isGivenRole(role));
  const [edited, setEdited] = useState<TeamRole | "new" | null>(() => {
    if (!mayManage || !isIncluded) return null;
    if (hasUnsaved(roleFormName(null))) return "new";
    return own.find((role) => hasUnsaved(roleFormName(role))) ?? null;
  });
  const [leaving, setLeaving] = useState<TeamRole | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const edit = (role: TeamRole | "new") => {
    setNews(null);
    setEdited(role);
  };
  const create = mayManage && isIncluded && (
    <Button onClick={() => edit("new")}>
      <Plus aria-hidden="true" className="size-5" />
      {copy.create}
    </Button>
  );
  return (
    <div className="grid gap-6">
      {news && <Notice tone="done">{news}</Notice>}
      {!isIncluded && <Locked hasRoles={own.length > 0} />}
      {!mayManage && <p className="text-muted">{copy.readOnly}</p>}
      {own.length === 0 && isIncluded && (
        <EmptyState title={copy.empty.title} text={copy.empty.text}>
          {create}
        </EmptyState>
      )}
      {own.length > 0 && (
        <TitledCard title={copy.own} action={create}>
          <ul aria-label={copy.own} className="grid divide-y divide-line border-t border-line">
            {own.map((role) => (
              <RoleRow
                key={role.role}
                role={role}
                onEdit={mayManage && isIncluded ? () => edit(role) : null}
                onRemove={
                  mayManage
                    ? () => {
                        setNews(null);
                        remove.reset();
                        setLeaving(role);
                      }
                    : null
                }
              />
            ))}
          </ul>
        </TitledCard>
      )}
      <TitledCard title={copy.given}>
        <ul aria-label={copy.given} className="grid divide-y divide-line border-t border-line">
          {roles
            .filter(({ role }) => isGivenRole(role))
            .map((role) => (
              <RoleRow key={role.role} role={role} onEdit={null} onRemove={null} />
            ))}
        </ul>
      </TitledCard>
      {edited && (
        <RoleFormDialog
          role={edited === "new" ? null : edited}
          onSaved={(name) => {
            setEdited(null);
            setNews(copy.saved(name));
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {leaving && (
        <ConfirmDialog
          title={copy.removeTitle(roleTitle(leaving))}
          action={copy.remove}
          busy={remove.isPending}
          problem={remove.error ? errorMessage(remove.error, copy.failures) : null}
          onConfirm={() =>
            remove.mutate(leaving.role, {
              onSuccess: () => {
                setLeaving(null);
                setNews(copy.removed(roleTitle(leaving)));
              },
            })
          }
          onClose={() => setLeaving(null)}
        >
          {leaving.members + leaving.invitations > 0 ? copy.failures.TV113 : copy.removeText}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Benefits of another plan, and the state of existing roles. */
function Locked({ hasRoles }: { hasRoles: boolean }) {
  return (
    <LockedFeature title={copy.locked.title} text={copy.locked.text}>
      {hasRoles && <p className="max-w-[70ch] text-pretty">{copy.locked.kept}</p>}
    </LockedFeature>
  );
}

type RoleRowProps = {
  role: TeamRole;
  /** Null where the reader may not, or the plan does not include it. */
  onEdit: (() => void) | null;
  onRemove: (() => void) | null;
};

/** « Campagnes : modifier », one a subject that is open. */
function openSubjects(role: TeamRole): string[] {
  const choice = choiceOf(role.permissions);
  return PERMISSION_SUBJECTS.filter((subject) => choice[subject] > 0).map((subject) =>
    subjectWords(subject, choice[subject]),
  );
}

function subjectWords(subject: PermissionSubject, level: number): string {
  const permission = PERMISSION_LEVELS[subject][level - 1];
  const words = permission === undefined ? "" : copy.levels[permission].toLowerCase();
  return `${copy.subjects[subject]}\u00a0: ${words}`;
}

/** One role: what it is called and for, what it opens, and how many have it. */
function RoleRow({ role, onEdit, onRemove }: RoleRowProps) {
  const title = roleTitle(role);
  const text = roleText(role);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-4 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-72 gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <RoleBadge role={role.role} name={role.name} />
          <span className="text-sm text-muted">{copy.usage(role.members, role.invitations)}</span>
        </div>
        {text && <p className="text-pretty">{text}</p>}
        {role.name !== null && (
          <p className="text-sm text-pretty text-muted">{openSubjects(role).join(" · ")}</p>
        )}
      </div>
      <div className="-mr-3 flex flex-wrap">
        {onEdit && (
          <Button variant="quiet" aria-label={copy.editNamed(title)} onClick={onEdit}>
            {copy.edit}
          </Button>
        )}
        {onRemove && (
          <Button variant="quiet" aria-label={copy.removeNamed(title)} onClick={onRemove}>
            <span className="text-coral-ink">{copy.remove}</span>
          </Button>
        )}
      </div>
    </li>
  );
}
