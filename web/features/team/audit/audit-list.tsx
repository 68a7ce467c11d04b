import type { AuditEvent } from "#domain/schemas/team.ts";
import { formatMoment } from "../../../lib/format.ts";
import { auditCopy } from "./audit.copy.ts";
import { auditActor, auditSentence } from "./audit-sentence.ts";

/** Entries of the trail, newest first. */
export function AuditList({ events }: { events: readonly AuditEvent[] }) {
  const now = new Date();
  return (
    <ol
      aria-label={auditCopy.list}
      className="grid divide-y divide-line rounded-card bg-surface px-5 shadow-card sm:px-6"
    >
      {events.map((event) => (
        <li key={event.id} className="grid gap-0.5 py-4">
          <p className="text-pretty wrap-anywhere">
            <strong className="font-semibold">{auditActor(event)}</strong> {auditSentence(event)}
          </p>
          <p className="text-sm text-muted">
            <time dateTime={event.at}>{formatMoment(new Date(event.at), now)}</time>
          </p>
        </li>
      ))}
    </ol>
  );
}
