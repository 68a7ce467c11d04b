import { Link } from "@tanstack/react-router";
import { usePageTitle } from "../../lib/page-title.ts";
import { buttonClass } from "../../ui/button-class.ts";
import { onboardingCopy } from "./onboarding.copy.ts";
import { OnboardingLayout } from "./onboarding-layout.tsx";

const copy = onboardingCopy.existing;

type ExistingPageProps = { organization: { name: string; slug: string }; isOwner: boolean };

/** `/onboarding/existing`: a user with an organisation cannot create another. */
export function ExistingPage({ organization, isOwner }: ExistingPageProps) {
  usePageTitle(copy.title);
  return (
    <OnboardingLayout title={copy.title} text={isOwner ? copy.owner : copy.member}>
      <div className="ticket">
        <div className="ticket-body p-6">
          <p className="font-display text-2xl font-bold text-balance">{organization.name}</p>
          <p className="mt-1 break-all text-muted">/org/{organization.slug}</p>
        </div>
        <div className="ticket-stub grid gap-3 p-6 sm:flex">
          <Link to="/dashboard" className={`sm:flex-1 ${buttonClass({ size: "lg" })}`}>
            {copy.dashboard}
          </Link>
          <Link to="/settings" className={buttonClass({ variant: "secondary", size: "lg" })}>
            {copy.settings}
          </Link>
        </div>
      </div>
    </OnboardingLayout>
  );
}
