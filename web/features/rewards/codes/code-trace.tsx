import type { CodeItem } from "#domain/schemas/rewards.ts";
import { formatMoment } from "../../../lib/format.ts";
import { rewardCodesCopy } from "./reward-codes.copy.ts";

const copy = rewardCodesCopy.trace;

/** Who used a code or gave it back, and when. */
export function CodeTrace({ trace }: { trace: CodeItem["trace"] }) {
  if (trace.length === 0) return null;
  const now = new Date();
  return (
    <ul className="grid gap-1 border-t border-line pt-3 text-sm text-muted">
      {trace.map(({ action, at, by }) => (
        <li key={`${action} ${at}`}>
          {copy[action](formatMoment(new Date(at), now), by ?? copy.somebody)}
        </li>
      ))}
    </ul>
  );
}
