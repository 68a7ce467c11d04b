import { type ComponentProps, useEffect, useState } from "react";
import type { PresenceGate } from "./presence-gate.tsx";

/** The question for a proof of presence, loaded where a campaign asks it. */
export function LazyPresence(props: ComponentProps<typeof PresenceGate>) {
  const [Gate, setGate] = useState<typeof PresenceGate | null>(null);
  useEffect(() => {
    const load = () =>
      import("./presence-gate.tsx").then(
        (loaded) => setGate(() => loaded.PresenceGate),
        () => addEventListener("online", load, { once: true }),
      );
    load();
    return () => removeEventListener("online", load);
  }, []);
  return Gate && <Gate {...props} />;
}
