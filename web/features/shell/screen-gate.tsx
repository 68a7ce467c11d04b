import { lazyRouteComponent, useMatches } from "@tanstack/react-router";
import { type ReactNode, Suspense } from "react";
import { screenOf } from "../../lib/screens.ts";
import { useMay } from "../../lib/use-may.ts";

/** Met by hardly anybody: it stays out of what everybody loads. */
const NoAccess = lazyRouteComponent(() => import("./no-access.tsx"), "NoAccess");

/** Lets a screen in to whoever may open it; the others are told so in its place, before it asks for anything. */
export function ScreenGate({ children }: { children: ReactNode }) {
  const { mayOpen } = useMay();
  const screen = useMatches({ select: (matches) => screenOf(matches.at(-1)?.fullPath ?? "") });
  if (screen === null || mayOpen(screen)) return children;
  return (
    <Suspense>
      <NoAccess />
    </Suspense>
  );
}
