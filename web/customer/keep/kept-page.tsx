import { useEffect, useState } from "react";
import type { SpinResult } from "#domain/journey.ts";
import type { PublicPlace } from "#domain/public-page.ts";
import { customerCopy } from "../customer.copy.ts";
import { EmptyPicture } from "../empty-picture.tsx";
import { Action } from "../parts/action.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageFrame } from "../parts/page-frame.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { dropPrize, rememberedPrizes } from "../prize-memory.ts";
import { Ticket } from "../ticket.tsx";
import { CalendarButton } from "./calendar-button.tsx";
import { keepCopy as copy } from "./keep.copy.ts";
import { dropOffline, keepOffline } from "./keep-offline.ts";
import { MailButton } from "./mail-button.tsx";
import { usePrizeState } from "./use-prize-state.ts";

type KeptPrizeProps = {
  campaignId: string;
  result: SpinResult;
  store: PublicPlace;
  onDrop: () => void;
};

function KeptPrize({ campaignId, result, store, onDrop }: KeptPrizeProps) {
  const { stamp, isOffline } = usePrizeState(campaignId, result, store, true);
  return (
    <li className="grid gap-3">
      {isOffline && <Notice look="caution" title={copy.offline} />}
      <Ticket result={result} store={store} isTest={false} stamp={stamp} />
      {stamp === null && <CalendarButton result={result} store={store} />}
      {stamp === null && <MailButton campaignId={campaignId} result={result} />}
      {stamp !== null && (
        <Action look="quiet" onClick={onDrop}>
          {copy.drop}
        </Action>
      )}
    </li>
  );
}

type KeptPageProps = { campaignId: string; slug: string; store: PublicPlace };

/** The prizes that this phone keeps of a campaign: opens later as well, and without network. */
export function KeptPage({ campaignId, slug, store }: KeptPageProps) {
  // The server knows nothing of them.
  const [results, setResults] = useState<SpinResult[] | null>(null);

  useEffect(() => {
    const kept = rememberedPrizes(campaignId).map(({ result }) => result);
    setResults(kept);
    // With what the present build needs; nothing is missed where that fails.
    if (kept.length > 0) keepOffline(slug, async () => {}).catch(() => {});
  }, [campaignId, slug]);

  function drop(result: SpinResult) {
    dropPrize(campaignId, result);
    const left = rememberedPrizes(campaignId).map((kept) => kept.result);
    setResults(left);
    if (left.length === 0) dropOffline(slug).catch(() => {});
  }

  return (
    <PageFrame campaign={null}>
      <section className="flex grow flex-col gap-5 pt-2">
        <p className="text-lg font-bold">{store.name}</p>
        <StepTitle takesFocus={false}>{copy.title}</StepTitle>
        {results === null && <p>{customerCopy.loading}</p>}
        {results?.length === 0 && (
          <>
            <p>{copy.none}</p>
            <EmptyPicture />
            <p>{copy.noneHint}</p>
          </>
        )}
        <ul className="grid gap-8">
          {results?.map((result) => (
            <KeptPrize
              key={result.spin_id}
              campaignId={campaignId}
              result={result}
              store={store}
              onDrop={() => drop(result)}
            />
          ))}
        </ul>
        <div className="mt-auto pt-2">
          <Action look="quiet" href={`/c/${slug}/review`}>
            {copy.play}
          </Action>
        </div>
      </section>
    </PageFrame>
  );
}
