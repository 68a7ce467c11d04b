import { useEffect, useState } from "react";
import type { PrizeDrawing } from "#domain/rules/prize-pictures.ts";
import type { SpinResult } from "#domain/schemas/journey.ts";
import type { DrawnReward, PublicPlace } from "#domain/schemas/public-page.ts";
import type { SaidWords } from "#domain/text/merchant-words.ts";
import { openPrize } from "../api.ts";
import { customerCopy } from "../customer.copy.ts";
import { provenTurns } from "../memory/points-memory.ts";
import { dropPrize, keepPrize, rememberedPrizes } from "../memory/prize-memory.ts";
import { Action } from "../parts/action.tsx";
import { EmptyPicture } from "../parts/empty-picture.tsx";
import { Notice } from "../parts/notice.tsx";
import { PageFrame } from "../parts/page-frame.tsx";
import { StepTitle } from "../parts/step-title.tsx";
import { Ticket } from "../parts/ticket.tsx";
import { LazyPoints } from "../points/lazy-points.tsx";
import { CalendarButton } from "./calendar-button.tsx";
import { keepCopy as copy } from "./keep.copy.ts";
import { dropOffline, keepOffline } from "./keep-offline.ts";
import { MailButton } from "./mail-button.tsx";
import { inWords } from "./said-result.ts";
import { usePrizeState } from "./use-prize-state.ts";

type KeptPrizeProps = {
  campaignId: string;
  result: SpinResult;
  store: PublicPlace;
  picture: PrizeDrawing | undefined;
  onDrop: () => void;
};

function KeptPrize({ campaignId, result, store: own, picture, onDrop }: KeptPrizeProps) {
  const { stamp, notice, isOffline, store } = usePrizeState(campaignId, result, own, true);
  return (
    <li className="grid gap-3">
      {isOffline && <Notice look="caution" title={copy.offline} />}
      {notice !== null && <Notice look="caution" title={notice} />}
      <Ticket result={result} store={store} picture={picture} isTest={false} stamp={stamp} />
      {stamp === null && <CalendarButton result={result} store={store} />}
      {stamp === null && notice === null && <MailButton campaignId={campaignId} result={result} />}
      {stamp !== null && (
        <Action look="quiet" onClick={onDrop}>
          {copy.drop}
        </Action>
      )}
    </li>
  );
}

/** The turn that a mail about a prize names: « #gain=<turn>.<nonce> », which no browser sends along. */
function turnOf(hash: string): { spin_id: string; nonce: string } | null {
  const [, spin_id, nonce] = /^#gain=([\da-f-]{36})\.([\da-f-]{36})$/i.exec(hash) ?? [];
  return spin_id === undefined || nonce === undefined ? null : { spin_id, nonce };
}

type KeptPageProps = {
  campaignId: string;
  slug: string;
  store: PublicPlace;
  /** Pictures of the campaign's rewards. */
  pictures: readonly DrawnReward[] | undefined;
  /** Merchant's words in the language of the page. */
  words: SaidWords | undefined;
};

/** The prizes that this phone keeps of a campaign: opens later as well, and without network. */
export function KeptPage({ campaignId, slug, store, pictures, words }: KeptPageProps) {
  // The server knows nothing of them.
  const [results, setResults] = useState<SpinResult[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [hasPoints, setHasPoints] = useState(false);

  useEffect(() => {
    setHasPoints(provenTurns().length > 0);
    const show = (mailed: SpinResult | null) => {
      const kept = rememberedPrizes(campaignId).map(({ result }) => result);
      // A browser that keeps nothing shows the prize of the mail all the same.
      const isKept = kept.some(({ spin_id }) => spin_id === mailed?.spin_id);
      const shown = mailed === null || isKept ? kept : [mailed, ...kept];
      setResults(shown.map((result) => inWords(result, words)));
      // With what the present build needs; nothing is missed where that fails.
      if (kept.length > 0) keepOffline(slug, async () => {}).catch(() => {});
    };
    const turn = turnOf(location.hash);
    if (turn === null) return show(null);
    openPrize({ campaign_id: campaignId, ...turn }).then((answer) => {
      if (!answer.ok) {
        setProblem(answer.failure.kind === "network" ? copy.mailedOffline : copy.mailedMissing);
        return show(null);
      }
      // The proof leaves the address, so that neither an onlooker nor a shared link can use it.
      history.replaceState(history.state, "", location.pathname);
      keepPrize(campaignId, { reviewId: null, result: answer.value.prize });
      show(answer.value.prize);
    });
  }, [campaignId, slug, words]);

  function drop(result: SpinResult) {
    dropPrize(campaignId, result);
    const left = rememberedPrizes(campaignId).map((kept) => inWords(kept.result, words));
    setResults(left);
    if (left.length === 0) dropOffline(slug).catch(() => {});
  }

  return (
    <PageFrame campaign={null}>
      <section className="flex grow flex-col gap-5 pt-2">
        <p className="text-lg font-bold">{store.name}</p>
        <StepTitle takesFocus={false}>{copy.title}</StepTitle>
        {results === null && <p>{customerCopy.loading}</p>}
        {problem !== null && <Notice look="caution" title={problem} />}
        {hasPoints && (
          <LazyPoints campaignId={campaignId} slug={slug} store={store} loadPage={async () => {}} />
        )}
        {results?.length === 0 && !hasPoints && (
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
              picture={pictures?.find(({ id }) => id === result.reward?.id)}
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
