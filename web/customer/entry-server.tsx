import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { errorCopy } from "#domain/errors/errors.copy.ts";
import { brandStyle } from "#domain/rules/brand-colors.ts";
import type { Brand } from "#domain/schemas/brand.ts";
import { publicOrganization } from "#domain/schemas/public-organization.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { keepCopy } from "./keep/keep.copy.ts";
import { KeptPage } from "./keep/kept-page.tsx";
import { organizationCopy } from "./organization/organization.copy.ts";
import { OrganizationPage } from "./organization/organization-page.tsx";
import type { RenderedPage } from "./page-data.ts";
import { formCopy } from "./review-flow/form-step.copy.ts";
import { ReviewPage } from "./review-flow/review-page.tsx";
import { rulesCopy } from "./rules/rules.copy.ts";
import { RulesView } from "./rules/rules-view.tsx";
import { PageShell } from "./shell/page-shell.tsx";
import { noPageCopy } from "./unavailable/no-page.copy.ts";
import { NoPage } from "./unavailable/no-page.tsx";
import { NotFoundPage, readClosed } from "./unavailable/not-found-page.tsx";
import { NameStep } from "./wheel/name-step.tsx";
import { PlayPage } from "./wheel/play-page.tsx";
import { wheelCopy } from "./wheel/wheel.copy.ts";
import { WheelStep } from "./wheel/wheel-step.tsx";

type Rendered = {
  title: string;
  /**
   * Description for search engines and shared links, on pages for people who do not know it yet.
   */
  description?: string;
  campaign: PublicCampaign | null;
  isSigned: boolean;
  brand: { of: string; shown: Brand | null };
  view: ReactNode;
};

function viewOf(page: RenderedPage): Rendered {
  switch (page.kind) {
    case "review": {
      const { campaign } = page;
      return {
        title: formCopy.pageTitle(campaign.store.name),
        description: formCopy.pageDescription(campaign.store.name),
        campaign,
        isSigned: !campaign.white_label,
        brand: { of: campaign.organization.name, shown: campaign.brand },
        view: <ReviewPage slug={campaign.slug} campaign={campaign} />,
      };
    }
    case "play": {
      const { campaign, mode } = page;
      return {
        title: wheelCopy.pageTitle(campaign.store.name),
        description: wheelCopy.pageDescription(campaign.store.name),
        campaign,
        isSigned: !campaign.white_label,
        brand: { of: campaign.organization.name, shown: campaign.brand },
        view: (
          <PlayPage
            slug={campaign.slug}
            mode={mode}
            campaign={campaign}
            first={{ NameStep, WheelStep }}
          />
        ),
      };
    }
    case "organization": {
      const organization = publicOrganization.parse(page.organization);
      const isSigned = !organization.white_label;
      return {
        title: organizationCopy.pageTitle(organization.name, isSigned),
        campaign: null,
        isSigned,
        brand: { of: organization.name, shown: organization.brand },
        view: <OrganizationPage organization={organization} />,
      };
    }
    case "kept":
      return {
        title: keepCopy.pageTitle(page.store.name),
        campaign: null,
        isSigned: !page.white_label,
        brand: { of: page.store.name, shown: page.brand },
        view: (
          <KeptPage
            campaignId={page.campaign_id}
            slug={page.slug}
            store={page.store}
            pictures={page.pictures}
            words={page.words}
          />
        ),
      };
    case "rules":
      return {
        title: rulesCopy.pageTitle(page.page.content.store.name),
        campaign: null,
        isSigned: !page.page.white_label,
        brand: { of: page.page.content.organizer, shown: page.page.brand },
        view: <RulesView page={page.page} operator={page.operator} />,
      };
    case "no-page":
      return {
        title: noPageCopy.title,
        campaign: null,
        isSigned: true,
        brand: { of: "", shown: null },
        view: <NoPage />,
      };
    case "not-found": {
      const closed = readClosed(page.closed);
      return {
        title: closed ? wheelCopy.pageTitle(closed.store.name) : errorCopy.campaign_not_found,
        campaign: null,
        isSigned: !closed?.white_label,
        brand: { of: closed?.organization.name ?? "", shown: closed?.brand ?? null },
        view: <NotFoundPage data={closed} />,
      };
    }
  }
}

/** A page as the server puts it into the document; title and description are plain text, to be escaped. */
type PaintedDocument = {
  title: string;
  description: string | null;
  html: string;
  /** Style sheet of a merchant's colour; null without one. */
  style: string | null;
};

/** Renders the first step of a phone page. */
export function renderPage(page: RenderedPage): PaintedDocument {
  const { title, description = null, campaign, isSigned, brand, view } = viewOf(page);
  const color = brand.shown?.color ?? null;
  return {
    title,
    description,
    style: color && brandStyle(color),
    html: renderToString(
      <PageShell
        campaign={campaign}
        isText={page.kind === "rules"}
        isSigned={isSigned}
        brand={brand}
      >
        {view}
      </PageShell>,
    ),
  };
}
