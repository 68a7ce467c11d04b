import { useEffect, useState } from "react";
import type { PublicCampaign } from "#domain/journey.ts";
import { keptCopy as copy } from "./kept-prizes.copy.ts";
import { dropPrize, type KeptPrize, keptPrizes } from "./prize-memory.ts";

type TicketModule = typeof import("./ticket.tsx");

/** Prizes that wait on this phone: somebody who comes back to the till finds the code at once. */
export function KeptPrizes({ campaign }: { campaign: PublicCampaign }) {
  const [prizes, setPrizes] = useState<KeptPrize[]>([]);
  const [ticket, setTicket] = useState<TicketModule | null>(null);

  useEffect(() => setPrizes(keptPrizes(campaign.id)), [campaign.id]);

  async function show() {
    setTicket(ticket === null ? await import("./ticket.tsx").catch(() => null) : null);
  }

  if (prizes.length === 0) return null;
  return (
    <section className="mb-5 grid gap-3 rounded-card bg-violet-soft p-4">
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-bold">{copy.title}</h2>
        <button
          type="button"
          onClick={show}
          aria-expanded={ticket !== null}
          className="min-h-11 shrink-0 cursor-pointer rounded-field bg-surface px-4 font-bold ring-2 ring-violet ring-inset"
        >
          {ticket === null ? copy.show : copy.hide}
        </button>
      </div>
      {prizes.map(({ result }) =>
        ticket === null ? (
          <p key={result.spin_id}>{result.reward?.name}</p>
        ) : (
          <div key={result.spin_id}>
            <ticket.Ticket result={result} store={campaign.store.name} isTest={false} />
            <button
              type="button"
              className="min-h-11 w-full cursor-pointer underline underline-offset-4"
              onClick={() => {
                dropPrize(campaign.id, result);
                setPrizes(keptPrizes(campaign.id));
              }}
            >
              {copy.drop}
            </button>
          </div>
        ),
      )}
    </section>
  );
}
