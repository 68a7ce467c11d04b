import { Crown, ScanLine, ShieldCheck, Tag, Users } from "lucide-react";
import { isGivenRole, type Role } from "#domain/rules/roles.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { teamCopy } from "../team.copy.ts";

const LOOKS = {
  owner: { tone: "violet", icon: Crown },
  admin: { tone: "good", icon: ShieldCheck },
  member: { tone: "neutral", icon: Users },
  cashier: { tone: "neutral", icon: ScanLine },
} as const satisfies Record<Role, { tone: BadgeTone; icon: typeof Crown }>;

/**
 * Role of a member in the team (specification, section 6); one of the organisation's own by its
 * name.
 */
export function RoleBadge({ role, name }: { role: string; name: string | null | undefined }) {
  if (!isGivenRole(role)) return <Badge icon={Tag}>{name ?? teamCopy.ownRole}</Badge>;
  const { tone, icon } = LOOKS[role];
  return (
    <Badge tone={tone} icon={icon}>
      {teamCopy.roles[role]}
    </Badge>
  );
}
