import type { PublicOrganization } from "#domain/schemas/public-organization.ts";
import { PageFrame } from "../parts/page-frame.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { organizationCopy as copy } from "./organization.copy.ts";
import { WheelLinks } from "./wheel-links.tsx";

/** The open campaigns of an organisation, each a way to its review page. */
export function OrganizationPage({ organization }: { organization: PublicOrganization }) {
  const { name, campaigns } = organization;
  const isEmpty = campaigns.length === 0;
  return (
    <PageFrame campaign={null}>
      <section className="flex grow flex-col gap-4 pt-2">
        <p className="text-lg font-bold">{name}</p>
        <StepTitle takesFocus={false}>{isEmpty ? copy.none : copy.title}</StepTitle>
        {!isEmpty && <p>{copy.intro}</p>}
        <WheelLinks wheels={campaigns} />
      </section>
    </PageFrame>
  );
}
