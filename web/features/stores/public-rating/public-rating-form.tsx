import { type FormEvent, useState } from "react";
import { errorMessage } from "../../../lib/app-error.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { TextInput } from "../../../ui/forms/text-input.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useLeaveWarning } from "../../../ui/unsaved/use-leave-warning.tsx";
import { useUnsavedInput } from "../../../ui/unsaved/use-unsaved-input.tsx";
import { publicRatingCopy } from "./public-rating.copy.ts";
import { useSaveRating } from "./public-rating.mutations.ts";
import { ratingProblem, readRating, readReviews } from "./read-rating.ts";

const copy = publicRatingCopy.form;

type PublicRatingFormProps = { storeId: string; isWithin?: boolean };

const EMPTY = { rating: "", reviews: "" };

/**
 * Today's figures of the public page: two numbers, kept until they are saved. It has no title
 * within a part that has one.
 */
export function PublicRatingForm({ storeId, isWithin = false }: PublicRatingFormProps) {
  const [typed, setTyped] = useState(EMPTY);
  const [problem, setProblem] = useState<ReturnType<typeof ratingProblem>>(null);
  const save = useSaveRating(storeId);
  const isUnsaved = typed.rating !== "" || typed.reviews !== "";
  const warning = useLeaveWarning(isUnsaved);
  const found = useUnsavedInput({
    isUnsaved,
    saved: () => EMPTY,
    typed: () => typed,
    put: setTyped,
    drop: () => setTyped(EMPTY),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    const [rating, reviews] = [readRating(typed.rating), readReviews(typed.reviews)];
    const found = ratingProblem(rating, reviews);
    setProblem(found);
    if (rating === null || reviews === null || found) return;
    save.mutate(
      { rating, reviews },
      { onSuccess: () => setTyped((now) => (now === typed ? EMPTY : now)) },
    );
  };
  const fields = [
    { name: "rating", label: copy.rating, hint: copy.ratingHint, mode: "decimal" },
    { name: "reviews", label: copy.reviews, hint: copy.reviewsHint, mode: "numeric" },
  ] as const;
  const fieldOf = problem === "unrated" ? "rating" : problem;
  return (
    <form
      noValidate
      onSubmit={submit}
      className={`grid gap-3 print:hidden ${isWithin ? "" : "max-lg:border-t max-lg:border-line max-lg:pt-5"}`}
    >
      {found}
      {!isWithin && <h3 className="font-display text-lg font-bold">{copy.title}</h3>}
      <div className="grid items-start gap-4 min-[420px]:grid-cols-2 sm:max-w-md">
        {fields.map(({ name, label, hint, mode }) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            error={problem && fieldOf === name ? copy.rules[problem] : undefined}
          >
            {(control) => (
              <TextInput
                {...control}
                inputMode={mode}
                autoComplete="off"
                maxLength={12}
                value={typed[name]}
                onChange={(event) => {
                  setTyped({ ...typed, [name]: event.target.value });
                  setProblem(null);
                  if (!save.isPending) save.reset();
                }}
                className="tabular-nums"
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button type="submit" variant="secondary" busy={save.isPending}>
          {copy.save}
        </Button>
      </div>
      {save.isError && (
        <Alert>
          {errorMessage(save.error, {
            forbidden: copy.forbidden,
            "23514": copy.rules.unrated,
            unknown: copy.failed,
          })}
        </Alert>
      )}
      {save.isSuccess && <Notice tone="done">{copy.saved}</Notice>}
      {warning}
    </form>
  );
}
