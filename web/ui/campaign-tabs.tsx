import { Link, type LinkProps } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useMay } from "../lib/use-may.ts";
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
    mayOpen("/campaigns/$campaignId") && { name: "overview", link: home(campaignId) },
    mayEdit && { name: "wheel", link: editor(campaignId, "wheel") },
    mayOpen("/campaigns/$campaignId") && { name: "posters", link: home(campaignId, "posters") },
    may("reviews.read") && { name: "reviews", link: home(campaignId, "reviews") },
    mayEdit && { name: "settings", link: editor(campaignId, "settings") },
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

function home(campaignId: string, tab?: "posters" | "reviews"): LinkProps {
  return { to: "/campaigns/$campaignId", params: { campaignId }, search: tab ? { tab } : {} };
}

function editor(campaignId: string, part: "wheel" | "settings"): LinkProps {
  return { to: "/campaigns/$campaignId/edit", params: { campaignId }, search: { part } };
}
