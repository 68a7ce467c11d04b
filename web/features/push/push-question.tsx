import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useApp } from "../../lib/app-context.ts";
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
  // A refusal by the browser is said; it is not asked for a second time.
  if (turnOn.error) return <Alert>{pushFailure(turnOn.error)}</Alert>;
  const isOpen = data && !data.is_asked && data.devices.length === 0;
  if (!isAsking || !isOpen || (answer.isSuccess && !turnOn.isPending)) return null;
  return (
    <section aria-labelledby={id} className="grid gap-4 rounded-card bg-violet-soft p-5 sm:p-6">
      <div className="grid gap-1">
        <h2 id={id} className="text-lg">
          {copy.title}
        </h2>
        <p className="max-w-[60ch] text-pretty">{copy.text}</p>
      </div>
      {answer.error && !turnOn.isPending && <Alert>{pushFailure(answer.error)}</Alert>}
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
          onClick={() => answer.mutate()}
        >
          {copy.no}
        </Button>
      </div>
    </section>
  );
}
