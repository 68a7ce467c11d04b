import { useBlocker } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { uiCopy } from "../ui.copy.ts";

/**
 * Asks before what was typed is lost: going to another page, back, or closing the tab. Answers the
 * question to render, if it is being asked. `staysOnPage`: the same page at another address keeps it.
 */
export function useLeaveWarning(isUnsaved: boolean, staysOnPage = false): ReactNode {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isUnsaved && !(staysOnPage && current.pathname === next.pathname),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return (
    <ConfirmDialog
      title={uiCopy.leaveTitle}
      action={uiCopy.leave}
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    >
      {uiCopy.leaveText}
    </ConfirmDialog>
  );
}
