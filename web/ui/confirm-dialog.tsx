import { type ReactNode, useId } from "react";
import { Alert } from "./alert.tsx";
import { Button, ButtonRow } from "./button.tsx";
import { uiCopy } from "./ui.copy.ts";
import { useModal } from "./use-modal.ts";

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
  const dialog = useModal();
  const id = useId();

  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onClose();
      }}
      className="m-auto w-[min(28rem,calc(100vw-2rem))] rounded-card bg-surface p-6 text-ink shadow-card backdrop:bg-ink/50 dark:backdrop:bg-black/60"
    >
      <div className="grid gap-5">
        <h2 id={`${id}-title`} className="text-xl">
          {title}
        </h2>
        <div id={`${id}-text`} className="text-pretty text-muted">
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
      </div>
    </dialog>
  );
}
