import { Plus } from "lucide-react";
import { useState } from "react";
import { isGivenRole } from "#domain/rules/roles.ts";
import type { Team, TeamRole } from "#domain/schemas/team.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { LockedFeature } from "../../../ui/plans/locked-feature.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { TitledCard } from "../../../ui/titled-card.tsx";
import { useHasUnsaved } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { RoleFormDialog, roleFormName } from "./role-form-dialog.tsx";
import { RoleRow } from "./role-row.tsx";
import { roleTitle } from "./role-words.ts";
import { rolesCopy as copy } from "./roles.copy.ts";
import { useDeleteRole } from "./roles.mutations.ts";

/** The roles of one's own with what can be done about them, then the given ones. */
export function RoleLists({ team }: { team: Team }) {
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
