import { Button } from "../button.tsx";
import { uiCopy } from "../ui.copy.ts";
import { FallenSegment } from "./fallen-segment.tsx";

type LoadProblemProps = {
  /** Title for a part that failed to load on an otherwise complete page. */
  title?: string;
  /** Failure, in a sentence. */
  text: string;
  onRetry: () => void;
  isRetrying?: boolean;
};

/** A screen, or a part of one, could not be loaded: says so and offers to try again. */
export function LoadProblem({ title, text, onRetry, isRetrying = false }: LoadProblemProps) {
  return (
    <div role="alert" className="grid justify-items-center gap-5 px-4 py-16 text-center">
      <FallenSegment className="h-24" />
      <div className="grid max-w-md gap-2">
        {title ? (
          <h2 className="text-xl">{title}</h2>
        ) : (
          <h1 className="text-2xl">{uiCopy.loadFailed}</h1>
        )}
        <p className="text-lg text-pretty text-muted">{text}</p>
      </div>
      <Button busy={isRetrying} onClick={onRetry}>
        {uiCopy.retry}
      </Button>
    </div>
  );
}
