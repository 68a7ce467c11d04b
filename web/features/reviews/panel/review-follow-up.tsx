import { useRef } from "react";
import { TEAM_TEXT_MAX_LENGTH } from "#domain/rules/constants.ts";
import type { ReviewAction, ReviewDetail } from "#domain/schemas/reviews.ts";
import { newId } from "#domain/text/new-id.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatMoment } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { SelectInput } from "../../../ui/forms/select-input.tsx";
import { TextArea } from "../../../ui/forms/text-area.tsx";
import { useUnsavedInput } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { useAssignReview, useNoteReview } from "../reviews.mutations.ts";
import { reviewPanelCopy } from "./review-panel.copy.ts";

const { actions: copy, assign: assignCopy, notes: notesCopy } = reviewPanelCopy;

type NoteDraft = {
  /** A note that was begun. */
  note: string | undefined;
  onNote: (text: string | null, sent?: string) => void;
};

type ReviewFollowUpProps = NoteDraft & { review: ReviewDetail; mayAct: boolean };

/** Assignee of a review, and its history in the team. */
export function ReviewFollowUp({ review, mayAct, ...draft }: ReviewFollowUpProps) {
  const mayNote = useMay().may("customers.read") && mayAct;
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      <h2 className="text-xl">{notesCopy.title}</h2>
      {mayAct && <Assignee review={review} />}
      {review.actions.length === 0 ? (
        <p className="text-muted">{notesCopy.empty}</p>
      ) : (
        <ol className="grid">
          {review.actions.map((action) => (
            <Entry key={action.id} action={action} isErased={review.is_erased} />
          ))}
        </ol>
      )}
      {mayNote &&
        (review.is_erased ? (
          <p className="text-muted">{notesCopy.erased}</p>
        ) : (
          <NoteForm id={review.id} {...draft} />
        ))}
    </section>
  );
}

function Assignee({ review }: { review: ReviewDetail }) {
  const assign = useAssignReview(review.id);
  const { assigned_to: current, assignee, colleagues, my_id: me } = review;
  // Colleagues who left the team, or lost the permission, are still named.
  const isGone = current !== null && !colleagues.some(({ id }) => id === current);
  return (
    <>
      <Field label={assignCopy.label}>
        {(control) => (
          <SelectInput
            {...control}
            aria-busy={assign.isPending || undefined}
            value={(assign.isPending ? assign.variables : current) ?? ""}
            onChange={(event) => assign.mutate(event.target.value || null)}
          >
            <option value="">{assignCopy.nobody}</option>
            {isGone && (
              <option value={current}>{assignCopy.gone(assignee ?? copy.somebody)}</option>
            )}
            {colleagues.map(({ id, name }) => (
              <option key={id} value={id}>
                {id === me ? assignCopy.me(name) : name}
              </option>
            ))}
          </SelectInput>
        )}
      </Field>
      {assign.isError && <Alert>{errorMessage(assign.error)}</Alert>}
    </>
  );
}

const TONES = { queued: "neutral", sent: "good", failed: "bad" } as const;

type EntryProps = { action: ReviewAction; isErased: boolean };

function Entry({ action: { kind, at, by, body, assignee, delivery }, isErased }: EntryProps) {
  const words = kind === "assigned" ? copy.assigned(assignee, by) : copy[kind];
  const isText = kind === "note" || kind === "answer";
  return (
    <li className="grid gap-1 border-line py-3 not-first:border-t">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p>
          <span className="font-semibold wrap-anywhere">{by ?? copy.somebody}</span> {words}
        </p>
        <time dateTime={at} className="text-sm text-muted">
          {formatMoment(new Date(at), new Date())}
        </time>
      </div>
      {body !== null && (
        <p
          dir="auto"
          className={`rounded-field px-3.5 py-2.5 whitespace-pre-line wrap-anywhere ${kind === "note" ? "bg-sun-soft text-sun-ink" : "bg-violet-soft"}`}
        >
          {body}
        </p>
      )}
      {isText && body === null && isErased && <p className="text-muted">{copy.forgotten}</p>}
      {delivery && (
        <p>
          <Badge tone={TONES[delivery]}>{copy.deliveries[delivery]}</Badge>
        </p>
      )}
    </li>
  );
}

function NoteForm({ id, note: body = "", onNote }: NoteDraft & { id: string }) {
  const note = useNoteReview(id);
  const request = useRef({ body: "", id: "" });
  const found = useUnsavedInput({
    name: `note ${id}`,
    isUnsaved: body !== "",
    saved: () => ({ body: "" }),
    typed: () => ({ body }),
    put: (values) => onNote(values.body),
    drop: () => onNote(null),
  });
  const save = () => {
    if (note.isPending || !body.trim()) return;
    // The same text again is the same request: a lost answer adds nothing twice.
    if (request.current.body !== body) request.current = { body, id: newId() };
    // The draft goes also where another review was opened meanwhile.
    note.mutateAsync({ body, requestId: request.current.id }).then(
      () => onNote(null, body),
      () => {},
    );
  };
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      {found}
      <Field label={notesCopy.add} hint={notesCopy.hint}>
        {(control) => (
          <TextArea
            {...control}
            value={body}
            maxLength={TEAM_TEXT_MAX_LENGTH}
            onChange={(event) => onNote(event.target.value || null)}
          />
        )}
      </Field>
      {note.isError && (
        <Alert>
          {errorMessage(note.error, { unknown: notesCopy.failed, TV180: notesCopy.erased })}
        </Alert>
      )}
      <Button
        type="submit"
        variant="secondary"
        className="justify-self-start"
        busy={note.isPending}
        incomplete={!body.trim()}
      >
        {notesCopy.save}
      </Button>
    </form>
  );
}
