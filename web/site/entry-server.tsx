import type { ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import type { ShownClaims } from "#domain/schemas/operator.ts";
import type { PublicSegment } from "#domain/schemas/public-page.ts";
import { authCopy } from "../features/auth/auth.copy.ts";
import type { Mode } from "../features/auth/auth.schema.ts";
import { guardCopy } from "../features/auth/guard/guard.copy.ts";
import { pricingCopy } from "../features/billing/prices/pricing.copy.ts";
import { PricingPage } from "../features/billing/prices/pricing-page.tsx";
import { clearCopy } from "../features/marketing/clear/clear.copy.ts";
import { ClearPage } from "../features/marketing/clear/clear-page.tsx";
import { ClaimsSection } from "../features/marketing/landing/claims-section.tsx";
import { exampleSegments } from "../features/marketing/landing/example-segments.copy.ts";
import { landingCopy } from "../features/marketing/landing/landing.copy.ts";
import { LandingPage } from "../features/marketing/landing/landing-page.tsx";
import { proofCopy } from "../features/marketing/landing/proof.copy.ts";
import { ProvableSection } from "../features/marketing/landing/provable-section.tsx";
import { TrialPicture } from "../features/marketing/landing/trial-wheel.tsx";
import { cookiesText } from "../features/marketing/legal/cookies.copy.ts";
import { type LegalText, privacyText, termsText } from "../features/marketing/legal/legal.copy.ts";
import { LegalPage } from "../features/marketing/legal/legal-page.tsx";
import { rgpdText } from "../features/marketing/legal/rgpd.copy.ts";
import { contactCopy } from "../features/service/contact.copy.ts";
import { ContactPage } from "../features/service/contact-page.tsx";
import { statusCopy } from "../features/service/status.copy.ts";
import { StatusPage } from "../features/service/status-page.tsx";
import { siteCopy } from "../features/site/site.copy.ts";
import { titleOf } from "../lib/page-title.ts";
import { DeploymentValue, Unfilled } from "../ui/deployment-value.tsx";
import { SegmentSpinner } from "../ui/states/segment-spinner.tsx";
import { renderAuth } from "./auth-page.tsx";
import { type Assets, documentOf, headOf, type PageWords } from "./document.ts";
import { applicationOffer, organization, questions } from "./facts.ts";
import {
  CLAIMS_PLACE,
  DEMO_HREF_PLACE,
  DEMO_RULES_PLACE,
  DEMO_WHEEL_PLACE,
  operatorPlaces,
  SITE_DATA_PLACE,
} from "./placeholders.ts";

/** Which files each kind of page loads. */
export type SiteAssets = Readonly<
  Record<"landing" | "pricing" | "legal" | "contact" | "status" | "clear" | "signIn", Assets>
>;

/** A page as the server keeps it: its places are filled when it starts. */
export type SitePage = { name: string; html: string };

/** Every public page, rendered once; `server/web/fill-page.ts` fills its places with what the operator configured. */
export async function renderSite(assets: SiteAssets): Promise<SitePage[]> {
  return [
    { name: "landing", html: renderLanding(assets.landing) },
    { name: "pricing", html: renderPricing(assets.pricing) },
    { name: "terms", html: renderLegal("/legal/terms", termsText, assets.legal) },
    {
      name: "privacy",
      html: renderLegal("/legal/privacy", privacyText, assets.legal),
    },
    { name: "cookies", html: renderLegal("/legal/cookies", cookiesText, assets.legal) },
    { name: "rgpd", html: renderLegal("/legal/rgpd", rgpdText, assets.legal) },
    {
      name: "contact",
      html: renderStill(
        "/contact",
        contactCopy,
        <ContactPage operator={operatorPlaces} />,
        assets.contact,
      ),
    },
    {
      name: "status",
      html: renderStill(
        "/statut",
        statusCopy,
        <StatusPage operator={operatorPlaces} />,
        assets.status,
      ),
    },
    {
      name: "clear",
      html: renderStill(
        "/en-clair",
        clearCopy,
        <ClearPage operator={operatorPlaces} />,
        assets.clear,
      ),
    },
    { name: "signin", html: await renderSignIn("signin", assets.signIn) },
    { name: "signup", html: await renderSignIn("signup", assets.signIn) },
  ];
}

/** The picture of the landing page's wheel, with the segments of the demo. */
export function renderTrial(segments: readonly PublicSegment[]): string {
  return renderToStaticMarkup(<TrialPicture segments={segments} />);
}

/** Claims of the landing page, from the operator's own words or the specification's examples. */
export function renderClaims(claims: NonNullable<ShownClaims>): string {
  return renderToStaticMarkup(
    <ClaimsSection claims={claims === "examples" ? proofCopy.examples : claims} />,
  );
}

/** Body of a page without a script of its own, or with one that hydrates only a part. */
function still(view: ReactNode): string {
  return renderToStaticMarkup(<Unfilled value={true}>{view}</Unfilled>);
}

function renderLanding(assets: Assets): string {
  const words: PageWords = {
    path: "/",
    title: titleOf(landingCopy.title),
    description: landingCopy.description,
    facts: [organization],
    offer: applicationOffer,
  };
  const wheel = (
    <DeploymentValue
      entry="demo_wheel"
      value={DEMO_WHEEL_PLACE}
      otherwise={<TrialPicture segments={exampleSegments} />}
    >
      {(place) => place}
    </DeploymentValue>
  );
  const proof = (
    <DeploymentValue
      entry="claims"
      value={CLAIMS_PLACE}
      otherwise={<ProvableSection demoRules={DEMO_RULES_PLACE} />}
    >
      {(place) => place}
    </DeploymentValue>
  );
  const view = (
    <>
      {/* In front of the page for as long as a member is being led on. */}
      <div className="for-members fixed inset-0 z-30 grid place-content-center justify-items-center gap-5 bg-paper">
        <SegmentSpinner className="size-14 text-violet" />
        <p role="status" className="text-muted">
          {siteCopy.home.loading}
        </p>
      </div>
      <div data-prerendered="landing">
        <LandingPage
          operator={operatorPlaces}
          demoHref={DEMO_HREF_PLACE}
          wheel={wheel}
          proof={proof}
        />
      </div>
    </>
  );
  return documentOf(headOf(words, assets), still(view));
}

function renderLegal(path: string, text: LegalText, assets: Assets): string {
  const words = { path, title: titleOf(text.title), description: text.intro, facts: [] };
  const view = <LegalPage text={text} operator={operatorPlaces} />;
  return documentOf(headOf(words, assets), still(view));
}

/** A page that its script only completes. */
function renderStill(
  path: string,
  { title, description }: { title: string; description: string },
  view: ReactNode,
  assets: Assets,
): string {
  return documentOf(
    headOf({ path, title: titleOf(title), description, facts: [] }, assets),
    still(view),
  );
}

function renderPricing(assets: Assets): string {
  const words: PageWords = {
    path: "/pricing",
    title: titleOf(pricingCopy.title),
    description: pricingCopy.description,
    facts: [organization, questions],
    offer: applicationOffer,
  };
  const view = (
    <Unfilled value={true}>
      <PricingPage
        subscribed={null}
        problem={null}
        onRetry={() => undefined}
        operator={operatorPlaces}
        canSubscribe
        isSignedIn={false}
      />
    </Unfilled>
  );
  const body = [
    `<div id="root" data-prerendered="pricing">${renderToString(view)}</div>`,
    `<script type="application/json" id="site-data">${SITE_DATA_PLACE}</script>`,
  ];
  return documentOf(headOf(words, assets), body.join("\n"));
}

async function renderSignIn(mode: Mode, assets: Assets): Promise<string> {
  const { title, description } = mode === "signup" ? authCopy.signUp : authCopy.signIn;
  const words = { path: "/auth", title: titleOf(title), description, facts: [] };
  const arriving = (
    <div className="while-arriving absolute inset-0 grid place-content-center justify-items-center gap-5 bg-paper p-6">
      <SegmentSpinner className="size-14 text-violet" />
      <p role="status" className="text-muted">
        {guardCopy.checking}
      </p>
    </div>
  );
  const root = `<div id="root" data-prerendered="auth">${await renderAuth(mode)}</div>`;
  return documentOf(headOf(words, assets), `${root}${still(arriving)}`);
}
