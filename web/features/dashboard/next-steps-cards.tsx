import { Link } from "@tanstack/react-router";
import { useId } from "react";
import type { Dashboard } from "#domain/back-office.ts";
import { useMay } from "../../lib/use-may.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { dashboardCopy } from "./dashboard.copy.ts";
import { nextSteps, type Step } from "./next-steps.ts";
import { SeenButton } from "./seen-button.tsx";

const copy = dashboardCopy.next;

/** The dashboard opens on what to do next: the most urgent large, the others below it. */
export function NextStepsCards({ dashboard }: { dashboard: Dashboard }) {
  const { mayOpen } = useMay();
  const [first, ...others] = nextSteps(dashboard, new Date(), mayOpen);
  if (!first) return null;
  return (
    <div className="grid gap-3 sm:gap-4">
      <FirstStep step={first} />
      {others.length > 0 && (
        <ul
          aria-label={copy.others}
          className="grid gap-3 sm:gap-4 md:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]"
        >
          {others.map(({ title, text, link, seenUntil }) => (
            <li key={title} className="flex flex-col rounded-card bg-surface p-5 shadow-card">
              <h3 className="font-display text-lg font-bold wrap-anywhere">{title}</h3>
              <p className="mt-1 text-pretty text-muted">{text}</p>
              <div className="mt-auto -mb-2 -ml-4 flex flex-wrap">
                {link && (
                  <Link {...link.options} className={buttonClass({ variant: "quiet" })}>
                    {link.action}
                  </Link>
                )}
                {seenUntil && <SeenButton until={seenUntil} />}
              </div>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function FirstStep({ step: { title, text, link, seenUntil } }: { step: Step }) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className="relative overflow-hidden rounded-card bg-violet-soft p-6 sm:p-8"
    >
      <WheelMark className="pointer-events-none absolute -right-14 -bottom-20 hidden w-60 rotate-12 sm:block lg:right-6" />
      <div className="relative max-w-lg sm:pr-24 lg:pr-0">
        <p className="font-semibold text-muted">{copy.label}</p>
        <h2 id={titleId} className="mt-1 text-2xl wrap-anywhere">
          {title}
        </h2>
        <p className="mt-2 text-lg text-pretty">{text}</p>
        <div className="mt-5 flex flex-wrap gap-3 max-[480px]:*:w-full">
          {link && (
            <Link {...link.options} className={buttonClass()}>
              {link.action}
            </Link>
          )}
          {seenUntil && <SeenButton until={seenUntil} />}
        </div>
      </div>
    </section>
  );
}
