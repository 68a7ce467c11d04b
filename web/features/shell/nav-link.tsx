import { Link } from "@tanstack/react-router";
import { type ComponentProps, lazy, type ReactNode, Suspense } from "react";
import type { navigationFor } from "./navigation.ts";

type WaitingCount = typeof import("./waiting-count.tsx").WaitingCount;

/** Loaded after the entry, which is there without it. */
const WaitingCount = lazy<(props: ComponentProps<WaitingCount>) => ReactNode>(() =>
  import("./waiting-count.tsx").then(
    ({ WaitingCount }) => ({ default: WaitingCount }),
    () => ({ default: () => null }),
  ),
);

type Entry = ReturnType<typeof navigationFor>[number];

/** How an entry looks in the header, in the bar at the thumb, and in the menu. */
const LOOKS = {
  header: {
    link: "min-h-11 gap-2 rounded-field px-2 text-muted lg:px-3 hover:bg-line/60 hover:text-ink aria-[current=page]:bg-violet-soft aria-[current=page]:text-ink",
    // Seven entries with their icons need more than a tablet has; with both counts, its whole width.
    icon: "hidden size-5 group-aria-[current=page]:text-violet lg:block",
  },
  bar: {
    link: "min-h-15 min-w-0 flex-col justify-center gap-0.5 text-[0.65rem] min-[360px]:text-[0.75rem] min-[430px]:text-sm text-muted aria-[current=page]:text-ink",
    icon: "h-7 w-13 rounded-full p-1 group-aria-[current=page]:bg-violet-soft group-aria-[current=page]:text-violet",
  },
  menu: {
    link: "min-h-13 gap-4 rounded-field px-4 text-lg hover:bg-line/60 aria-[current=page]:bg-violet-soft",
    icon: "size-6 text-muted group-aria-[current=page]:text-violet",
  },
} as const;

type NavLinkProps = { entry: Entry; look: keyof typeof LOOKS; onClick?: () => void };

/** An entry of the navigation; the router marks it as current when the path is its path or starts with it. */
export function NavLink({ entry, look, onClick }: NavLinkProps) {
  const { to, label, icon: Icon, search } = entry;
  return (
    <Link
      to={to}
      {...(search && { search })}
      {...(onClick && { onClick })}
      className={`group relative flex items-center font-semibold transition-colors duration-150 ${LOOKS[look].link}`}
    >
      <Icon aria-hidden="true" className={`shrink-0 ${LOOKS[look].icon}`} />
      <span className="max-w-full truncate">{label}</span>
      {(to === "/reviews" || to === "/rewards") && (
        <Suspense>
          <WaitingCount to={to} look={look} />
        </Suspense>
      )}
    </Link>
  );
}
