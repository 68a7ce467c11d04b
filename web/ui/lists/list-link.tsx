import { Link, type LinkProps } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import { useWayBack } from "../../lib/lists/visited.ts";

type ListLinkProps = { to: NonNullable<LinkProps["to"]>; className: string; children: ReactNode };

/** A link to a list that leads back to it as it was left, where one came from there. */
export function ListLink({ to, className, children }: ListLinkProps) {
  const goBack = useWayBack(to);
  const onClick = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;
    if (isPlain && goBack()) event.preventDefault();
  };
  return (
    <Link to={to} onClick={onClick} className={className}>
      {children}
    </Link>
  );
}
