import type { Failure } from "../api.ts";
import { describeFailure } from "../failures.ts";
import { Notice } from "../parts/notice.tsx";

/** Why the wheel did not turn, and what to do about it. */
export function SpinProblem({ failure, timeZone }: { failure: Failure; timeZone: string }) {
  const { title, hint } = describeFailure(failure, "wheel_failed", new Date(), timeZone);
  return (
    <Notice look="problem" title={title}>
      {hint !== "" && <p>{hint}</p>}
    </Notice>
  );
}
