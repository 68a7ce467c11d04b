import { type ReactNode, useId } from "react";
import { Alert } from "./alert.tsx";
import { Button, ButtonRow } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { uiCopy } from "./ui.copy.ts";

type ConfirmDialogProps = {
  title: string;
  /** Consequence of the action. */
  children: ReactNode;
  /** Label of the button that acts. */
  action: string;
  busy?: boolean;
  /** Why it did not work. */
  problem?: string | null;
  onConfirm: () => void;
  onClose: () => void;
};

/** Asks before something is lost. Rendered only while it is asked; Escape says no. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, busy = false, problem, onConfirm, onClose } = props;
  const textId = useId();

  return (
    <Dialog title={title} describedBy={textId} locked={busy} onClose={onClose}>
      <div id={textId} className="text-pretty text-muted">
        {children}
      </div>
      {problem && <Alert>{problem}</Alert>}
      <ButtonRow>
        <Button variant="secondary" waiting={busy} onClick={onClose}>
          {uiCopy.cancel}
        </Button>
        <Button busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </ButtonRow>
    </Dialog>
  );
}
