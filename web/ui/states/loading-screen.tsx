import { SegmentSpinner } from "./segment-spinner.tsx";

/** The whole screen waits. */
export function LoadingScreen({ text }: { text?: string }) {
  return (
    <main className="grid min-h-dvh place-content-center justify-items-center gap-5 p-6">
      <SegmentSpinner className="size-14 text-violet" />
      <p role="status" className="text-muted">
        {text}
      </p>
    </main>
  );
}
