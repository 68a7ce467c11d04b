import { UserMinus, UserPen } from "lucide-react";
import type { TeamMember } from "#domain/schemas/team.ts";
import { useUserId } from "../../lib/auth/use-session.ts";
import { formatDate } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { MENU_ITEM, Menu } from "../../ui/menu.tsx";
import { memberName } from "./member-name.ts";
import { RoleBadge } from "./roles/role-badge.tsx";
import { teamCopy } from "./team.copy.ts";

type MemberRowProps = {
  member: TeamMember;
  /** What a role of the organisation's own is called. */
  roleName: string | null | undefined;
  /** Whether the reader has power over this member's role. */
  mayChange: boolean;
  onChangeRole: () => void;
  onRemove: () => void;
};

/** One member: full name, role, e-mail, and since when (specification, section 2.19). */
export function MemberRow({ member, roleName, mayChange, onChangeRole, onRemove }: MemberRowProps) {
  const name = memberName(member);
  const isMe = useUserId() === member.id;
  return (
    <li className="flex items-start justify-between gap-3 py-4 last:pb-0">
      <div className="grid min-w-0 flex-1 gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <p className="min-w-0 font-semibold wrap-anywhere">{name}</p>
          <RoleBadge role={member.role} name={roleName} />
          {isMe && <Badge>{teamCopy.you}</Badge>}
        </div>
        <p className="text-muted wrap-anywhere">{member.email ?? teamCopy.noEmail}</p>
        <p className="text-sm text-muted">
          {teamCopy.joined(formatDate(new Date(member.added_at)))}
          {member.store && ` · ${teamCopy.onlyStore(member.store.name)}`}
        </p>
      </div>
      {mayChange && !isMe && (
        <Menu label={teamCopy.actions.menu(name)}>
          <button type="button" role="menuitem" className={MENU_ITEM} onClick={onChangeRole}>
            <UserPen aria-hidden="true" className="size-5 text-muted" />
            {teamCopy.actions.role}
          </button>
          {/* Owners cannot be removed from the list (specification, section 6). */}
          {member.role !== "owner" && (
            <button type="button" role="menuitem" className={MENU_ITEM} onClick={onRemove}>
              <UserMinus aria-hidden="true" className="size-5 text-muted" />
              {teamCopy.actions.remove}
            </button>
          )}
        </Menu>
      )}
    </li>
  );
}
