import { useWorkspace } from "../../lib/workspace.ts";
import { shellCopy } from "./shell.copy.ts";

/** Beside the words, or at the shoulder of the icon. */
const LOOKS = {
  header: "px-2 text-sm",
  menu: "ml-auto px-2.5 text-sm",
  bar: "absolute top-1 left-[calc(50%+0.25rem)] min-w-5 px-1 text-center text-[0.75rem] leading-5",
} as const;

/** How many bad reviews wait to be read, beside their entry of the navigation; nothing where none does. */
export function UnreadCount({ look }: { look: keyof typeof LOOKS }) {
  const count = useWorkspace()?.unread_reviews ?? 0;
  if (count === 0) return null;
  return (
    <span
      className={`rounded-full bg-coral-soft font-bold text-coral-ink tabular-nums ${LOOKS[look]}`}
    >
      <span aria-hidden="true">{shellCopy.unread(count)}</span>
      <span className="sr-only">{shellCopy.unreadSaid(count)}</span>
    </span>
  );
}
