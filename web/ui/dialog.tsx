import { type ComponentProps, type ReactNode, type SubmitEvent, useId } from "react";
import { Modal } from "./modal.tsx";

type DialogProps = Pick<ComponentProps<typeof Modal>, "locked" | "onKeyDown" | "onClose"> & {
  title: string;
  /** Text directly below the title. */
  intro?: ReactNode;
  /** Width where there is room, as a class. */
  width?: string;
  /** Identifier of the text that says what the dialog is about. */
  describedBy?: string;
  /** Makes the content a form. */
  onSubmit?: (event: SubmitEvent) => void;
  children: ReactNode;
};

/** A card with a title over the page, for a question or a form. Rendered only while it is open. */
export function Dialog(props: DialogProps) {
  const { title, intro, width = "w-md", describedBy, onSubmit, ...rest } = props;
  const { children, ...modal } = rest;
  const id = useId();
  const content = (
    <>
      <div className="grid gap-1">
        <h2 id={id} className="text-xl wrap-anywhere">
          {title}
        </h2>
        {intro}
      </div>
      {children}
    </>
  );
  return (
    <Modal
      look="card"
      aria-labelledby={id}
      aria-describedby={describedBy}
      className={`max-h-[calc(100dvh-2rem)] p-6 ${width}`}
      {...modal}
    >
      {onSubmit ? (
        <form noValidate className="grid gap-5" onSubmit={onSubmit}>
          {content}
        </form>
      ) : (
        <div className="grid gap-5">{content}</div>
      )}
    </Modal>
  );
}
