import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card } from "../card.tsx";
import { LoadProblem } from "../load-problem.tsx";
import { securityCopy } from "../security.copy.ts";
import { useEndSession, useEndSessions } from "../security.mutations.ts";
import { sessionsQuery } from "../security.queries.ts";
import { SecurityFrame } from "../security-frame.tsx";
import { Skeleton } from "../skeleton.tsx";
import { DeviceRow } from "./device-row.tsx";

const copy = securityCopy.sessions;

const QUESTIONS = {
  others: { title: copy.endOthersTitle, text: copy.endOthersText },
  global: { title: copy.endAllTitle, text: copy.endAllText },
} as const;

/** `/settings/sessions`: where one's account is open, and the way to close it there. */
export function SessionsPage() {
  const { supabase } = useApp();
  const sessions = useQuery(sessionsQuery(supabase));
  const [scope, setScope] = useState<keyof typeof QUESTIONS | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const endOne = useEndSession();
  const endMany = useEndSessions();
  const isAlone = sessions.data?.length === 1;

  const ask = (asked: keyof typeof QUESTIONS) => {
    endMany.reset();
    setNews(null);
    setScope(asked);
  };
  const end = (asked: keyof typeof QUESTIONS) =>
    endMany.mutate(asked, {
      onSuccess: () => {
        setScope(null);
        setNews(copy.othersEnded);
      },
    });

  return (
    <SecurityFrame title={copy.title} text={copy.text}>
      <Card>
        <LoadProblem loading={sessions} />
        {sessions.isPending && <Skeleton lines={3} />}
        {news && <Notice tone="done">{news}</Notice>}
        {endOne.error && <Alert>{errorMessage(endOne.error, authErrorsCopy)}</Alert>}
        {sessions.data && (
          <ul aria-label={copy.title} className="grid divide-y divide-line">
            {sessions.data.map((session) => (
              <DeviceRow
                key={session.id}
                session={session}
                isEnding={endOne.isPending && endOne.variables === session.id}
                onEnd={(name) => {
                  setNews(null);
                  endOne.mutate(session.id, {
                    onSuccess: (wasOpen) => setNews(wasOpen ? copy.ended(name) : copy.gone),
                  });
                }}
              />
            ))}
          </ul>
        )}
        {isAlone && <p className="text-muted">{copy.alone}</p>}
        {sessions.data && (
          <div className="flex flex-wrap gap-3">
            {!isAlone && (
              <Button variant="secondary" onClick={() => ask("others")}>
                {copy.endOthers}
              </Button>
            )}
            <Button variant="secondary" onClick={() => ask("global")}>
              {copy.endAll}
            </Button>
          </div>
        )}
      </Card>
      {scope && (
        <ConfirmDialog
          title={QUESTIONS[scope].title}
          action={copy.confirm}
          busy={endMany.isPending}
          problem={endMany.error && errorMessage(endMany.error, authErrorsCopy)}
          onClose={() => setScope(null)}
          onConfirm={() => end(scope)}
        >
          {QUESTIONS[scope].text}
        </ConfirmDialog>
      )}
    </SecurityFrame>
  );
}
