import type { Permission } from "#domain/rules/permissions.ts";
import { mayOpen, type Screen } from "./screens.ts";
import { useWorkspace } from "./workspace.ts";

/** Permissions of the signed-in person, and the screens that these open. */
export function useMay() {
  const permissions = useWorkspace()?.permissions ?? [];
  return {
    may: (permission: Permission) => permissions.includes(permission),
    mayOpen: (screen: Screen) => mayOpen(permissions, screen),
  };
}
