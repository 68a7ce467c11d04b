import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { errorCopy } from "#domain/errors.copy.ts";
import type { PublicCampaign } from "#domain/public-page.ts";
import { keepCopy } from "./keep/keep.copy.ts";
import { KeptPage } from "./keep/kept-page.tsx";
import { NotFoundPage } from "./not-found-page.tsx";
import { organizationCopy } from "./organization.copy.ts";
import { OrganizationPage } from "./organization-page.tsx";
import type { PaintedPage } from "./page-data.ts";
import { PageShell } from "./page-shell.tsx";
import { formCopy } from "./review-flow/form-step.copy.ts";
import { ReviewPage } from "./review-flow/review-page.tsx";
import { rulesCopy } from "./rules/rules.copy.ts";
import { RulesView } from "./rules/rules-view.tsx";
import { NameStep } from "./wheel/name-step.tsx";
import { PlayPage } from "./wheel/play-page.tsx";
import { wheelCopy } from "./wheel/wheel.copy.ts";
import { WheelStep } from "./wheel/wheel-step.tsx";

type Painted = {
  title: string;
  /** What search engines and shared links say of it, where it is for people who do not know it yet. */
  description?: string;
  campaign: PublicCampaign | null;
  isSigned: boolean;
  view: ReactNode;
};

function paint(page: PaintedPage): Painted {
  switch (page.kind) {
    case "review": {
      const { campaign } = page;
      return {
        title: formCopy.pageTitle(campaign.store.name),
        description: formCopy.pageDescription(campaign.store.name),
        campaign,
        isSigned: !campaign.white_label,
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
      const { organization } = page;
      const isSigned = !organization.white_label;
      return {
        title: organizationCopy.pageTitle(organization.name, isSigned),
        campaign: null,
        isSigned,
        view: <OrganizationPage organization={organization} />,
      };
    }
    case "kept":
      return {
        title: keepCopy.pageTitle(page.store),
        campaign: null,
        isSigned: !page.white_label,
        view: <KeptPage campaignId={page.campaign_id} slug={page.slug} store={page.store} />,
      };
    case "rules":
      return {
        title: rulesCopy.pageTitle(page.page.content.store.name),
        campaign: null,
        isSigned: !page.page.white_label,
        view: <RulesView page={page.page} operator={page.operator} />,
      };
    case "not-found":
      return {
        title: errorCopy.campaign_not_found,
        campaign: null,
        isSigned: true,
        view: <NotFoundPage />,
      };
  }
}

/** Paints the first step of a phone page; title and description are plain text, to be escaped. */
export function renderPage(page: PaintedPage): {
  title: string;
  description: string | null;
  html: string;
} {
  const { title, description = null, campaign, isSigned, view } = paint(page);
  return {
    title,
    description,
    html: renderToString(
      <PageShell campaign={campaign} isText={page.kind === "rules"} isSigned={isSigned}>
        {view}
      </PageShell>,
    ),
  };
}
