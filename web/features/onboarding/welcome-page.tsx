import { Link } from "@tanstack/react-router";
import { ChartPie, type LucideIcon, MessageSquareHeart, Users } from "lucide-react";
import type { ReactNode } from "react";
import { usePageTitle } from "../../lib/page-title.ts";
import { useDisplayName } from "../../lib/use-display-name.ts";
import type { WantedPlan } from "../../lib/wanted-plan.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { WheelMark } from "../../ui/wheel-mark.tsx";
import { draftOf } from "./draft.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { organizationDraft } from "./onboarding.schema.ts";
import { OnboardingLayout, StepWheel, WantedNotice } from "./onboarding-layout.tsx";

const { welcome: copy, ended } = onboardingCopy;

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
  const { ended_access: endedAccess, has_erased_organization: isErased } = useWorkspace() ?? {};
  const title = endedAccess ? ended.title(endedAccess) : copy.title;
  usePageTitle(title);
  const name = useDisplayName();
  const isBegun = Boolean(draftOf(userId, "organization", organizationDraft).read()?.name);
  return (
    <OnboardingLayout
      isWide
      title={title}
      text={
        <>
          <p className="font-semibold text-ink">{copy.greeting(name)}</p>
          {endedAccess ? (
            <>
              <p>{ended.text}</p>
              <p>{ended.own}</p>
            </>
          ) : (
            <>
              {isErased && <p>{ended.erased}</p>}
              <p>{copy.text}</p>
            </>
          )}
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
          <ul className="grid gap-3 sm:grid-cols-2 sm:gap-4">
            {FEATURES.map((feature) => {
              const Icon = feature === "wheel" ? null : ICONS[feature];
              return (
                <li
                  key={feature}
                  className="grid content-start rounded-card bg-surface p-4 shadow-card max-sm:grid-cols-[auto_1fr] max-sm:gap-x-4 sm:gap-2 sm:p-6"
                >
                  {Icon ? (
                    <Icon
                      aria-hidden="true"
                      className="row-span-2 size-8 text-violet sm:row-span-1"
                    />
                  ) : (
                    <WheelMark className="row-span-2 h-8 self-start max-sm:w-8 sm:row-span-1 sm:justify-self-start" />
                  )}
                  <h3 className="font-display text-lg font-bold sm:mt-1">
                    {copy.features[feature].title}
                  </h3>
                  <p className="text-muted">{copy.features[feature].text}</p>
                </li>
              );
            })}
          </ul>
        </section>
        {/* On a phone the main button is on the first screen. */}
        <section aria-labelledby="steps" className="ticket max-lg:order-first">
          <div className="ticket-body p-5 sm:p-6">
            <h2 id="steps" className="text-xl">
              {copy.stepsTitle}
            </h2>
            <ol className="mt-3 grid gap-1.5 sm:mt-4 sm:gap-3">
              {copy.steps.map((step, index) => (
                <li key={step} className="flex items-center gap-3.5">
                  <StepWheel done={index + 1} className="size-8 shrink-0" />
                  <span className="font-medium">{step}</span>
                </li>
              ))}
            </ol>
          </div>
          <div className="ticket-stub grid gap-4 p-5 sm:gap-5 sm:p-6">
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
