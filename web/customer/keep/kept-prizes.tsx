import { useCallback, useEffect, useState } from "react";
import type { SpinResult } from "#domain/schemas/journey.ts";
import type { PublicCampaign } from "#domain/schemas/public-page.ts";
import { dropPrize, keptPrizes } from "../memory/prize-memory.ts";
import { Ticket } from "../parts/ticket.tsx";
import { pictureOf } from "../wheel/wheel-for.ts";
import { keepCopy } from "./keep.copy.ts";
import { keptCopy as copy } from "./kept-prizes.copy.ts";
import { inWords } from "./said-result.ts";
import { usePrizeState } from "./use-prize-state.ts";

type KeptPrizeProps = {
  campaign: PublicCampaign;
  result: SpinResult;
  startsOpen: boolean;
  onDrop: () => void;
};

/** One of them, with its state at the till, so that a used code is recognised before. */
function Kept({ campaign, result, startsOpen, onDrop }: KeptPrizeProps) {
  const [isShown, setIsShown] = useState(startsOpen);
  const { stamp, store } = usePrizeState(campaign.id, result, campaign.store, true);
  return (
    <div className="rounded-card bg-violet-soft p-4">
      <div className="flex flex-wrap items-center gap-3">
        <p className="grow-99 basis-24 leading-snug">
          <span className="block text-base text-muted">{stamp ?? copy.title}</span>
          <span className="block font-bold">{result.reward?.name}</span>
        </p>
        {!startsOpen && (
          <button
            type="button"
            onClick={() => setIsShown(!isShown)}
            aria-expanded={isShown}
            className="min-h-12 grow cursor-pointer rounded-field bg-violet-strong px-4 font-bold text-on-violet hover:bg-violet"
          >
            {isShown ? copy.hide : copy.show}
          </button>
        )}
      </div>
      {isShown && (
        <div className="mt-4 grid animate-enter gap-2">
          <Ticket
            result={result}
            store={store}
            picture={pictureOf(campaign, result)}
            isTest={false}
            stamp={stamp}
          />
          <button
            type="button"
            className="min-h-11 cursor-pointer text-base font-bold underline underline-offset-4"
            onClick={onDrop}
          >
            {stamp === null ? copy.drop : keepCopy.drop}
          </button>
        </div>
      )}
    </div>
  );
}

type KeptPrizesProps = {
  campaign: PublicCampaign;
  /** The newest one shows its code at once. */
  isOpen?: boolean;
};

/** Prizes that wait on this phone: a customer who comes back to the till finds the code at once. */
export function KeptPrizes({ campaign, isOpen = false }: KeptPrizesProps) {
  const { id, words } = campaign;
  const [prizes, setPrizes] = useState<SpinResult[]>([]);
  const read = useCallback(
    () => setPrizes(keptPrizes(id).map(({ result }) => inWords(result, words))),
    [id, words],
  );

  useEffect(read, [read]);

  function drop(result: SpinResult) {
    dropPrize(id, result);
    read();
  }

  if (prizes.length === 0) return null;
  return (
    <section className="mb-6 grid gap-4" aria-label={copy.title}>
      {prizes.map((result, index) => (
        <Kept
          key={result.spin_id}
          campaign={campaign}
          result={result}
          startsOpen={isOpen && index === 0}
          onDrop={() => drop(result)}
        />
      ))}
    </section>
  );
}
