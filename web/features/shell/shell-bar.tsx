import { lazyRouteComponent } from "@tanstack/react-router";
import { Menu, Search } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { useWorkspace } from "../../lib/workspace.ts";
import { NavLink } from "./nav-link.tsx";
import { barFor, menuFor } from "./navigation.ts";
import { shellCopy } from "./shell.copy.ts";

/** Loaded once the layout is rendered: the first screen does not wait for it, and a press finds it there. */
const MenuSheet = lazyRouteComponent(() => import("./menu-sheet.tsx"), "MenuSheet");

/** Look of what opens something, beside the entries that lead somewhere. */
const BUTTON =
  "flex min-h-15 min-w-0 flex-col items-center justify-center gap-0.5 text-[0.65rem] min-[360px]:text-[0.75rem] font-semibold text-muted min-[430px]:text-sm";

/** On a phone: the first entries, the search and the menu, at the bottom, where the thumb is. */
export function ShellBar({ onSearch }: { onSearch: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const workspace = useWorkspace();
  useEffect(() => {
    MenuSheet.preload?.();
  }, []);
  return (
    <>
      <nav
        aria-label={shellCopy.navigation}
        data-sticks="below"
        className="fixed inset-x-0 bottom-0 z-20 grid auto-cols-fr grid-flow-col border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
      >
        {barFor(workspace).map((entry) => (
          <NavLink key={entry.to} entry={entry} look="bar" />
        ))}
        <button type="button" aria-haspopup="dialog" onClick={onSearch} className={BUTTON}>
          <Search aria-hidden="true" className="h-7 w-13 p-1" />
          {shellCopy.search}
        </button>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
          className={BUTTON}
        >
          <Menu aria-hidden="true" className="h-7 w-13 p-1" />
          {shellCopy.menu}
        </button>
      </nav>
      {isOpen && (
        <Suspense>
          <MenuSheet entries={menuFor(workspace)} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
