import type { LinkProps } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { ListLink } from "./list-link.tsx";

/** The way up from a page, above its title. */
export function BackLink({ to, label }: { to: NonNullable<LinkProps["to"]>; label: string }) {
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
