import { lazyRouteComponent, useMatches } from "@tanstack/react-router";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { screenOf } from "../../lib/screens.ts";
import { useMay } from "../../lib/use-may.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { usePalette } from "./palette/use-palette.ts";
import { shellCopy } from "./shell.copy.ts";
import { ShellBar } from "./shell-bar.tsx";
import { ShellHeader } from "./shell-header.tsx";

/** Error boundary of a banner: the screen below it, and what is typed there, must survive. */
const withoutBanner = () => ({ default: () => null });

/** Rarely shown, so it is not part of the first load. */
const EndingBanner = lazy<ComponentType<{ eraseAt: string }>>(() =>
  import("./ending-banner.tsx").then(
    ({ EndingBanner }) => ({ default: EndingBanner }),
    withoutBanner,
  ),
);

/** Has something to say of plans that end, and of those alone. */
const PlanBanner = lazy<ComponentType>(() =>
  import("./plan-banner.tsx").then(({ PlanBanner }) => ({ default: PlanBanner }), withoutBanner),
);

/** Nothing of the first screen waits for it. */
const LiveUpdates = lazy<ComponentType>(() =>
  import("./live-updates.tsx").then(({ LiveUpdates }) => ({ default: LiveUpdates }), withoutBanner),
);

/** Rarely needed, so it is not part of the first load. */
const NoAccess = lazyRouteComponent(() => import("./no-access.tsx"), "NoAccess");

/** The layout that the back-office's screens share (specification, section 2.9). */
export function Shell({ children }: { children: ReactNode }) {
  const workspace = useWorkspace();
  const eraseAt = workspace?.organization?.erase_at;
  const plan = workspace?.plan;
  const { Palette, hasFailed, open, close } = usePalette();
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-30 rounded-field bg-ink px-4 py-3 font-semibold text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        {shellCopy.skip}
      </a>
      <ShellHeader onSearch={open} />
      {eraseAt && (
        <Suspense>
          <EndingBanner eraseAt={eraseAt} />
        </Suspense>
      )}
      {plan && (plan.trial_end || plan.ends_at || plan.status !== "active" || !plan.is_open) && (
        <Suspense>
          <PlanBanner />
        </Suspense>
      )}
      {hasFailed && (
        <div className="mx-auto w-full max-w-6xl px-4 pt-4 sm:px-8 xl:max-w-7xl">
          <Alert>{shellCopy.searchFailed}</Alert>
        </div>
      )}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl flex-1 px-4 pt-7 pb-32 outline-none sm:px-8 md:pt-10 md:pb-16 xl:max-w-7xl"
      >
        {children}
      </main>
      <ShellBar onSearch={open} />
      {Palette && <Palette onClose={close} />}
      <Suspense>
        <LiveUpdates />
      </Suspense>
    </div>
  );
}

/** Shows a screen to members who may open it; the others see a refusal instead, before anything is fetched. */
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
