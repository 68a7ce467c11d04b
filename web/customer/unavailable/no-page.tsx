import { Action } from "../parts/action.tsx";
import { EmptyPicture } from "../parts/empty-picture.tsx";
import { PageFrame } from "../parts/page-frame.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { noPageCopy } from "./no-page.copy.ts";

/** No page has this address (specification, section 2.1). */
export function NoPage() {
  return (
    <PageFrame campaign={null}>
      <section className="flex grow flex-col gap-4 pt-4">
        <StepTitle takesFocus={false}>{noPageCopy.title}</StepTitle>
        <p>{noPageCopy.text}</p>
        <EmptyPicture />
        <div className="mt-auto pt-6 sm:mt-4">
          <Action href="/">{noPageCopy.home}</Action>
        </div>
      </section>
    </PageFrame>
  );
}
