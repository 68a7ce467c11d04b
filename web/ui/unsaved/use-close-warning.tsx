import { type ReactNode, useState } from "react";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { uiCopy } from "../ui.copy.ts";
import { useLeaveWarning } from "./use-leave-warning.tsx";

/**
 * For a form in a window: asks before what was typed is lost, whether the window is closed or the page behind it left.
 * Answers what closes the window, and the question to render, if it is being asked.
 */
export function useCloseWarning(
  isUnsaved: boolean,
  onClose: () => void,
): { close: () => void; warning: ReactNode } {
  const [isAsked, setIsAsked] = useState(false);
  const leaving = useLeaveWarning(isUnsaved);
  const asking = isAsked && (
    <ConfirmDialog
      title={uiCopy.leaveTitle}
      action={uiCopy.leave}
      onConfirm={onClose}
      onClose={() => setIsAsked(false)}
    >
      {uiCopy.leaveText}
    </ConfirmDialog>
  );
  return {
    close: () => (isUnsaved ? setIsAsked(true) : onClose()),
    warning: asking || leaving,
  };
}
