import { lockedAnalyticsCopy } from "./locked-analytics.copy.ts";
import { LockedFeature } from "./locked-feature.tsx";

/** In place of pictures that the plan does not include: what they would show, and where to get them. */
export function LockedAnalytics({ text }: { text: string }) {
  return <LockedFeature title={lockedAnalyticsCopy.title} text={text} />;
}
