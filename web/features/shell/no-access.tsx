import { Navigate } from "@tanstack/react-router";
import { isCashier } from "../../lib/back-office.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { MissingPage } from "../../ui/states/missing-page.tsx";
import { noAccessCopy as copy } from "./no-access.copy.ts";

/** In place of a screen that the user's role does not open, whose address they typed or kept. */
export function NoAccess() {
  usePageTitle(copy.title);
  const workspace = useWorkspace();
  // Somebody who got here works at the till alone since a moment ago: the guards let no cashier in.
  if (workspace && isCashier(workspace)) {
    return <Navigate to="/encaisser" state={{ hasNewRole: true }} replace />;
  }
  // A member who has left the team has no way here at all: the guards say where to.
  if (workspace && !workspace.organization) return <Navigate to="/dashboard" replace />;
  return <MissingPage {...copy} to="/dashboard" />;
}
