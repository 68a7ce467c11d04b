import { customerCopy } from "../customer.copy.ts";
import { Action } from "../parts/action.tsx";
import { EmptyPicture } from "../parts/empty-picture.tsx";
import { StepTitle } from "../parts/step-title.tsx";

type ErrorStepProps = {
  title: string;
  hint: string;
  /** Address to start anew; without it the page is reloaded. */
  startHref?: string;
  takesFocus: boolean;
};

/** Why there is nothing to do here, and the one thing that may help. */
export function ErrorStep({ title, hint, startHref, takesFocus }: ErrorStepProps) {
  return (
    <section className="flex grow flex-col gap-4 pt-4">
      <StepTitle takesFocus={takesFocus}>{title}</StepTitle>
      {hint !== "" && <p>{hint}</p>}
      <EmptyPicture />
      <div className="mt-auto pt-6 sm:mt-4">
        {startHref === undefined ? (
          <Action onClick={() => location.reload()}>{customerCopy.retry}</Action>
        ) : (
          <Action href={startHref}>{customerCopy.startAgain}</Action>
        )}
      </div>
    </section>
  );
}
