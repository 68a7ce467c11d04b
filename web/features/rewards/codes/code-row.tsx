import {
  Ban,
  Check,
  Clock,
  Gift,
  type LucideIcon,
  SearchCheck,
  TicketCheck,
  Undo2,
} from "lucide-react";
import { type ReactNode, useRef } from "react";
import type { CodeItem } from "#domain/schemas/rewards.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatDate, formatMoment, formatTime } from "../../../lib/format.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { useRedeemCode, useUndoRedemption } from "../rewards.mutations.ts";
import { rewardCodesCopy } from "./reward-codes.copy.ts";

const { facts: copy } = rewardCodesCopy;

const LOOKS: Readonly<
  Record<
    CodeItem["status"] | NonNullable<CodeItem["verdict"]>,
    { tone: BadgeTone; icon: LucideIcon }
  >
> = {
  available: { tone: "good", icon: TicketCheck },
  used: { tone: "neutral", icon: Check },
  expired: { tone: "careful", icon: Clock },
  held: { tone: "careful", icon: SearchCheck },
  cancelled: { tone: "bad", icon: Ban },
};

/** « 12 décembre 2026 ». */
export function dateOf(text: string): string {
  return formatDate(new Date(text));
}

/** Last day of a code at its store. */
export function lastDayOf({ expires_at, timezone }: CodeItem): string {
  return expires_at ? formatDate(new Date(expires_at), timezone) : rewardCodesCopy.never;
}

/** « 12 décembre 2026 à 14:32 ». */
export function momentOf(text: string): string {
  return `${dateOf(text)} à ${formatTime(new Date(text))}`;
}

type FactProps = { name: string; isWide?: boolean; children: ReactNode };

function Fact({ name, isWide = false, children }: FactProps) {
  return (
    <div className={`flex min-w-0 gap-x-1.5 max-sm:text-sm sm:block ${isWide ? "basis-full" : ""}`}>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}

/** Whether a code can be used, in a word, and whether the team gave it. */
export function CodeState({ item }: { item: CodeItem }) {
  const state = item.verdict ?? item.status;
  const { tone, icon } = LOOKS[state];
  return (
    <span className="inline-flex flex-wrap gap-2">
      <Badge tone={tone} icon={icon}>
        {rewardCodesCopy.statuses[state]}
      </Badge>
      {item.is_goodwill && (
        <Badge tone="neutral" icon={Gift}>
          {rewardCodesCopy.goodwill}
        </Badge>
      )}
    </span>
  );
}

/** A code on a phone: customer, dates and state. */
export function CodeRow({ item }: { item: CodeItem }) {
  const { code, used_at } = item;
  const isNamed = useMay().may("customers.read");
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-3">
          <code className="font-sans text-lg font-bold tracking-[0.06em] wrap-anywhere">
            {code}
          </code>
          <CodeState item={item} />
        </div>
        {/* On a phone facts flow in lines. */}
        <dl className="flex basis-full flex-wrap gap-x-5 gap-y-1 sm:grid sm:grid-cols-3 sm:gap-x-4 sm:gap-y-2 sm:max-lg:order-last lg:flex-[1.5] lg:basis-96">
          {isNamed && (
            <Fact name={copy.customer} isWide>
              {item.customer ?? rewardCodesCopy.anonymous}
            </Fact>
          )}
          <Fact name={copy.issued}>{dateOf(item.created_at)}</Fact>
          {used_at ? (
            <Fact name={copy.used}>{momentOf(used_at)}</Fact>
          ) : (
            <Fact name={copy.expires}>{lastDayOf(item)}</Fact>
          )}
        </dl>
        <div className="contents group-data-selecting/cards:hidden">
          <CodeActions item={item} />
        </div>
      </div>
      {item.trace.length > 0 && (
        <div className="border-t border-line pt-3">
          <CodeTrace trace={item.trace} />
        </div>
      )}
    </div>
  );
}

/** Uses and returns of a code: person and time of each. */
export function CodeTrace({ trace }: { trace: CodeItem["trace"] }) {
  if (trace.length === 0) return null;
  const now = new Date();
  return (
    <ul className="grid gap-1 text-sm text-muted">
      {trace.map(({ action, at, by }) => (
        <li key={`${action} ${at}`}>
          {rewardCodesCopy.trace[action](
            formatMoment(new Date(at), now),
            by ?? rewardCodesCopy.trace.somebody,
          )}
        </li>
      ))}
    </ul>
  );
}

type CodeActionsProps = {
  item: CodeItem;
  /** One of many rows, of which none is the one thing to do. */
  isQuiet?: boolean;
};

/** Copying a code, using it as the till does, and taking that back within ten minutes. */
export function CodeActions({ item, isQuiet = false }: CodeActionsProps) {
  const { code, status, can_undo } = item;
  const redeem = useRedeemCode();
  const undo = useUndoRedemption();
  const canRedeem = useMay().may("codes.redeem");
  const error = undo.error ?? redeem.error;
  // The button that was pressed makes room for another: a second press must not undo the first.
  const actions = useRef<HTMLDivElement>(null);
  const onSuccess = () => actions.current?.focus({ preventScroll: true });
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in. */}
      <div
        ref={actions}
        role="group"
        aria-label={rewardCodesCopy.actionsFor(code)}
        tabIndex={-1}
        className={`flex flex-wrap items-center gap-2 outline-none lg:justify-end ${isQuiet ? "min-w-56" : "lg:min-w-60"}`}
      >
        <CopyButton
          text={code}
          label={rewardCodesCopy.copy}
          subject={code}
          copied={rewardCodesCopy.copied}
          variant={isQuiet ? "quiet" : "secondary"}
        />
        {canRedeem && status === "available" && item.verdict === null && (
          <Button
            variant="secondary"
            aria-label={rewardCodesCopy.redeemCode(code)}
            busy={redeem.isPending}
            onClick={() => {
              undo.reset();
              redeem.mutate(item, { onSuccess });
            }}
          >
            {rewardCodesCopy.redeem}
          </Button>
        )}
        {canRedeem && can_undo && (
          <Button
            variant="secondary"
            aria-label={rewardCodesCopy.undoCode(code)}
            busy={undo.isPending}
            onClick={() => {
              redeem.reset();
              undo.mutate(item, { onSuccess });
            }}
          >
            <Undo2 aria-hidden="true" className="size-5" />
            {rewardCodesCopy.undo}
          </Button>
        )}
      </div>
      {error && (
        <div className="w-full">
          <Alert>{errorMessage(error, rewardCodesCopy.problems)}</Alert>
        </div>
      )}
    </>
  );
}
