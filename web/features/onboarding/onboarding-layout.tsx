import { Link } from "@tanstack/react-router";
import { LogOut, Settings } from "lucide-react";
import type { ReactNode } from "react";
import type { PaidPlan } from "#domain/rules/plan-names.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Notice } from "../../ui/notice.tsx";
import { takeFocus } from "../../ui/states/message-screen.tsx";
import { Wordmark } from "../../ui/wordmark.tsx";
import { onboardingCopy } from "./onboarding.copy.ts";

/** Steps of the onboarding (specification, section 9). */
const STEPS = 5;

type OnboardingLayoutProps = {
  title: string;
  text?: ReactNode;
  /** Which step this is, from 1; none on the pages before and beside them. */
  step?: number;
  /** More than one column of reading. */
  isWide?: boolean;
  children: ReactNode;
};

/** The frame of the first steps: where one is on the way, one thing to do, and the way out. */
export function OnboardingLayout({
  title,
  text,
  step,
  isWide = false,
  children,
}: OnboardingLayoutProps) {
  const signOut = useSignOut();
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex w-full max-w-5xl items-center justify-between gap-1 px-5 py-3 sm:px-8 sm:py-5">
        <Link
          to="/"
          preload={false}
          aria-label={onboardingCopy.home}
          className="-ml-1 flex min-h-11 items-center rounded-field px-1"
        >
          <Wordmark className="h-6 w-auto min-[380px]:h-7" />
        </Link>
        <div className="-mr-4 flex items-center">
          {/* Way for somebody without an organisation, who has no settings to find it in. */}
          <Link to="/settings/account" className={buttonClass({ variant: "quiet" })}>
            <Settings aria-hidden="true" className="size-5" />
            <span className="sr-only sm:not-sr-only">{onboardingCopy.account}</span>
          </Link>
          <Button variant="quiet" busy={signOut.isPending} onClick={() => signOut.mutate()}>
            <LogOut aria-hidden="true" className="size-5" />
            <span className="sr-only sm:not-sr-only">{onboardingCopy.signOut}</span>
          </Button>
        </div>
      </header>
      <main
        className={`mx-auto grid w-full flex-1 content-start gap-8 px-5 pt-6 pb-16 sm:px-8 sm:pt-10 ${isWide ? "max-w-5xl" : "max-w-xl"}`}
      >
        {signOut.isError && <Alert>{errorMessage(signOut.error)}</Alert>}
        <div className="grid gap-5">
          {step && (
            <div
              role="progressbar"
              aria-label={onboardingCopy.progress}
              aria-valuemin={0}
              aria-valuemax={100}
              aria-valuenow={(100 * step) / STEPS}
              aria-valuetext={`${onboardingCopy.step(step)}, ${onboardingCopy.percent((100 * step) / STEPS)}`}
              className="flex items-center gap-3.5"
            >
              <StepWheel done={step} className="size-12" />
              <p className="grid leading-tight font-semibold">
                <span>{onboardingCopy.step(step)}</span>
                <span className="text-muted tabular-nums">
                  {onboardingCopy.percent((100 * step) / STEPS)}
                </span>
              </p>
            </div>
          )}
          <div className="grid gap-2">
            {/* The focus comes here in a step: what was pressed in the one before is gone. */}
            <h1
              ref={step ? takeFocus : null}
              tabIndex={-1}
              className="text-2xl outline-none min-[380px]:text-3xl"
            >
              {title}
            </h1>
            {text && <div className="max-w-xl text-lg text-pretty text-muted">{text}</div>}
          </div>
        </div>
        {children}
      </main>
    </div>
  );
}

/** One fifth of a ring, pointing up, with half a gap on each side. */
const SEGMENT = "M-4.4-9.4-12.1-20.6A24 24 0 0 1 12.1-20.6L4.4-9.4A10.4 10.4 0 0 0-4.4-9.4Z";

/** The hue of each step, in the order of the wheel. */
const HUES = ["fill-violet", "fill-sun", "fill-mint", "fill-sky", "fill-rose"] as const;

/** The five steps as a wheel that fills, segment after segment. Decoration: the words are beside it. */
export function StepWheel({ done, className }: { done: number; className?: string }) {
  return (
    <svg viewBox="-25 -25 50 50" aria-hidden="true" className={className}>
      {HUES.map((hue, index) => (
        <path
          key={hue}
          d={SEGMENT}
          transform={`rotate(${index * 72 + 36})`}
          className={index < done ? hue : "fill-line"}
        />
      ))}
    </svg>
  );
}

/** The plan that the user came for is not forgotten on the way to their organisation. */
export function WantedNotice({ plan }: { plan: PaidPlan }) {
  return <Notice>{onboardingCopy.wanted[plan]}</Notice>;
}
