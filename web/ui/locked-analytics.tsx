import { Lock } from "lucide-react";
import { PlansLink } from "./plans-link.tsx";
import { uiCopy } from "./ui.copy.ts";

/** In place of pictures that the plan does not include: what they would show, and where to get them. */
export function LockedAnalytics({ text }: { text: string }) {
  return (
    <section className="grid justify-items-start gap-3 rounded-card border-[1.5px] border-dashed border-field p-5 sm:p-6">
      <h2 className="flex items-center gap-2.5 text-xl">
        <Lock aria-hidden="true" className="size-5 shrink-0 text-violet" />
        {uiCopy.lockedTitle}
      </h2>
      <p className="max-w-[70ch] text-pretty text-muted">{text}</p>
      <PlansLink />
    </section>
  );
}
