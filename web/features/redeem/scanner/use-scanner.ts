import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import { renewRelease } from "../../../lib/missing-parts.ts";
import {
  type CameraFailure,
  cameraFailure,
  canHaveCamera,
  closeCamera,
  openCamera,
} from "./camera.ts";

/** Between two looks at the picture: quick for the hand, easy on the battery. */
const PAUSE_MS = 120;

export type Scanner =
  | { state: "starting" }
  | { state: "looking"; stream: MediaStream }
  | { state: "failed"; failure: CameraFailure };

/**
 * Shows the camera in `video` and calls back with the text of every QR code that it sees, until
 * the component goes or `attempt` changes. The camera is released in every case, also while the page is hidden: a
 * phone whose screen was off goes on scanning when it is on again.
 */
export function useScanner(
  video: RefObject<HTMLVideoElement | null>,
  isSeen: boolean,
  attempt: number,
  onText: (text: string) => void,
): Scanner {
  const [scanner, setScanner] = useState<Scanner>({ state: "starting" });
  const found = useEffectEvent(onText);

  // biome-ignore lint/correctness/useExhaustiveDependencies(attempt): a new attempt starts again.
  useEffect(() => {
    if (!isSeen) return setScanner({ state: "starting" });
    let isOver = false;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;

    async function run(): Promise<void> {
      setScanner({ state: "starting" });
      if (!canHaveCamera()) return setScanner({ state: "failed", failure: "insecure" });
      // Loading the reader while the person is asked for the camera.
      const loading = import("./qr-reader.ts");
      loading.catch(() => undefined);
      stream = await openCamera();
      // Closed meanwhile: the browser's question outlives the dialog.
      if (isOver || !video.current) return closeCamera(stream);
      video.current.srcObject = stream;
      await video.current.play();
      const { readerReady, readQrCodes } = await loading;
      await readerReady();
      if (isOver) return;
      setScanner({ state: "looking", stream });

      const look = async () => {
        if (isOver || !video.current) return;
        // A picture that cannot be read is followed by one that can.
        const texts = await readQrCodes(video.current).catch(() => []);
        if (isOver) return;
        for (const text of texts) found(text);
        timer = setTimeout(look, PAUSE_MS);
      };
      await look();
    }

    run().catch((error: unknown) => {
      if (stream) closeCamera(stream);
      if (isOver) return;
      setScanner({ state: "failed", failure: cameraFailure(error) });
      void renewRelease(error);
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
      if (stream) closeCamera(stream);
    };
  }, [attempt, isSeen, video]);

  return scanner;
}
