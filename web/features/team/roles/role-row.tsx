import {
  choiceOf,
  PERMISSION_LEVELS,
  PERMISSION_SUBJECTS,
  type PermissionSubject,
} from "#domain/rules/permissions.ts";
import type { TeamRole } from "#domain/schemas/team.ts";
import { Button } from "../../../ui/button.tsx";
import { RoleBadge } from "./role-badge.tsx";
import { roleText, roleTitle } from "./role-words.ts";
import { rolesCopy as copy } from "./roles.copy.ts";

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
  const permission = PERMISSION_LEVELS[subject][level - 1] ?? "";
  return `${copy.subjects[subject]}\u00a0: ${(copy.levels[permission] ?? "").toLowerCase()}`;
}

/** One role: what it is called and for, what it opens, and how many have it. */
export function RoleRow({ role, onEdit, onRemove }: RoleRowProps) {
  const title = roleTitle(role);
  const text = roleText(role);
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 py-4 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-72 gap-2">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <RoleBadge role={role.role} name={role.name} />
          <span className="text-sm text-muted">{copy.usage(role.members, role.invitations)}</span>
        </div>
        {text && <p className="text-pretty wrap-anywhere">{text}</p>}
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
