import { Link } from "@tanstack/react-router";
import {
  Ban,
  Check,
  CheckCheck,
  Clock,
  FlaskConical,
  Hourglass,
  type LucideIcon,
  SearchCheck,
  Store,
  Undo2,
  X,
} from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { CHECKS_HASH } from "../../../lib/campaign-links.ts";
import { formatDay, formatTime } from "../../../lib/format.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Ticket } from "../../../ui/ticket.tsx";
import { redeemCopy } from "../redeem.copy.ts";
import type { Answer } from "./answer.ts";
import { type Tone, verdictOf } from "./verdict.ts";

const copy = redeemCopy.actions;

const COLOURS: Readonly<Record<Tone, string>> = {
  go: "bg-mint",
  careful: "bg-sun",
  // A touch lighter than coral, on which small text would have a contrast of 4.45:1.
  stop: "bg-[color-mix(in_srgb,var(--coral)_88%,white)] dark:bg-coral",
};

const ICONS: Readonly<Record<Answer["state"], LucideIcon>> = {
  available: Check,
  redeemed: CheckCheck,
  restored: Undo2,
  used: X,
  expired: Clock,
  held: SearchCheck,
  cancelled: Ban,
  other_store: Store,
  test: FlaskConical,
  unknown: X,
  too_many_attempts: Hourglass,
};

/** A second tap of the same finger, or a scanner's second Enter, must not press what just appeared. */
const SETTLE_MS = 400;

type AnswerScreenProps = {
  answer: Answer;
  isRedeeming: boolean;
  isUndoing: boolean;
  /** Why the redemption has no answer yet, or was not undone. */
  problem: string | null;
  onConfirm: () => void;
  onUndo: (id: string) => void;
  /** Asks anew what the code is. */
  onCheckAgain: () => void;
  /** Back to the field with the code that was typed. */
  onCorrect: () => void;
  onNext: () => void;
  /** Offered where the code came through the camera. */
  onScanNext: (() => void) | undefined;
};

/** One answer that fills the screen: colour, icon and three words, then what to do. */
export function AnswerScreen(props: AnswerScreenProps) {
  const { answer, isRedeeming, isUndoing, problem, onConfirm, onUndo } = props;
  const { onCheckAgain, onCorrect, onNext, onScanNext } = props;
  const { state, undoId } = answer;
  const now = new Date();
  const { tone, reason, explanation } = verdictOf(answer, now);
  usePageTitle(reason);
  const { may } = useMay();
  // The winner is at the counter: a person who may decide gets the way to the prize.
  const mayDecide =
    (state === "held" || state === "cancelled") && may("rewards.write") && may("codes.read");

  const [isSettled, setIsSettled] = useState(false);
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Where the screen is so low that the button is below it, the answer is read first.
    actions.current?.querySelector("button")?.focus({ preventScroll: true });
    const timer = setTimeout(() => setIsSettled(true), SETTLE_MS);
    return () => clearTimeout(timer);
  }, []);

  const id = useId();
  const Icon = ICONS[state];
  const canCorrect = state === "unknown" || state === "too_many_attempts";
  const later = { size: "lg", waiting: !isSettled || isUndoing } as const;
  const first = { ...later, "aria-describedby": id } as const;
  // The next code is entered as the last one was, scanned or typed. The likeliest button comes first, in reach of the
  // thumb.
  const ways = [
    ...(onScanNext ? [{ words: copy.scanNext, onClick: onScanNext }] : []),
    ...(canCorrect ? [{ words: copy.correct, onClick: onCorrect }] : []),
    { words: copy.next, onClick: onNext },
    ...(state === "restored" ? [{ words: redeemCopy.entry.check, onClick: onCheckAgain }] : []),
  ];

  return (
    <main
      className={`fixed inset-0 flex animate-fill flex-col overflow-y-auto text-ink [--focus:currentColor] dark:text-paper ${COLOURS[tone]}`}
    >
      {/* On a phone held sideways the prize is beside the buttons, not behind them. */}
      <div className="mx-auto flex w-full max-w-lg flex-1 flex-col px-4 sm:px-6 flat:max-w-4xl flat:flex-row flat:gap-8">
        <div id={id} className="flex flex-1 flex-col justify-center gap-6 py-6">
          <div className="flex flex-col items-center gap-3 text-center">
            <div
              className={`grid animate-rise place-items-center rounded-full [@media(max-height:430px)]:hidden bg-ink text-paper dark:bg-paper dark:text-ink ${state === "redeemed" ? "size-28" : "size-20"}`}
            >
              <Icon
                aria-hidden="true"
                strokeWidth={3}
                className={state === "redeemed" ? "size-16" : "size-11"}
              />
            </div>
            <h1 className="text-[clamp(2.25rem,12.5vw,3.5rem)] leading-none">{reason}</h1>
            {state === "redeemed" && answer.usedAt && (
              <p className="font-display text-2xl font-semibold tabular-nums">
                {redeemCopy.ticket.redeemedAt(formatTime(answer.usedAt))}
              </p>
            )}
            {explanation && (
              <p className="max-w-sm text-lg font-bold text-pretty min-[380px]:text-xl">
                {explanation}
              </p>
            )}
          </div>
          {answer.reward ? (
            <AnswerTicket answer={answer} now={now} />
          ) : (
            <p className="text-center text-2xl font-bold tracking-[0.08em] wrap-anywhere uppercase">
              {answer.code}
            </p>
          )}
        </div>
        <div
          ref={actions}
          className={`sticky bottom-0 grid gap-3 pt-3 max-[559px]:short:static pb-[max(1rem,env(safe-area-inset-bottom))] sm:pb-10 flat:w-72 flat:self-end flat:pb-6 ${COLOURS[tone]}`}
        >
          {problem && <Alert>{problem}</Alert>}
          {state === "available" && (
            <>
              <Button variant="stark" {...first} busy={isRedeeming} onClick={onConfirm}>
                {problem ? copy.retry : copy.redeem}
              </Button>
              <Button
                variant="outline"
                size="lg"
                waiting={!isSettled || isRedeeming}
                onClick={onCorrect}
              >
                {copy.cancel}
              </Button>
            </>
          )}
          {state !== "available" &&
            ways.map(({ words, onClick }, index) => (
              <Button
                key={words}
                variant={index === 0 ? "stark" : "outline"}
                {...(index === 0 ? first : later)}
                onClick={onClick}
              >
                {words}
              </Button>
            ))}
          {mayDecide && (
            <Link
              to="/rewards"
              hash={CHECKS_HASH}
              className={`${buttonClass({ variant: "outline", size: "lg" })} ${isSettled ? "" : "pointer-events-none opacity-65"}`}
            >
              <SearchCheck aria-hidden="true" className="size-5" />
              {copy.checks}
            </Link>
          )}
          {undoId && (
            <Button
              variant="outline"
              size="lg"
              waiting={!isSettled}
              busy={isUndoing}
              onClick={() => onUndo(undoId)}
            >
              <Undo2 aria-hidden="true" className="size-5" />
              {copy.undo}
            </Button>
          )}
        </div>
      </div>
    </main>
  );
}

/** The prize as a ticket: what it is, whose it is, until when. */
function AnswerTicket({ answer, now }: { answer: Answer; now: Date }) {
  const { reward, customer, code, expiresAt, state } = answer;
  return (
    <Ticket
      className="animate-rise dark:text-ink"
      stub={
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-base min-[380px]:text-lg">
          <dt className="text-muted">{redeemCopy.ticket.code}</dt>
          <dd className="text-right font-semibold tracking-wider wrap-anywhere uppercase">
            {code}
          </dd>
          {state === "available" && (
            <>
              <dt className="text-muted">{redeemCopy.ticket.validity}</dt>
              <dd className="text-right font-semibold text-balance">
                {expiresAt
                  ? redeemCopy.ticket.validUntil(formatDay(expiresAt, now))
                  : redeemCopy.ticket.validForever}
              </dd>
            </>
          )}
        </dl>
      }
    >
      <p className="text-center font-display text-2xl font-bold text-balance wrap-anywhere">
        {reward}
      </p>
      <p className="mt-2 text-center text-xl wrap-anywhere">
        <span className="sr-only">{redeemCopy.ticket.customer} : </span>
        {customer ?? redeemCopy.ticket.anonymous}
      </p>
    </Ticket>
  );
}
