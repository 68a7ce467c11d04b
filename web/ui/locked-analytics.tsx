import { LockedFeature } from "./locked-feature.tsx";
import { uiCopy } from "./ui.copy.ts";

/** In place of pictures that the plan does not include: what they would show, and where to get them. */
export function LockedAnalytics({ text }: { text: string }) {
  return <LockedFeature title={uiCopy.lockedTitle} text={text} />;
}
