import type { PublicConfig } from "../config.ts";

/**
 * Push support of this browser: ready, only once Tournavis is on the home screen (iPhone and
 * iPad), only once its owner allows it again, or none. Null where the platform sends no messages.
 */
export type PushSupport = "ready" | "to_install" | "blocked" | "none";

/** Push support of this browser. */
export function pushSupport({ push_key }: Pick<PublicConfig, "push_key">): PushSupport | null {
  if (push_key === null) return null;
  const can = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
  if (can) return Notification.permission === "denied" ? "blocked" : "ready";
  // An iPad says that it is a Mac, which has no fingers to count.
  const isApple =
    /iPhone|iPad/.test(navigator.userAgent) ||
    (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
  return isApple ? "to_install" : "none";
}
