import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { usePageTitle } from "../../lib/page-title.ts";
import { useMay } from "../../lib/use-may.ts";
import { ButtonRow } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { OnboardingLayout, StepWheel } from "./onboarding-layout.tsx";

const copy = onboardingCopy.campaign;

/** `/onboarding/campaign`: step 3, the store exists; on to the wheel, or to the dashboard. */
export function ReadyPage({ storeName }: { storeName: string }) {
  usePageTitle(copy.title);
  const { mayOpen } = useMay();
  const mayGoOn = mayOpen("/campaigns/new") && mayOpen("/rewards/new");
  return (
    <OnboardingLayout title={copy.title} text={copy.text(storeName)} step={3}>
      <section aria-labelledby="todo" className="rounded-card bg-surface p-6 shadow-card">
        <h2 id="todo" className="text-xl">
          {copy.todoTitle}
        </h2>
        <ol className="mt-4 grid gap-4">
          {copy.todo.map((task, index) => (
            <li key={task} className="flex items-start gap-3.5">
              <StepWheel done={index + 3} className="size-8 shrink-0" />
              <span className="pt-1">{task}</span>
            </li>
          ))}
        </ol>
        {mayGoOn && (
          <div className="mt-6 grid gap-3 border-t border-line pt-5">
            <p className="text-pretty text-muted">{copy.nextText}</p>
            <Link to="/onboarding/wheel" className={buttonClass({ size: "lg" })}>
              {copy.next}
              <ArrowRight aria-hidden="true" className="size-5" />
            </Link>
          </div>
        )}
      </section>
      <ButtonRow isStacked>
        <Link to="/onboarding/store" className={buttonClass({ variant: "quiet", size: "lg" })}>
          {copy.back}
        </Link>
        <Link
          to="/dashboard"
          className={`sm:flex-1 ${buttonClass({ variant: mayGoOn ? "secondary" : "primary", size: "lg" })}`}
        >
          {copy.dashboard}
        </Link>
      </ButtonRow>
    </OnboardingLayout>
  );
}
