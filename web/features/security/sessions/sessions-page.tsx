import { useQuery } from "@tanstack/react-query";
import { CircleHelp, Monitor, Smartphone, Tablet } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { deviceName } from "../../../lib/auth/device-name.ts";
import { readUserAgent } from "../../../lib/auth/user-agent.ts";
import { formatDate } from "../../../lib/format.ts";
import { formatAgo } from "../../../lib/format-ago.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { securityCopy } from "../security.copy.ts";
import { useEndSession, useEndSessions } from "../security.mutations.ts";
import { type DeviceSession, sessionsQuery } from "../security.queries.ts";
import { Card, Loading, SecurityFrame } from "../security-frame.tsx";

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
        <Loading of={sessions} lines={3} />
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

const ICONS = {
  phone: Smartphone,
  tablet: Tablet,
  computer: Monitor,
  unknown: CircleHelp,
} as const;

type DeviceRowProps = {
  session: DeviceSession;
  isEnding: boolean;
  onEnd: (name: string) => void;
};

/** Row of a session: a device that is signed in. */
function DeviceRow({ session, isEnding, onEnd }: DeviceRowProps) {
  const device = readUserAgent(session.userAgent);
  const name = deviceName(device);
  const Icon = ICONS[device.kind];
  const seen = session.isCurrent ? copy.now : copy.seen(formatAgo(session.seenAt, new Date()));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4 first:pt-0">
      <Icon aria-hidden="true" className="size-7 shrink-0 text-violet" />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {name}
          {session.isCurrent && (
            <span className="rounded-full bg-mint-soft px-2.5 py-0.5 text-sm text-mint-ink">
              {copy.current}
            </span>
          )}
        </p>
        <p className="text-sm text-muted">
          <time dateTime={session.seenAt.toISOString()}>{seen}</time>
        </p>
        <p className="text-sm text-muted">
          {[copy.since(formatDate(session.startedAt)), session.ip && copy.address(session.ip)]
            .filter(Boolean)
            .join(", ")}
        </p>
      </div>
      {!session.isCurrent && (
        <Button
          variant="secondary"
          aria-label={copy.endNamed(name)}
          busy={isEnding}
          onClick={() => onEnd(name)}
        >
          {copy.end}
        </Button>
      )}
    </li>
  );
}
