import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApp } from "../../lib/app-context.ts";
import type { Heard } from "../../lib/live/live-channel.ts";
import { useLive } from "../../lib/live/use-live.ts";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { watchFocus } from "../../ui/kept-focus.ts";

/** Queries that show each kind of change, by their first words. */
const SHOWN = {
  activity: [["dashboard"], ["campaigns", "list"], ["campaigns", "stats"], ["reviews", "list"]],
  codes: [["dashboard"], ["rewards", "list"], ["rewards", "codes"], ["rewards", "stats"]],
} as const;

/** Asks anew for what the open screen shows, at the moment it changes; draws nothing. */
export function LiveUpdates() {
  const queryClient = useQueryClient();
  const orgId = useWorkspace()?.organization?.id ?? null;
  const { may } = useMay();
  useKeptPush(may("activity.read") ? orgId : null);
  // Not about changes: like them, it waits until the first screen is rendered.
  useEffect(watchFocus, []);
  const renew =
    (kind: keyof typeof SHOWN) =>
    ({ kinds, isGap }: Heard) => {
      // To be erased, suspended, of another plan, or no longer: what is offered and what is refused changes everywhere.
      if (kinds.has("organization")) void queryClient.invalidateQueries();
      // It counts the reviews that wait to be read.
      if (kinds.has("review") || (isGap && kind === "activity"))
        void queryClient.invalidateQueries({ queryKey: ["workspace"] });
      for (const queryKey of SHOWN[kind]) void queryClient.invalidateQueries({ queryKey });
    };
  useLive(may("activity.read") ? orgId : null, "activity", renew("activity"));
  useLive(may("codes.read") ? orgId : null, "codes", renew("codes"));
  return null;
}

/** Keeps a browser told whose owner has said yes: hardly any is, and only these load what does it. */
function useKeptPush(orgId: string | null): void {
  const app = useApp();
  useEffect(() => {
    if (orgId === null || !("Notification" in window) || Notification.permission !== "granted")
      return;
    import("../../lib/push/push-device.ts")
      .then(({ keepOn }) => keepOn(app, orgId))
      .catch(() => {});
  }, [app, orgId]);
}
