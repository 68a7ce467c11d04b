import { useWorkspace } from "../../lib/workspace.ts";
import { waitingCopy } from "./waiting-count.copy.ts";

/** Beside the words, or at the shoulder of the icon. */
const LOOKS = {
  header: "px-2 text-sm",
  menu: "ml-auto px-2.5 text-sm",
  bar: "absolute top-1 left-[calc(50%+0.25rem)] min-w-5 px-1 text-center text-[0.75rem] leading-5",
} as const;

type WaitingCountProps = { to: "/reviews" | "/rewards"; look: keyof typeof LOOKS };

/** How many bad reviews, or groups of prizes to check, wait behind an entry of the navigation; nothing where none does. */
export function WaitingCount({ to, look }: WaitingCountProps) {
  const workspace = useWorkspace();
  const isReviews = to === "/reviews";
  const count = (isReviews ? workspace?.unread_reviews : workspace?.open_checks) ?? 0;
  if (count === 0) return null;
  return (
    <span
      className={`rounded-full bg-coral-soft font-bold text-coral-ink tabular-nums ${LOOKS[look]}`}
    >
      {count > 99 ? "99+" : count}
      <span className="sr-only"> {isReviews ? waitingCopy.reviews : waitingCopy.checks}</span>
    </span>
  );
}
