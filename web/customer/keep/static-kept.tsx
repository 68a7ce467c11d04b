import { useEffect, useEffectEvent, useState } from "react";
import * as z from "zod/mini";
import { drawingsOf } from "#domain/rules/prize-pictures.ts";
import type { RulesPage } from "#domain/schemas/campaign-rules.ts";
import { drawnReward, publicPlace, saidWords } from "#domain/schemas/public-page.ts";
import { DAY_MS } from "#domain/text/durations.ts";
import { wordsIn } from "#domain/text/merchant-words.ts";
import { customerCopy } from "../customer.copy.ts";
import { recall, remember } from "../memory/storage.ts";
import { fetchRules } from "../rules/fetch-rules.ts";
import { shellCopy } from "../shell/page-shell.copy.ts";
import { NotFoundPage } from "../unavailable/not-found-page.tsx";
import { KeptPage } from "./kept-page.tsx";

/** Whose prizes an address shows, as this phone knows it without network. */
const campaignOf = z.object({
  id: z.guid(),
  store: publicPlace,
  pictures: z.optional(z.array(drawnReward)),
  words: saidWords,
});
type CampaignOf = z.infer<typeof campaignOf>;

/** Time that a prize without an expiry is kept. */
const LIFE_MS = 90 * DAY_MS;

function keyOf(slug: string): string {
  return `tournavis:${slug}:campaign`;
}

/** Notes which campaign an address belongs to, so that its prizes can be shown without network. */
export function rememberCampaign(slug: string, campaign: CampaignOf): void {
  remember("phone", keyOf(slug), campaign, LIFE_MS);
}

type StaticKeptProps = {
  slug: string;
  /** Callback with the owner of the page, once known; null without one. */
  onPage: (page: RulesPage | null) => void;
};

/** One's prizes in a static deployment, where no server has written into the page whose they are. */
export function StaticKept({ slug, onPage }: StaticKeptProps) {
  const [found, setFound] = useState<CampaignOf | "loading" | "missing" | "offline">(
    () => recall("phone", keyOf(slug), campaignOf) ?? "loading",
  );

  const tell = useEffectEvent(onPage);

  useEffect(() => {
    fetchRules(slug, null).then(
      (page) => {
        tell(page);
        if (page === null) return setFound("missing");
        const { store, timezone } = page.content;
        const campaign = {
          id: page.id,
          store: { name: store.name, timezone },
          pictures: drawingsOf(page.pictures),
          words: wordsIn(page.words, shellCopy.language),
        };
        rememberCampaign(slug, campaign);
        setFound(campaign);
      },
      () => setFound((known) => (known === "loading" ? "offline" : known)),
    );
  }, [slug]);

  if (found === "missing") return <NotFoundPage data={null} />;
  if (found === "loading") return <p className="p-4">{customerCopy.loading}</p>;
  if (found === "offline") return <p className="p-4">{customerCopy.offline}</p>;
  return (
    <KeptPage
      campaignId={found.id}
      slug={slug}
      store={found.store}
      pictures={found.pictures}
      words={found.words}
    />
  );
}
