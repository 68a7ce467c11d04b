import { useEffect, useState } from "react";
import type { SpinResult } from "#domain/journey.ts";
import type { PublicCampaign } from "#domain/public-page.ts";
import { keptCopy as copy } from "./kept-prizes.copy.ts";
import { dropPrize, type KeptPrize, keptPrizes } from "./prize-memory.ts";

type TicketModule = typeof import("./ticket.tsx");

/** Prizes that wait on this phone: somebody who comes back to the till finds the code at once. */
export function KeptPrizes({ campaign }: { campaign: PublicCampaign }) {
  const [prizes, setPrizes] = useState<KeptPrize[]>([]);
  const [shown, setShown] = useState<string | null>(null);
  const [ticket, setTicket] = useState<TicketModule | null>(null);

  useEffect(() => setPrizes(keptPrizes(campaign.id)), [campaign.id]);

  async function show(spinId: string) {
    setShown(shown === spinId ? null : spinId);
    if (ticket === null) setTicket(await import("./ticket.tsx").catch(() => null));
  }

  function drop(result: SpinResult) {
    dropPrize(campaign.id, result);
    setPrizes(keptPrizes(campaign.id));
  }

  if (prizes.length === 0) return null;
  return (
    <section className="mb-6 grid gap-4" aria-label={copy.title}>
      {prizes.map(({ result }) => (
        <div key={result.spin_id} className="rounded-card bg-violet-soft p-4">
          <div className="flex items-center justify-between gap-3">
            <p className="min-w-0 leading-snug">
              <span className="block text-sm text-muted">{copy.title}</span>
              <span className="block font-bold">{result.reward?.name}</span>
            </p>
            <button
              type="button"
              onClick={() => show(result.spin_id)}
              aria-expanded={shown === result.spin_id}
              className="min-h-11 shrink-0 cursor-pointer rounded-field bg-violet px-4 text-base font-bold text-on-violet hover:bg-violet-strong"
            >
              {shown === result.spin_id ? copy.hide : copy.show}
            </button>
          </div>
          {ticket !== null && shown === result.spin_id && (
            <div className="mt-4 grid animate-enter gap-2">
              <ticket.Ticket result={result} store={campaign.store.name} isTest={false} />
              <button
                type="button"
                className="min-h-11 cursor-pointer text-base font-semibold underline underline-offset-4"
                onClick={() => drop(result)}
              >
                {copy.drop}
              </button>
            </div>
          )}
        </div>
      ))}
    </section>
  );
}
