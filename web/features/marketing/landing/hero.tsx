import type { ReactNode } from "react";
import { buttonClass } from "../../../ui/button-class.ts";
import { landingCopy } from "./landing.copy.ts";
import { TrialWheel } from "./trial-wheel.tsx";

const copy = landingCopy.hero;

/** A segment of the wheel, in the colours that follow each other on it. */
const SEGMENT = "M-2.9-7.5-12.5-24A27 27 0 0 1 12.5-24L2.9-7.5A8 8 0 0 0-2.9-7.5Z";
const HUES = ["fill-violet", "fill-sun", "fill-mint"] as const;

/** First screen: one sentence, two ways on, and the wheel; below, what a merchant gains, in three lines. */
export function Hero({ demoHref, wheel }: { demoHref: string; wheel: ReactNode }) {
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-8 pb-14 sm:px-8 sm:pt-12 lg:pt-14 lg:pb-20">
      <div className="grid items-center gap-x-12 gap-y-10 lg:grid-cols-[1.1fr_1fr]">
        <div>
          <h1 className="text-3xl text-balance sm:text-4xl lg:text-hero">{copy.title}</h1>
          <p className="mt-5 max-w-md text-lg text-pretty text-muted">{copy.text}</p>
          <div className="mt-7 grid gap-3 sm:flex">
            <a href="/pricing" className={buttonClass({ size: "lg" })}>
              {copy.pricing}
            </a>
            <a href={demoHref} className={buttonClass({ variant: "secondary", size: "lg" })}>
              {copy.demo}
            </a>
          </div>
          <p className="mt-4 text-muted">{copy.trial}</p>
        </div>
        <TrialWheel>{wheel}</TrialWheel>
      </div>
      <ul className="mt-12 grid gap-7 md:grid-cols-3 md:gap-10 lg:mt-14">
        {landingCopy.gains.map(({ title, text }, index) => (
          <li key={title} className="flex gap-4">
            <svg viewBox="-16 -30 32 32" aria-hidden="true" className="mt-0.5 size-9 shrink-0">
              <path d={SEGMENT} className={HUES[index]} />
            </svg>
            <div>
              <h2 className="font-sans text-lg font-bold">{title}</h2>
              <p className="mt-1 text-pretty text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
