import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import type { ReactNode } from "react";
import { useMay } from "../../lib/use-may.ts";
import { buttonClass } from "../button-class.ts";
import { uiCopy } from "../ui.copy.ts";

type LockedFeatureProps = { title: string; text: string; children?: ReactNode };

/** In place of what the plan does not include: what it would bring, and where to get it. */
export function LockedFeature({ title, text, children }: LockedFeatureProps) {
  return (
    <section className="grid justify-items-start gap-3 rounded-card border-[1.5px] border-dashed border-field p-5 sm:p-6">
      <h2 className="flex items-center gap-2.5 text-xl">
        <Lock aria-hidden="true" className="size-5 shrink-0 text-violet" />
        {title}
      </h2>
      <p className="max-w-[70ch] text-pretty text-muted">{text}</p>
      {children}
      <PlansLink />
    </section>
  );
}

/** Note below a feature that the plan does not include: link to the plans, for members who may choose one. */
function PlansLink() {
  if (!useMay().mayOpen("/pricing")) return null;
  return (
    <Link to="/pricing" className={buttonClass({ variant: "secondary" })}>
      {uiCopy.seePlans}
    </Link>
  );
}
