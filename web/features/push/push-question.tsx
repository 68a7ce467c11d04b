import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useApp } from "../../lib/app-context.ts";
import { AppError, NETWORK } from "../../lib/app-error.ts";
import { pushSupport } from "../../lib/push/push-support.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { pushCopy } from "./push.copy.ts";
import { useAnswerQuestion, useTurnOn } from "./push.mutations.ts";
import { pushQuery } from "./push.queries.ts";
import { pushFailure } from "./push-failure.ts";

const copy = pushCopy.question;

/**
 * Asks the owner, once, whether this device should announce bad reviews: where the browser can, and never again after an answer.
 * The browser's own question, which most people refuse when it comes unasked, follows their yes.
 */
export function PushQuestion({ orgId }: { orgId: string }) {
  const { config, supabase } = useApp();
  const isAsking = useWorkspace()?.role === "owner" && pushSupport(config) === "ready";
  const { data } = useQuery({
    ...pushQuery(supabase, orgId),
    enabled: isAsking,
    // An answer here ends the question by itself.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const id = useId();
  const turnOn = useTurnOn(orgId);
  const answer = useAnswerQuestion(orgId);
  if (turnOn.isSuccess) return <Notice tone="done">{copy.done}</Notice>;
  const isLost = turnOn.error instanceof AppError && turnOn.error.code === NETWORK;
  // A refusal by the browser is said; it is not asked for a second time.
  if (turnOn.error && !isLost) return <Alert>{pushFailure(turnOn.error)}</Alert>;
  const isOpen = data && !data.is_asked && data.devices.length === 0;
  const isUnderWay = isLost || turnOn.isPending;
  if (!isAsking || (!isUnderWay && (!isOpen || answer.isSuccess))) return null;
  return (
    <section aria-labelledby={id} className="grid gap-4 rounded-card bg-violet-soft p-5 sm:p-6">
      <div className="grid gap-1">
        <h2 id={id} className="text-lg">
          {copy.title}
        </h2>
        <p className="max-w-[60ch] text-pretty">{copy.text}</p>
      </div>
      {isLost ? (
        <Alert>{pushFailure(turnOn.error)}</Alert>
      ) : (
        answer.error && !turnOn.isPending && <Alert>{pushFailure(answer.error)}</Alert>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          busy={turnOn.isPending}
          onClick={() => {
            answer.mutate();
            turnOn.mutate();
          }}
        >
          {pushCopy.turnOn}
        </Button>
        <Button
          variant="quiet"
          busy={answer.isPending && !turnOn.isPending}
          onClick={() => {
            turnOn.reset();
            answer.mutate();
          }}
        >
          {copy.no}
        </Button>
      </div>
    </section>
  );
}
