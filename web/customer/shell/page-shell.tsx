import type { ReactNode } from "react";
import type { Brand, Logo } from "#domain/schemas/brand.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { logoAddress } from "../../ui/project-address.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import { Awning } from "./awning.tsx";
import { FinePrint } from "./fine-print.tsx";
import { LanguageSwitch } from "./language-switch.tsx";
import { shellCopy } from "./page-shell.copy.ts";

type PageShellProps = {
  campaign: PublicCampaign | null;
  /** A text to read rather than a step to do. */
  isText?: boolean;
  /** Says whose product it is: what the merchant's plan decides. */
  isSigned: boolean;
  /** The merchant's own, where their plan has it, and who that is. */
  brand: { of: string; shown: Brand | null };
  /** Query of the address; empty where a server rendered the page for all. */
  search?: string;
  children: ReactNode;
};

/**
 * Frame around the steps, which never changes: the server writes it, and no script of the page
 * needs it. Only the children are hydrated.
 */
export function PageShell({
  campaign,
  isText = false,
  isSigned,
  brand,
  search = "",
  children,
}: PageShellProps) {
  const colors = campaign?.segments.map(({ color }) => color) ?? [];
  return (
    <div className="group/page flex min-h-dvh flex-col overflow-x-clip bg-paper text-lg leading-normal text-ink sm:min-h-0 sm:pb-10 print:min-h-0 print:bg-white print:text-base">
      <div className="print:hidden">
        <Awning {...(colors.length > 0 && { colors })} />
      </div>
      <div
        className={`${isText ? "max-w-180" : "max-w-110 flat:max-w-180"} mx-auto flex w-full grow flex-col sm:relative sm:-mt-10 flat:mt-0 sm:overflow-clip sm:rounded-card sm:bg-surface sm:pt-3 sm:shadow-card print:mt-0 print:max-w-none print:shadow-none`}
      >
        {brand.shown?.logo && <BrandLogo logo={brand.shown.logo} of={brand.of} />}
        <div id="steps" className="flex grow flex-col">
          {children}
        </div>
        <footer className="px-4 pt-6 pb-6 sm:px-6">
          {campaign !== null && (
            <FinePrint
              organizer={campaign.organization.name}
              slug={campaign.slug}
              pointsDays={campaign.points_days ?? []}
            />
          )}
          <LanguageSwitch search={search} />
          {isSigned && (
            <p className="mt-4 flex items-center justify-center gap-1.5 text-sm text-muted">
              {shellCopy.poweredBy}
              <Wordmark tone="mono" className="h-4.5" />
            </p>
          )}
        </footer>
      </div>
    </div>
  );
}

/** Largest size on screen; half of what the picture may measure, for sharp screens. */
const BOX = { width: 192, height: 64 };

/**
 * A merchant's logo at the head of their pages, in the place of the store's initial. One side and the proportions are
 * known before it is there, so that nothing moves when it comes.
 */
function BrandLogo({ logo, of }: { logo: Logo; of: string }) {
  const [width, height] = [logo.width / 2, logo.height / 2];
  const isWide = width / height > BOX.width / BOX.height;
  const isSmall = width < BOX.width && height < BOX.height;
  // Smaller where every line of the page counts.
  const size = isWide ? "w-36 h-auto tall:w-48" : "h-12 w-auto tall:h-16";
  return (
    <div data-logo="" className="flex justify-center px-4 pt-3 sm:px-6 print:justify-start">
      <img
        src={logoAddress(logo.path)}
        alt={of}
        width={Math.round(width)}
        height={Math.round(height)}
        className={isSmall ? "" : size}
      />
    </div>
  );
}
