import type { ComponentProps } from "react";

/** Where the keyboard goes on once what had the focus is gone: the start of the page's content. */
function keepFocus(): void {
  if (document.activeElement !== document.body) return;
  document.getElementById("content")?.focus({ preventScroll: true });
}

/** Shows a dialog while it is mounted. */
function open(dialog: HTMLDialogElement | null) {
  dialog?.showModal();
  return () => {
    dialog?.close();
    // Once the whole change is rendered: the dialog may disappear together with the row that opened it.
    queueMicrotask(keepFocus);
  };
}

const VEILED = "bg-surface text-ink shadow-card backdrop:bg-ink/50 dark:backdrop:bg-black/60";

const LOOKS = {
  /** A card in the middle, with the page dimmed around it. */
  card: `m-auto rounded-card ${VEILED}`,
  /** A part of the page's edge, with the page dimmed around it, where a press closes it. */
  sheet: VEILED,
  /** The whole screen. */
  screen: "m-0 h-dvh max-h-none w-screen max-w-none",
} as const;

type ModalProps = Omit<ComponentProps<"dialog">, "ref" | "open" | "onCancel" | "onClose"> & {
  look: keyof typeof LOOKS;
  /** Place, size and inner space, as classes. */
  className: string;
  /** Whether Escape leaves it open: an answer is awaited, or what it shows would be lost. */
  locked?: boolean;
  onClose: () => void;
};

/**
 * A `<dialog>` over everything for as long as it is mounted; the focus then returns to where it was, or, when that
 * went with what the dialog was about, to the page's content.
 */
export function Modal({ look, className, locked = false, onClose, ...dialog }: ModalProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: beside a sheet, a click closes it; Escape does the same.
    <dialog
      ref={open}
      onCancel={(event) => {
        event.preventDefault();
        if (!locked) onClose();
      }}
      // A browser lets no page prevent Escape for ever: the third in a row closes the dialog.
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
      onClick={(event) => {
        if (look === "sheet" && event.target === event.currentTarget) onClose();
      }}
      className={`${LOOKS[look]} ${className}`}
      {...dialog}
    />
  );
}
