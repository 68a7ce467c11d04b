import { Link } from "@tanstack/react-router";
import { ScanLine, Search } from "lucide-react";
import { errorMessage } from "../../lib/app-error.ts";
import { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { mayOpen } from "../../lib/screens.ts";
import { useDisplayName } from "../../lib/use-display-name.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import { NavLink } from "./nav-link.tsx";
import { navigationFor } from "./navigation.ts";
import { shellCopy } from "./shell.copy.ts";
import { SignOutButton } from "./sign-out-button.tsx";

/** Where one is, whose account this is, and the way out (specification, section 2.9). */
export function ShellHeader({ onSearch }: { onSearch: () => void }) {
  const signOut = useSignOut();
  const name = useDisplayName();
  const workspace = useWorkspace();
  const entries = navigationFor(workspace);
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-3 px-4 sm:px-8 xl:max-w-7xl">
        <Link
          to="/"
          preload={false}
          aria-label={shellCopy.home}
          className="-ml-1 flex min-h-15 shrink-0 items-center rounded-field px-1"
        >
          <Wordmark className="h-7 w-auto" />
        </Link>
        <nav
          aria-label={shellCopy.navigation}
          className="order-last -mx-2 hidden w-full gap-1 pb-2 md:flex lg:-mx-3"
        >
          {entries.map((entry) => (
            <NavLink key={entry.to} entry={entry} look="header" />
          ))}
        </nav>
        <div className="ml-auto flex min-w-0 items-center gap-2">
          <button
            type="button"
            aria-haspopup="dialog"
            aria-keyshortcuts="Control+K Meta+K"
            onClick={onSearch}
            className="hidden min-h-11 items-center gap-2 rounded-field border-[1.5px] border-line px-3 text-muted transition-colors duration-150 hover:border-field hover:text-ink md:flex"
          >
            <Search aria-hidden="true" className="size-5" />
            {shellCopy.search}
            <span
              aria-hidden="true"
              className="hidden rounded bg-line/60 px-1.5 py-0.5 font-sans text-sm lg:block"
            >
              {shellCopy.searchKeys(/Mac|iPhone|iPad/.test(navigator.userAgent))}
            </span>
          </button>
          <PlanBadge />
          <p className="hidden max-w-56 min-w-0 truncate px-1 text-muted md:block">
            {shellCopy.greeting} <span className="font-semibold text-ink">{name}</span>
          </p>
          <div className="-mr-3 hidden items-center md:flex">
            {mayOpen(workspace?.permissions ?? [], "/encaisser") && (
              <Link to="/encaisser" className={buttonClass({ variant: "quiet" })}>
                <ScanLine aria-hidden="true" className="size-5" />
                {shellCopy.labels.till}
              </Link>
            )}
            <SignOutButton signOut={signOut} isShort />
          </div>
        </div>
      </div>
      {signOut.isError && (
        <div className="mx-auto hidden max-w-6xl px-4 pb-3 sm:px-8 md:block xl:max-w-7xl">
          <Alert>{errorMessage(signOut.error, { network: shellCopy.signOutFailed })}</Alert>
        </div>
      )}
    </header>
  );
}

/** The organisation's plan, and the way to the others. */
function PlanBadge() {
  const plan = useWorkspace()?.plan?.plan;
  if (!plan) return null;
  return (
    <Link to="/pricing" preload={false} className="group -mx-1 flex min-h-11 items-center px-1">
      <span className="rounded-full bg-violet-soft px-3 py-1 text-sm font-semibold whitespace-nowrap text-ink group-hover:underline">
        <span className="sr-only">{shellCopy.planLabel} : </span>
        {shellCopy.plans[plan]}
      </span>
    </Link>
  );
}
