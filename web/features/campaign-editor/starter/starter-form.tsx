import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { newId } from "#domain/text/new-id.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { WayToPlans } from "../../../ui/plans/way-to-plans.tsx";
import { useUnsavedInput } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { useBroughtIntoView } from "../../../ui/use-brought-into-view.ts";
import { showMistake } from "../wheel/show-mistake.ts";
import { startFailure, useStartCampaign } from "./starter.mutations.ts";
import { isWhole, type StarterValues } from "./starter.schema.ts";
import { StarterEditor } from "./starter-editor.tsx";

type StarterFormProps = {
  store: { id: string; name: string };
  /** Name of the campaign that is made. */
  name: string;
  /** The wheel to begin with: a proposal, or what was made of it on an earlier visit. */
  initial: StarterValues;
  submit: string;
  /** Called on every change, for the owner of the state. */
  onEdit: (values: StarterValues) => void;
  onStarted: (campaignId: string) => void;
  /** Content beside the button. */
  children?: ReactNode;
};

/** A first wheel with its prizes; one button makes an active campaign of it. What was typed stays when that fails. */
export function StarterForm(props: StarterFormProps) {
  const { store, name, initial, submit, onEdit, onStarted, children } = props;
  const [values, setValues] = useState(initial);
  const [isJudged, setIsJudged] = useState(false);
  const [id] = useState(newId);
  const editor = useRef<HTMLDivElement>(null);
  const start = useStartCampaign();
  const found = useUnsavedInput({
    isUnsaved: values !== initial && !start.isSuccess,
    saved: () => initial,
    typed: () => values,
    put: setValues,
    drop: () => setValues(initial),
  });
  useEffect(() => onEdit(values), [onEdit, values]);
  const refused = useBroughtIntoView<HTMLDivElement>(start.isError);

  const send = (event: FormEvent) => {
    event.preventDefault();
    // A second click does nothing until the next page is there.
    if (start.isPending || start.isSuccess) return;
    setIsJudged(true);
    if (!isWhole(values)) {
      start.reset();
      showMistake(editor.current);
      return;
    }
    start.mutate({ id, store, name, wheel: values }, { onSuccess: onStarted });
  };

  return (
    <form noValidate className="grid gap-6" onSubmit={send}>
      {found}
      <div className="rounded-card bg-surface p-4 shadow-card sm:p-6">
        <StarterEditor
          ref={editor}
          storeName={store.name}
          values={values}
          isJudged={isJudged}
          onChange={setValues}
        />
      </div>
      {start.isError && (
        <div ref={refused} tabIndex={-1} className="scroll-mt-24">
          <Alert>
            <p>{startFailure(start.error)}</p>
            <WayToPlans error={start.error} />
          </Alert>
        </div>
      )}
      <div
        data-sticks="saving"
        className="sticky bottom-0 z-10 -mx-5 flex justify-end gap-2 border-t border-line bg-surface px-5 py-3 shadow-card sm:static sm:mx-0 sm:gap-3 sm:border-0 sm:bg-transparent sm:p-0 sm:shadow-none [@media(max-height:30em)]:static"
      >
        {children}
        <Button
          type="submit"
          size="lg"
          className="max-sm:flex-1 sm:min-w-64"
          busy={start.isPending || start.isSuccess}
        >
          {submit}
        </Button>
      </div>
    </form>
  );
}
