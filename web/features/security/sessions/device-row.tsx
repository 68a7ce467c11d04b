import { CircleHelp, Monitor, Smartphone, Tablet } from "lucide-react";
import { deviceName } from "../../../lib/auth/device-name.ts";
import { readUserAgent } from "../../../lib/auth/user-agent.ts";
import { formatAgo, formatDate } from "../../../lib/format.ts";
import { Button } from "../../../ui/button.tsx";
import { securityCopy } from "../security.copy.ts";
import type { DeviceSession } from "../security.queries.ts";

const copy = securityCopy.sessions;

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
export function DeviceRow({ session, isEnding, onEnd }: DeviceRowProps) {
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
        <p className="text-sm break-words text-muted">
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
