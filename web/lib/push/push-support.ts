import type { PublicConfig } from "../config.ts";

/**
 * What this browser can do: show messages, show them once Tournavis stands on the home screen (iPhone and iPad), show them once
 * its owner allows it again, or nothing of it. Null where the platform sends none.
 */
export type PushSupport = "ready" | "to_install" | "blocked" | "none";

/** What this browser can do of push messages. */
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
