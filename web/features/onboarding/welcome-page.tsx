import { Link } from "@tanstack/react-router";
import { ChartPie, type LucideIcon, MessageSquareHeart, Users } from "lucide-react";
import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/page-title.ts";
import { useDisplayName } from "../../lib/use-display-name.ts";
import type { WantedPlan } from "../../lib/wanted-plan.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { draftOf } from "./draft.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { organizationDraft } from "./onboarding.schema.ts";
import { OnboardingLayout, StepWheel, WantedNotice } from "./onboarding-layout.tsx";

const copy = onboardingCopy.welcome;

const ICONS: Record<Exclude<keyof typeof copy.features, "wheel">, LucideIcon> = {
  reviews: MessageSquareHeart,
  customers: Users,
  analytics: ChartPie,
};

const FEATURES = ["reviews", "wheel", "customers", "analytics"] as const;

type WelcomePageProps = {
  userId: string;
  /** The plan that this person came for. */
  wanted: WantedPlan;
  /** A team that waits for this person, which belongs to another feature. */
  invitation: ReactNode;
};

/** `/onboarding`: what is to come, and how little it takes. */
export function WelcomePage({ userId, wanted, invitation }: WelcomePageProps) {
  usePageTitle(copy.title);
  const name = useDisplayName();
  const isBegun = Boolean(draftOf(userId, "organization", organizationDraft).read()?.name);
  return (
    <OnboardingLayout
      isWide
      title={copy.title}
      text={
        <>
          <p className="font-semibold text-ink">{copy.greeting(name)}</p>
          <p>{copy.text}</p>
        </>
      }
    >
      {invitation}
      {wanted.plan && <WantedNotice plan={wanted.plan} />}
      <div className="grid items-start gap-8 lg:grid-cols-[1.4fr_1fr]">
        <section aria-labelledby="features" className="grid gap-4">
          <h2 id="features" className="text-xl">
            {copy.featuresTitle}
          </h2>
          <ul className="grid gap-4 sm:grid-cols-2">
            {FEATURES.map((feature) => {
              const Icon = feature === "wheel" ? null : ICONS[feature];
              return (
                <li
                  key={feature}
                  className="grid content-start gap-2 rounded-card bg-surface p-6 shadow-card"
                >
                  {Icon ? (
                    <Icon aria-hidden="true" className="size-8 text-violet" />
                  ) : (
                    <WheelMark className="h-8 self-start justify-self-start" />
                  )}
                  <h3 className="mt-1 font-display text-lg font-bold">
                    {copy.features[feature].title}
                  </h3>
                  <p className="text-muted">{copy.features[feature].text}</p>
                </li>
              );
            })}
          </ul>
        </section>
        <section aria-labelledby="steps" className="ticket">
          <div className="ticket-body p-6">
            <h2 id="steps" className="text-xl">
              {copy.stepsTitle}
            </h2>
            <ol className="mt-4 grid gap-3">
              {copy.steps.map((step, index) => (
                <li key={step} className="flex items-center gap-3.5">
                  <StepWheel done={index + 1} className="size-8 shrink-0" />
                  <span className="font-medium">{step}</span>
                </li>
              ))}
            </ol>
          </div>
          <div className="ticket-stub grid gap-5 p-6">
            <div>
              <p className="text-lg font-semibold text-pretty">{copy.trial}</p>
              <p className="mt-1 text-muted">{copy.trialText}</p>
            </div>
            <Link
              to="/onboarding/organization"
              search={wanted}
              className={buttonClass({ size: "lg" })}
            >
              {isBegun ? copy.resume : copy.start}
            </Link>
          </div>
        </section>
      </div>
    </OnboardingLayout>
  );
}
