import { useEffect, useEffectEvent } from "react";
import { useApp } from "../app-context.ts";
import type { Heard, LiveKind } from "./live-channel.ts";

/** Calls back when something changes in an organisation, at most every two seconds; null listens to nothing. */
export function useLive(
  orgId: string | null,
  kind: LiveKind,
  onChange: (heard: Heard) => void,
): void {
  const app = useApp();
  const changed = useEffectEvent(onChange);
  useEffect(() => {
    if (orgId === null) return;
    let leave: (() => void) | null = null;
    let isOver = false;
    // Loaded once the screen is rendered, which does not need it.
    import("./live-channel.ts")
      .then(({ listen }) => {
        if (!isOver) leave = listen(app, { orgId, kind }, (heard) => changed(heard));
      })
      .catch(() => {});
    return () => {
      isOver = true;
      leave?.();
    };
  }, [app, orgId, kind]);
}
