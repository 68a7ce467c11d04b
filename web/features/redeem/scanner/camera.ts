/** Why the camera gives no picture. */
export type CameraFailure = "denied" | "missing" | "busy" | "insecure" | "failed";

const REASONS: Readonly<Record<string, CameraFailure>> = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "missing",
  OverconstrainedError: "missing",
  NotReadableError: "busy",
  AbortError: "busy",
};

/** Meaning of a failure to open the camera, from the browser's error. */
export function cameraFailure(error: unknown): CameraFailure {
  if (!(error instanceof Error)) return "failed";
  return Object.hasOwn(REASONS, error.name) ? (REASONS[error.name] ?? "failed") : "failed";
}

/** Whether the browser lets this page have a camera at all: it does so over https only. */
export function canHaveCamera(): boolean {
  return window.isSecureContext && "mediaDevices" in navigator;
}

/** Opens the camera at the back of a phone, else any. */
export function openCamera(): Promise<MediaStream> {
  return navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 } },
  });
}

/** Lets the camera go, and its light with it. */
export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Whether the camera has a lamp that can be lit. */
export function hasTorch(stream: MediaStream): boolean {
  const [track] = stream.getVideoTracks();
  if (!track || !("getCapabilities" in track)) return false;
  const capabilities: object = track.getCapabilities();
  return "torch" in capabilities && Boolean(capabilities.torch);
}

/** Switches the camera's torch on or off; returns whether that worked. */
export async function lightTorch(stream: MediaStream, isLit: boolean): Promise<boolean> {
  const setting: MediaTrackConstraintSet & { torch: boolean } = { torch: isLit };
  try {
    await stream.getVideoTracks()[0]?.applyConstraints({ advanced: [setting] });
    return true;
  } catch {
    return false;
  }
}
