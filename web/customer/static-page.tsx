import { type ReactNode, useCallback, useEffect, useState } from "react";
import { errorCopy } from "#domain/errors/errors.copy.ts";
import { brandProperties } from "#domain/rules/brand-colors.ts";
import { ENTRY_WITHOUT_REVIEW, SOURCE_QR } from "#domain/rules/constants.ts";
import type { Brand } from "#domain/schemas/brand.ts";
import type { RulesPage } from "#domain/schemas/campaign-rules.ts";
import type { PublicOrganization } from "#domain/schemas/public-organization.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { recordScan } from "./api.ts";
import { customerCopy } from "./customer.copy.ts";
import { keepCopy } from "./keep/keep.copy.ts";
import { rememberCampaign, StaticKept } from "./keep/static-kept.tsx";
import { organizationCopy } from "./organization/organization.copy.ts";
import { StaticOrganization } from "./organization/static-organization.tsx";
import type { PlayMode } from "./page-data.ts";
import { formCopy } from "./review-flow/form-step.copy.ts";
import { ReviewPage } from "./review-flow/review-page.tsx";
import { rulesCopy } from "./rules/rules.copy.ts";
import { StaticRules } from "./rules/static-rules.tsx";
import { PageShell } from "./shell/page-shell.tsx";
import { noPageCopy } from "./unavailable/no-page.copy.ts";
import { NoPage } from "./unavailable/no-page.tsx";
import { PlayPage } from "./wheel/play-page.tsx";
import { wheelCopy } from "./wheel/wheel.copy.ts";

/** Meaning of an address on a static host, where no server has read it. */
type Address =
  | { kind: "review"; slug: string }
  | { kind: "play"; slug: string; mode: PlayMode }
  | { kind: "door"; slug: string; source: string }
  | { kind: "rules"; slug: string; version: string | null }
  | { kind: "kept"; slug: string }
  | { kind: "organization"; slug: string }
  | { kind: "unknown" };

/** Before anything is known of whose page it is. */
const NO_BRAND = { of: "", shown: null };

function readAddress({ pathname, search }: Location): Address {
  const [, area, slug = "", page = ""] = pathname.split("/");
  const query = new URLSearchParams(search);
  const source = query.get("source");
  if (area === "org" && slug !== "" && page === "") return { kind: "organization", slug };
  if (area !== "c" || slug === "") return { kind: "unknown" };
  if (page === "review") return { kind: "review", slug };
  if (page === "reglement") return { kind: "rules", slug, version: query.get("version") };
  if (page === "gain") return { kind: "kept", slug };
  if (page === "" || (page === "play" && source !== null)) {
    return { kind: "door", slug, source: source ?? SOURCE_QR };
  }
  if (page !== "play") return { kind: "unknown" };
  if (query.has("review_id")) return { kind: "play", slug, mode: "review" };
  const isFree = query.get("entry") === ENTRY_WITHOUT_REVIEW;
  return { kind: "play", slug, mode: isFree ? "libre" : "test" };
}

function titleOf({ kind }: Address, campaign: PublicCampaign | null): string {
  if (campaign === null) {
    return kind === "unknown" ? noPageCopy.title : customerCopy.loading;
  }
  const { name } = campaign.store;
  return kind === "play" ? wheelCopy.pageTitle(name) : formCopy.pageTitle(name);
}

/** Brand colour, which the server writes into the document elsewhere. */
function useBrandColor(color: string | null) {
  useEffect(() => {
    if (color === null) return;
    const { style } = document.documentElement;
    for (const [name, value] of brandProperties(color)) style.setProperty(name, value);
  }, [color]);
}

/** A phone page in a static deployment: the script does what the server does elsewhere. */
export function StaticPage() {
  const [address] = useState(() => readAddress(location));
  const [campaign, setCampaign] = useState<PublicCampaign | null>(null);
  // Until the merchant's plan is known, only a page of no merchant says whose product it is.
  const [isSigned, setIsSigned] = useState(address.kind === "unknown");
  const [ofText, setOfText] = useState<{ of: string; shown: Brand | null }>(NO_BRAND);
  // Of a page that shows no campaign, once it is known whose it is.
  const [ownTitle, setOwnTitle] = useState<string | null>(null);
  const brand = campaign ? { of: campaign.organization.name, shown: campaign.brand } : ofText;
  useBrandColor(brand.shown?.color ?? null);

  function showWhose(page: RulesPage | null) {
    setIsSigned(!page?.white_label);
    const { pageTitle } = address.kind === "kept" ? keepCopy : rulesCopy;
    setOwnTitle(page ? pageTitle(page.content.store.name) : errorCopy.campaign_not_found);
    if (page) setOfText({ of: page.content.organizer, shown: page.brand });
  }

  function showOrganization(page: PublicOrganization | null) {
    const isOurs = !page?.white_label;
    setIsSigned(isOurs);
    setOwnTitle(page ? organizationCopy.pageTitle(page.name, isOurs) : noPageCopy.title);
    if (page) setOfText({ of: page.name, shown: page.brand });
  }

  const showCampaign = useCallback(
    (found: PublicCampaign) => {
      setCampaign(found);
      // The page of one's prizes opens without network.
      if (address.kind === "play") {
        rememberCampaign(address.slug, { id: found.id, store: found.store });
      }
    },
    [address],
  );

  useEffect(() => {
    if (address.kind !== "door") return;
    const { slug, source } = address;
    recordScan({ slug, source }).then(() => {
      location.replace(`/c/${slug}/review?source=${encodeURIComponent(source)}`);
    });
  }, [address]);

  let view: ReactNode = null;
  if (address.kind === "unknown") view = <NoPage />;
  if (address.kind === "review") {
    view = <ReviewPage slug={address.slug} campaign={null} onCampaign={showCampaign} />;
  }
  if (address.kind === "play") {
    const { slug, mode } = address;
    view = (
      <PlayPage slug={slug} mode={mode} campaign={null} first={{}} onCampaign={showCampaign} />
    );
  }
  if (address.kind === "rules") {
    view = <StaticRules slug={address.slug} version={address.version} onPage={showWhose} />;
  }
  if (address.kind === "kept") view = <StaticKept slug={address.slug} onPage={showWhose} />;
  if (address.kind === "organization") {
    view = <StaticOrganization slug={address.slug} onPage={showOrganization} />;
  }
  return (
    <>
      <title>{ownTitle ?? titleOf(address, campaign)}</title>
      <PageShell
        campaign={campaign}
        isSigned={campaign ? !campaign.white_label : isSigned}
        brand={brand}
        search={location.search}
      >
        {view}
      </PageShell>
    </>
  );
}
