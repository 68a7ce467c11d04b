import type { PublicOrganization } from "#domain/schemas/public-page.ts";
import { dayInWords } from "./dates.ts";
import { organizationCopy as copy } from "./organization.copy.ts";
import { Icon } from "./parts/icon.tsx";
import { PageFrame } from "./parts/page-frame.tsx";
import { StepTitle } from "./parts/step-title.tsx";

/**
 * The open campaigns of an organisation, each a way to its review page. The server, which writes it, does not know where its
 * reader is: days are those of the stores.
 */
export function OrganizationPage({ organization }: { organization: PublicOrganization }) {
  const { name, campaigns } = organization;
  const isEmpty = campaigns.length === 0;
  return (
    <PageFrame campaign={null}>
      <section className="flex grow flex-col gap-4 pt-2">
        <p className="text-lg font-bold">{name}</p>
        <StepTitle takesFocus={false}>{isEmpty ? copy.none : copy.title}</StepTitle>
        {!isEmpty && <p>{copy.intro}</p>}
        <ul className="grid gap-3">
          {campaigns.map(({ slug, name: campaign, store_name, timezone, ends_at }) => (
            <li key={slug}>
              <a
                href={`/c/${slug}/review`}
                className="flex min-h-18 items-center gap-3 rounded-card bg-surface p-4 shadow-card ring-1 ring-line transition duration-150 hover:ring-violet active:bg-violet-soft"
              >
                <span className="min-w-0 grow">
                  <span className="block font-bold">{store_name}</span>
                  <span className="block text-base text-muted">{campaign}</span>
                  {ends_at !== null && (
                    <span className="block text-base text-muted">
                      {copy.until(dayInWords(new Date(ends_at), new Date(), timezone))}
                    </span>
                  )}
                </span>
                <Icon name="chevron" className="size-6 text-violet" />
              </a>
            </li>
          ))}
        </ul>
      </section>
    </PageFrame>
  );
}
