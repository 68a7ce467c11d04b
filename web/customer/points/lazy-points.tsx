import { type ComponentProps, useEffect, useState } from "react";
import type { PointsPanel } from "./points-panel.tsx";

/** The customer's points, loaded where some were won. */
export function LazyPoints(props: ComponentProps<typeof PointsPanel>) {
  const [Panel, setPanel] = useState<typeof PointsPanel | null>(null);
  useEffect(() => {
    const load = () =>
      import("./points-panel.tsx").then(
        (loaded) => setPanel(() => loaded.PointsPanel),
        // The points are the server's: they show once the network is back.
        () => addEventListener("online", load, { once: true }),
      );
    load();
    return () => removeEventListener("online", load);
  }, []);
  return Panel && <Panel {...props} />;
}
