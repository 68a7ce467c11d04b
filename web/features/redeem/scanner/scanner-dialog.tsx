import { CameraOff, Flashlight, FlashlightOff, Keyboard } from "lucide-react";
import { type ReactNode, useId, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "../../../ui/button.tsx";
import { Modal } from "../../../ui/modal.tsx";
import { SegmentSpinner } from "../../../ui/states/segment-spinner.tsx";
import { redeemCopy } from "../redeem.copy.ts";
import { hasTorch, lightTorch } from "./camera.ts";
import { useScanner } from "./use-scanner.ts";

const copy = redeemCopy.scanner;

type ScannerDialogProps = {
  /** Object to hold before the camera. */
  aim: string;
  /** Feedback on the last read; null before that. */
  said: ReactNode;
  /** Label of the way back to the keyboard. */
  type: string;
  onText: (text: string) => void;
  onClose: () => void;
};

/** The camera over the whole screen, until its opener has read enough, or it is closed. */
export function ScannerDialog({ aim, said, type, onText, onClose }: ScannerDialogProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [attempt, setAttempt] = useState(0);
  const isSeen = useIsSeen();
  const [lit, setLit] = useState<MediaStream | null>(null);
  const titleId = useId();

  const scanner = useScanner(video, isSeen, attempt, onText);

  const isLooking = scanner.state === "looking";
  // Where there is no camera, or none may be asked for, trying again changes nothing.
  const isInVain = scanner.state === "failed" && ["missing", "insecure"].includes(scanner.failure);
  const stream = isLooking && hasTorch(scanner.stream) ? scanner.stream : null;
  // A camera that starts anew has its lamp off.
  const isLit = stream !== null && lit === stream;

  return (
    <Modal
      look="screen"
      aria-labelledby={titleId}
      onClose={onClose}
      className="bg-ink text-paper [--focus:currentColor] dark:bg-paper dark:text-ink"
    >
      <video
        ref={video}
        muted
        playsInline
        className={`absolute inset-0 size-full object-cover ${isLooking ? "" : "opacity-0"}`}
      />
      {isLooking && (
        <div aria-hidden="true" className="absolute inset-0 grid place-items-center overflow-clip">
          <div className="size-[min(20rem,68vw,44dvh)] rounded-card border-4 border-current shadow-[0_0_0_100vmax_color-mix(in_srgb,var(--ink)_60%,transparent)] dark:shadow-[0_0_0_100vmax_color-mix(in_srgb,var(--paper)_60%,transparent)]" />
        </div>
      )}
      <div className="relative flex h-full flex-col items-center">
        <div className="w-full bg-ink/80 px-4 pt-4 pb-3 text-center dark:bg-paper/80">
          <h2 id={titleId} className="text-xl">
            {copy.title}
          </h2>
          <p role="status" className="mt-1 min-h-[2lh] text-lg wrap-anywhere sm:min-h-[1lh]">
            {scanner.state === "starting" && copy.starting}
            {isLooking && (said ?? aim)}
          </p>
        </div>
        <div className="grid w-full flex-1 place-items-center p-8">
          {scanner.state === "starting" && <SegmentSpinner className="size-16" />}
          {scanner.state === "failed" && (
            <div role="alert" className="grid max-w-sm justify-items-center gap-5 text-center">
              <CameraOff aria-hidden="true" className="size-16" />
              <p className="text-xl text-balance">{copy.failures[scanner.failure]}</p>
            </div>
          )}
        </div>
        <div className="relative grid w-full max-w-lg gap-3 px-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
          {stream && (
            <Button
              variant="secondary"
              size="lg"
              onClick={async () => {
                if (await lightTorch(stream, !isLit)) setLit(isLit ? null : stream);
              }}
            >
              {isLit ? (
                <FlashlightOff aria-hidden="true" className="size-6" />
              ) : (
                <Flashlight aria-hidden="true" className="size-6" />
              )}
              {isLit ? copy.torchOff : copy.torchOn}
            </Button>
          )}
          {scanner.state === "failed" && !isInVain && (
            <Button size="lg" onClick={() => setAttempt(attempt + 1)}>
              {copy.retry}
            </Button>
          )}
          <Button variant={isInVain ? "primary" : "secondary"} size="lg" onClick={onClose}>
            <Keyboard aria-hidden="true" className="size-6" />
            {type}
          </Button>
        </div>
      </div>
    </Modal>
  );
}

function watch(onChange: () => void): () => void {
  document.addEventListener("visibilitychange", onChange);
  return () => document.removeEventListener("visibilitychange", onChange);
}

/** Whether the page is visible: not in another tab, nor with the phone asleep. */
function useIsSeen(): boolean {
  return useSyncExternalStore(watch, () => document.visibilityState === "visible");
}
