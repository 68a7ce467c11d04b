import type { UseMutationResult } from "@tanstack/react-query";
import { useState } from "react";
import { errorMessage } from "../../lib/app-error.ts";
import { Button } from "../button.tsx";
import { ConfirmDialog } from "../confirm-dialog.tsx";

type SelectionActionProps<Answer> = {
  /** Label of the action, on the button and in the question. */
  action: string;
  question: { title: string; text: string };
  ids: readonly string[];
  mutation: UseMutationResult<Answer, Error, string[]>;
  onDone: () => void;
};

/** Action on the ticked items of a list, done once it is confirmed. */
export function SelectionAction<Answer>({
  action,
  question,
  ids,
  mutation,
  onDone,
}: SelectionActionProps<Answer>) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setIsAsked(true)}>
        {action}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={question.title}
          action={action}
          busy={mutation.isPending}
          problem={mutation.isError ? errorMessage(mutation.error) : null}
          onConfirm={() => mutation.mutate([...ids], { onSuccess: onDone })}
          onClose={() => setIsAsked(false)}
        >
          {question.text}
        </ConfirmDialog>
      )}
    </>
  );
}
