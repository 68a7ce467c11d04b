import { ChevronDown, Clock, type LucideIcon, MailQuestion, Smartphone, Wifi } from "lucide-react";
import { useId, useRef, useState } from "react";
import type { CheckAction, CheckedCode, CheckGroup, CheckKind } from "#domain/schemas/checks.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { formatAgo } from "../../../lib/format-ago.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { DecisionNotice } from "./check-outcome.tsx";
import { checksCopy as copy } from "./checks.copy.ts";
import { type Outcome, useDecide, useMayDecide } from "./checks.queries.ts";

const ICONS: Readonly<Record<CheckKind, LucideIcon>> = {
  device: Smartphone,
  network: Wifi,
  disposable: MailQuestion,
  quiet_hours: Clock,
};

const TONES: Readonly<Record<CheckedCode["state"], BadgeTone>> = {
  available: "good",
  used: "neutral",
  expired: "neutral",
  held: "careful",
  cancelled: "bad",
};

/** Actions on a group in its present state: the likeliest first. */
function actionsOf({ closed_at, codes }: CheckGroup): CheckAction[] {
  const has = (...states: CheckedCode["state"][]) =>
    codes.some(({ state }) => states.includes(state));
  const actions: (CheckAction | false)[] = closed_at
    ? ["reopen", has("held", "cancelled") && "release"]
    : [
        has("available") && "hold",
        has("available", "held") && "cancel",
        has("held", "cancelled") && "release",
        "clear",
      ];
  return actions.filter((action) => action !== false);
}

type CheckGroupItemProps = {
  group: CheckGroup;
  /** Result of the last decision on it; null without one. */
  outcome: Outcome | null;
  onDecided: (outcome: Outcome) => void;
};

/** A group of prizes with one reason: why, which, and what to do. */
export function CheckGroupItem({ group, outcome, onDecided }: CheckGroupItemProps) {
  const id = useId();
  const decide = useDecide(onDecided);
  const mayDecide = useMayDecide();
  const [isAsked, setIsAsked] = useState(false);
  const Icon = ICONS[group.kind];
  const { variables, error, isPending } = decide;
  // The button that was pressed is replaced by another: keyboard users stay here.
  const actions = useRef<HTMLDivElement>(null);
  const run = (action: CheckAction, codes?: string[]) =>
    decide.mutate(
      { id: group.id, action, ...(codes && { codes }) },
      {
        onSuccess: () => codes ?? actions.current?.focus({ preventScroll: true }),
        onSettled: () => setIsAsked(false),
      },
    );
  const allowed = actionsOf(group).filter(mayDecide);
  const cancellable = group.codes.filter(({ state }) => state === "available" || state === "held");
  return (
    <li
      aria-labelledby={id}
      className="grid gap-3 border-line max-sm:border-t max-sm:pt-5 sm:rounded-field sm:border sm:p-4"
    >
      <div className="flex gap-3">
        <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-violet" />
        <div className="grid min-w-0 gap-1">
          <h3 id={id} className="text-lg font-bold text-pretty">
            {copy.reason(group)}
          </h3>
          <p className="text-sm wrap-anywhere text-muted">
            <bdi>{group.campaign.name}</bdi>
            {copy.facts(group.total, group.losses, formatAgo(new Date(group.last_at), new Date()))}
          </p>
          <p className="text-sm text-pretty text-muted">
            {group.closed_at
              ? copy.closedBy(group.closed_by, group.is_normal)
              : copy.hint[group.kind]}
          </p>
        </div>
      </div>
      <details className="group/codes">
        <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold [&::-webkit-details-marker]:hidden">
          <ChevronDown
            aria-hidden="true"
            className="size-5 shrink-0 text-muted group-open/codes:rotate-180"
          />
          {copy.show}
        </summary>
        <ul className="grid gap-2 pt-2">
          {group.codes.map((code) => (
            <CodeLine
              key={code.id}
              code={code}
              kind={group.kind}
              isBusy={isPending}
              mayAct={mayDecide}
              onAct={(action) => run(action, [code.id])}
            />
          ))}
        </ul>
        {group.total > group.codes.length && (
          <p className="pt-2 text-sm text-muted">{copy.shown(group.codes.length, group.total)}</p>
        )}
      </details>
      {error && <Alert>{errorMessage(error, { "22023": copy.failed })}</Alert>}
      {outcome && !error && <DecisionNotice outcome={outcome} />}
      {(allowed.length > 0 || outcome) && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in.
        <div
          ref={actions}
          role="group"
          aria-label={copy.actionsFor(copy.reason(group))}
          tabIndex={-1}
          className="flex flex-wrap gap-2 rounded-field max-sm:*:grow max-sm:*:px-3"
        >
          {allowed.map((action) => (
            <Button
              key={action}
              variant="secondary"
              busy={isPending && !variables.codes && variables.action === action}
              waiting={isPending}
              onClick={() => (action === "cancel" ? setIsAsked(true) : run(action))}
            >
              {copy.actions[action]}
            </Button>
          ))}
        </div>
      )}
      {isAsked && (
        <ConfirmDialog
          title={copy.confirm.title}
          action={copy.actions.cancel}
          busy={isPending}
          onConfirm={() => run("cancel")}
          onClose={() => setIsAsked(false)}
        >
          {copy.confirm.text(cancellable.length)}
        </ConfirmDialog>
      )}
    </li>
  );
}

type CodeLineProps = {
  code: CheckedCode;
  kind: CheckKind;
  isBusy: boolean;
  mayAct: (action: CheckAction) => boolean;
  onAct: (action: "hold" | "release") => void;
};

/** One prize of a group. */
function CodeLine({ code, kind, isBusy, mayAct, onAct }: CodeLineProps) {
  const others = code.reasons.filter((reason) => reason !== kind);
  const action =
    code.state === "available"
      ? "hold"
      : code.state === "held" || code.state === "cancelled"
        ? "release"
        : null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line pt-2">
      <div className="grid min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 font-semibold wrap-anywhere">
          {code.reward}
          <Badge tone={TONES[code.state]}>{copy.states[code.state]}</Badge>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          <bdi>{code.customer ?? copy.anonymous}</bdi> • {code.code}
          {others.length > 0 &&
            ` • ${copy.also(others.map((other) => copy.short[other]).join(", "))}`}
        </p>
      </div>
      {action && mayAct(action) && (
        <Button
          variant="quiet"
          className="max-sm:-ml-4 sm:-mr-4"
          waiting={isBusy}
          aria-label={copy.one.for(copy.one[action], code.code)}
          onClick={() => onAct(action)}
        >
          {copy.one[action]}
        </Button>
      )}
    </li>
  );
}
