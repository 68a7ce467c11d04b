import type { Settings } from "#domain/schemas/settings.ts";
import { TitledCard } from "../../ui/titled-card.tsx";
import { Fact } from "./fact.tsx";
import { PublicPageLink } from "./public-page-link.tsx";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.organization;

/** Name and public address of the organisation, for whoever may only read them. */
export function OrganizationFacts({ name, slug }: Settings["organization"]) {
  return (
    <TitledCard title={copy.title} text={copy.readOnly} action={<PublicPageLink slug={slug} />}>
      <dl className="grid gap-4 sm:grid-cols-2">
        <Fact label={copy.name}>{name}</Fact>
        <Fact label={copy.slug}>
          {copy.slugPrefix}
          {slug}
        </Fact>
      </dl>
    </TitledCard>
  );
}
