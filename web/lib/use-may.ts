import type { Permission } from "#domain/rules/permissions.ts";
import { mayOpen, type Screen } from "./screens.ts";
import { useWorkspace } from "./workspace.ts";

/** What the signed-in person may do, and which screens they find a way to. */
export function useMay() {
  const permissions = useWorkspace()?.permissions ?? [];
  return {
    may: (permission: Permission) => permissions.includes(permission),
    mayOpen: (screen: Screen) => mayOpen(permissions, screen),
  };
}
