import { errorCopy } from "#domain/errors/errors.copy.ts";
import { ErrorStep } from "./error-step.tsx";
import { failuresCopy } from "./failures.copy.ts";
import { PageFrame } from "./parts/page-frame.tsx";

/** A campaign or organisation that does not exist, is closed, or has not begun. */
export function NotFoundPage() {
  return (
    <PageFrame campaign={null}>
      <ErrorStep
        title={errorCopy.campaign_not_found}
        hint={failuresCopy.notFoundHint}
        takesFocus={false}
      />
    </PageFrame>
  );
}
