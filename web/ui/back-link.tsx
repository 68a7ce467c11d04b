import { ArrowLeft } from "lucide-react";
import type { Screen } from "../lib/screens.ts";
import { useMay } from "../lib/use-may.ts";
import { ListLink } from "./lists/list-link.tsx";

/** Link to the parent page, above the title, for members who may open it. */
export function BackLink({ to, label }: { to: Screen; label: string }) {
  if (!useMay().mayOpen(to)) return null;
  return (
    <ListLink
      to={to}
      className="-my-2 inline-flex min-h-11 items-center gap-2 justify-self-start rounded-field font-semibold text-muted hover:text-ink print:hidden"
    >
      <ArrowLeft aria-hidden="true" className="size-5" />
      {label}
    </ListLink>
  );
}
