import { useState } from "react";
import { TEMPLATE_MAX_LENGTH, TEMPLATE_NAME_MAX_LENGTH } from "#domain/rules/constants.ts";
import { type AnswerTemplate, answerTemplate } from "#domain/schemas/reviews.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { useCloseWarning } from "../../../ui/unsaved/use-close-warning.tsx";
import { useUnsavedInput } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { reviewPanelCopy } from "../panel/review-panel.copy.ts";
import { useSaveTemplates } from "../reviews.mutations.ts";

const copy = reviewPanelCopy.templatesDialog;

/** Identifies the form on its page. */
export const TEMPLATES = "answer templates";

type TemplatesDialogProps = {
  orgId: string;
  templates: readonly AnswerTemplate[];
  onClose: () => void;
};

/** Words the texts that answers begin with. Rendered only while it is asked; Escape says no. */
export function TemplatesDialog({ orgId, templates, onClose }: TemplatesDialogProps) {
  const save = useSaveTemplates(orgId);
  const [initial] = useState(templates);
  const [wanted, setWanted] = useState(templates);
  const [isAsked, setIsAsked] = useState(false);
  const isUnsaved = JSON.stringify(wanted) !== JSON.stringify(initial) && !save.isSuccess;
  const { close, warning } = useCloseWarning(isUnsaved, onClose);
  const found = useUnsavedInput({
    name: TEMPLATES,
    isUnsaved,
    saved: () => ({ templates: initial }),
    typed: () => ({ templates: wanted }),
    put: (values) => setWanted(values.templates),
    drop: () => setWanted(initial),
  });
  const isComplete = wanted.every((template) => answerTemplate.safeParse(template).success);
  const change = (place: number, changed: Partial<AnswerTemplate>) =>
    setWanted(wanted.map((one, at) => (at === place ? { ...one, ...changed } : one)));
  const send = (list: readonly AnswerTemplate[] | null) => {
    if (!save.isPending) save.mutate(list, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={copy.title}
      intro={<p className="text-muted">{copy.text}</p>}
      width="w-160"
      locked={save.isPending}
      // Keys of the form around it are not for what is typed here.
      onKeyDown={(event) => event.stopPropagation()}
      onClose={close}
    >
      {found}
      {wanted.map(({ name, body }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three places, whatever their content.
        <div key={place} className="grid gap-3 border-line not-first:border-t not-first:pt-5">
          <Field label={copy.name(place + 1)}>
            {(control) => (
              <TextInput
                {...control}
                value={name}
                maxLength={TEMPLATE_NAME_MAX_LENGTH}
                onChange={(event) => change(place, { name: event.target.value })}
              />
            )}
          </Field>
          <Field label={copy.body(place + 1)}>
            {(control) => (
              <TextArea
                {...control}
                value={body}
                maxLength={TEMPLATE_MAX_LENGTH}
                onChange={(event) => change(place, { body: event.target.value })}
              />
            )}
          </Field>
        </div>
      ))}
      {isAsked && !isComplete && <Alert>{copy.problem}</Alert>}
      {save.isError && <Alert>{errorMessage(save.error)}</Alert>}
      <ButtonRow>
        <Button variant="quiet" waiting={save.isPending} onClick={() => send(null)}>
          {copy.reset}
        </Button>
        <Button variant="secondary" waiting={save.isPending} onClick={close}>
          {uiCopy.cancel}
        </Button>
        <Button
          busy={save.isPending}
          onClick={() => {
            setIsAsked(true);
            if (isComplete) send(wanted);
          }}
        >
          {copy.save}
        </Button>
      </ButtonRow>
      {warning}
    </Dialog>
  );
}
