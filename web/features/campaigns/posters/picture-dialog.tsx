import { X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { Modal } from "../../../ui/modal.tsx";

type PictureDialogProps = {
  title: string;
  text: string;
  /** Name of the button that closes it. */
  close: string;
  /** Maximum width, as a class. */
  width: string;
  onClose: () => void;
  children: ReactNode;
};

/** A dialog that shows something of a campaign to look at and to take along. */
export function PictureDialog({
  title,
  text,
  close,
  width,
  onClose,
  children,
}: PictureDialogProps) {
  const titleId = useId();
  return (
    <Modal
      look="card"
      aria-labelledby={titleId}
      onClose={onClose}
      className={`max-h-[calc(100dvh-1rem)] p-5 text-left sm:p-6 ${width}`}
    >
      <div className="grid gap-5">
        <div className="grid w-full grid-cols-[1fr_auto] items-start gap-2">
          <h2 id={titleId} className="min-w-0 pt-1.5 text-xl wrap-anywhere">
            {title}
          </h2>
          <button
            type="button"
            aria-label={close}
            onClick={onClose}
            className="-mt-1 -mr-2 grid size-11 place-items-center rounded-full text-muted hover:text-ink"
          >
            <X aria-hidden="true" className="size-6" />
          </button>
          <p className="col-span-2 text-muted">{text}</p>
        </div>
        {children}
      </div>
    </Modal>
  );
}
