import { useEffect, useRef, useState } from "react";
import type { PointsReward, PointsWallet } from "#domain/schemas/points.ts";
import type { PublicPlace } from "#domain/schemas/public-page.ts";
import { dayInWords } from "#domain/text/day-in-words.ts";
import { newId } from "#domain/text/new-id.ts";
import type { Answer } from "../api.ts";
import { keepOffline } from "../keep/keep-offline.ts";
import { Action } from "../parts/action.tsx";
import { Notice } from "../parts/notice.tsx";
import { CodeTickets } from "./code-tickets.tsx";
import { pointsCopy as copy } from "./points.copy.ts";
import { lastWallet, prospect, readWallet, spend } from "./points-wallet.ts";
import { RewardRow } from "./reward-row.tsx";
import { useCountUp } from "./use-count-up.ts";

type PointsPanelProps = {
  campaignId: string;
  slug: string;
  store: PublicPlace;
  /** Fetches the page that shows the codes later, also without network. */
  loadPage: () => Promise<unknown>;
};

/** The balance, which counts up to its new value; screen readers announce that value once. */
function Balance({ balance, known }: { balance: number; known: number }) {
  const shown = useCountUp(balance, known);
  return (
    <p className="text-3xl leading-tight font-bold tracking-tight tabular-nums">
      <span className="sr-only">{copy.balance(balance)}</span>
      <span aria-hidden="true">{copy.balance(shown)}</span>
    </p>
  );
}

/** One's points at this merchant: how many, what comes next, what they buy, and the codes that they bought. */
export function PointsPanel({ campaignId, slug, store, loadPage }: PointsPanelProps) {
  const { wallet, problem, take, read } = useWallet({ campaignId, slug, loadPage });
  const { chosen, ask, cancel, refusal, isBusy, bought, confirm } = useExchange(
    campaignId,
    take,
    read,
  );
  const [known] = useState(wallet?.balance ?? 0);

  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    // The code comes in above the list, out of sight: without it, an exchange looks as if nothing had happened.
    if (bought !== null) place.current?.querySelector("li")?.focus();
  }, [bought]);

  return (
    <section ref={place} aria-label={copy.title} className="grid gap-4">
      <div className="grid gap-2 rounded-card bg-violet-soft p-4">
        <h2 className="text-base font-bold text-muted">{copy.title}</h2>
        <div aria-live="polite">
          {wallet === null && <p>{problem === null ? copy.loading : copy.failed}</p>}
          {wallet !== null && <Balance balance={wallet.balance} known={known} />}
        </div>
        {wallet !== null && <Prospect wallet={wallet} />}
        {wallet?.rewards.length === 0 && <p>{copy.none}</p>}
        {wallet?.ends && (
          <p className="text-base text-muted">
            {copy.ends(
              wallet.ends.points,
              dayInWords(new Date(wallet.ends.at), new Date(), store.timezone),
            )}
          </p>
        )}
        {problem !== null && (
          <div className="grid gap-2">
            {wallet !== null && (
              <Notice look="caution" title={problem === "offline" ? copy.offline : copy.failed} />
            )}
            <Action look="secondary" onClick={read}>
              {copy.retry}
            </Action>
          </div>
        )}
      </div>
      {wallet !== null && <CodeTickets wallet={wallet} store={store} isUsedShown={false} />}
      {refusal !== null && !wallet?.rewards.some(({ id }) => id === refusal.id) && (
        <Notice look="problem" title={refusal.words} />
      )}
      {wallet !== null && wallet.rewards.length > 0 && (
        <div className="grid gap-2">
          <h3 className="font-bold">{copy.list}</h3>
          <ul className="grid gap-2">
            {wallet.rewards.map((reward) => (
              <RewardRow
                key={reward.id}
                reward={reward}
                balance={wallet.balance}
                isAsking={chosen?.id === reward.id}
                isBusy={isBusy}
                refusal={refusal?.id === reward.id ? refusal.words : null}
                onAsk={() => ask(reward)}
                onCancel={cancel}
                onConfirm={() => confirm(reward)}
              />
            ))}
          </ul>
        </div>
      )}
      {wallet !== null && <CodeTickets wallet={wallet} store={store} isUsedShown />}
    </section>
  );
}

type WalletOptions = Pick<PointsPanelProps, "campaignId" | "slug" | "loadPage">;

/** The wallet: the last one that this phone knows, then the server's. */
function useWallet({ campaignId, slug, loadPage }: WalletOptions) {
  const [wallet, setWallet] = useState<PointsWallet | null>(() => lastWallet(campaignId));
  const [problem, setProblem] = useState<"offline" | "failed" | null>(null);

  function take(answer: Answer<PointsWallet>): boolean {
    if (!answer.ok) return false;
    setWallet(answer.value);
    setProblem(null);
    // A code is shown at a till, where there may be no network.
    if (answer.value.codes.some(({ status }) => status === "available"))
      keepOffline(slug, loadPage).catch(() => {});
    return true;
  }

  async function read() {
    const answer = await readWallet(campaignId);
    if (!take(answer) && !answer.ok)
      setProblem(answer.failure.kind === "network" ? "offline" : "failed");
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: read once, when the panel opens.
  useEffect(() => {
    void read();
  }, [campaignId]);

  return { wallet, problem, take, read };
}

/** The exchange of points for a reward, which is confirmed first. */
function useExchange(
  campaignId: string,
  take: (answer: Answer<PointsWallet>) => boolean,
  read: () => Promise<void>,
) {
  const [chosen, setChosen] = useState<{ id: string; request: string } | null>(null);
  const [refusal, setRefusal] = useState<{ id: string; words: string } | null>(null);
  const [bought, setBought] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  /** The exchange whose answer never came: asked for again, it is made once. */
  const unanswered = useRef<{ id: string; request: string } | null>(null);

  async function confirm({ id, cost }: PointsReward) {
    if (isBusy || chosen === null) return;
    setIsBusy(true);
    setRefusal(null);
    const order = { reward_id: id, cost, request_id: chosen.request };
    const answer = await spend(campaignId, order);
    const isLost = !answer.ok && answer.failure.kind === "network";
    unanswered.current = isLost ? chosen : null;
    setIsBusy(false);
    if (take(answer)) {
      setChosen(null);
      setBought(chosen.request);
    }
    if (answer.ok) return;
    if (answer.failure.kind === "network") return setRefusal({ id, words: copy.noAnswer });
    setRefusal({ id, words: answer.failure.message || copy.failed });
    setChosen(null);
    // The offer, or the stock, is not the one that the page showed.
    await read();
  }

  return {
    chosen,
    refusal,
    isBusy,
    /** Request of the last exchange that was made on this page. */
    bought,
    confirm,
    ask: ({ id }: PointsReward) => {
      setRefusal(null);
      const same = unanswered.current?.id === id ? unanswered.current : null;
      setChosen(same ?? { id, request: newId() });
    },
    cancel: () => setChosen(null),
  };
}

/** The next reward, and how far the balance is from it. */
function Prospect({ wallet }: { wallet: PointsWallet }) {
  const ahead = prospect(wallet);
  if (ahead === null) return null;
  const missing = ahead.reward.cost - wallet.balance;
  return (
    <>
      <div
        aria-hidden="true"
        className="h-2.5 overflow-hidden rounded-full bg-surface ring-1 ring-line ring-inset"
      >
        <div
          className="h-full rounded-full bg-violet transition-[width] duration-1000 ease-out motion-reduce:transition-none"
          style={{ width: `${ahead.share}%` }}
        />
      </div>
      <p>{missing > 0 ? copy.next(missing, ahead.reward.name) : copy.ready(ahead.reward.name)}</p>
    </>
  );
}
