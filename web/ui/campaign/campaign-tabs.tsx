import { Link, type LinkProps } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { campaignForm, campaignHome } from "../../lib/campaign-links.ts";
import { useMay } from "../../lib/use-may.ts";
import { campaignTabsCopy as copy } from "./campaign-tabs.copy.ts";

export type CampaignTab = "overview" | "wheel" | "posters" | "reviews" | "settings";

type CampaignTabsProps = { campaignId: string; current: CampaignTab };

/** Pages of a campaign, each with an address of its own, as far as the member may open them. */
export function CampaignTabs({ campaignId, current }: CampaignTabsProps) {
  const { may, mayOpen } = useMay();
  const marked = useRef<HTMLAnchorElement>(null);
  // Five do not fit on a phone: the current one is brought into sight.
  useEffect(() => {
    if (current) marked.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  const mayEdit = mayOpen("/campaigns/$campaignId/edit");
  const tabs: readonly (false | { name: CampaignTab; link: LinkProps })[] = [
    mayOpen("/campaigns/$campaignId") && { name: "overview", link: campaignHome(campaignId) },
    mayEdit && { name: "wheel", link: campaignForm(campaignId, "wheel") },
    mayOpen("/campaigns") && { name: "posters", link: campaignHome(campaignId, "posters") },
    may("reviews.read") && { name: "reviews", link: campaignHome(campaignId, "reviews") },
    mayEdit && { name: "settings", link: campaignForm(campaignId, "settings") },
  ];
  return (
    <nav
      aria-label={copy.label}
      className="-mx-4 overflow-x-auto px-4 sm:mx-0 sm:px-0 print:hidden"
    >
      <ul className="flex min-w-max gap-1 border-b border-line">
        {tabs.map(
          (tab) =>
            tab && (
              <li key={tab.name}>
                <Link
                  {...tab.link}
                  ref={tab.name === current ? marked : undefined}
                  // The router would mark every address of the page.
                  activeOptions={{ exact: true, includeSearch: true }}
                  aria-current={tab.name === current ? "page" : undefined}
                  className="-mb-px flex min-h-11 items-center border-b-3 border-transparent px-3 font-semibold text-muted transition-colors duration-150 hover:text-ink aria-[current=page]:border-violet aria-[current=page]:text-ink sm:px-4"
                >
                  {copy[tab.name]}
                </Link>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
