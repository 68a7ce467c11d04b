import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { buttonClass } from "./button-class.ts";
import { siteCopy } from "./site.copy.ts";
import { Wordmark } from "./wordmark.tsx";

const copy = siteCopy.header;

/** Popover of the menu: the browser opens and closes it, without a script. */
const SITE_MENU = "site-menu";

const LINK =
  "inline-flex min-h-11 items-center rounded-field px-3 font-semibold text-muted transition-colors duration-150 hover:text-ink";

/** Entries of the menu on a phone. */
const ENTRY = `${LINK} w-full`;

type SiteHeaderProps = {
  /** Plan and way to the dashboard of a signed-in member, at the right; visitors find the two ways in. */
  member?: ReactNode;
};

/** Top of the public pages: what there is to read, and the ways in. Links are real addresses, so it works without a script, too. */
export function SiteHeader({ member }: SiteHeaderProps) {
  return (
    <header data-sticks="above" className="sticky top-0 z-20 border-b border-line bg-paper">
      <nav
        aria-label={copy.menu}
        className="mx-auto flex min-h-16 max-w-6xl items-center gap-1 px-4 sm:px-8"
      >
        <a
          href="/"
          aria-label={copy.home}
          className="-ml-1 flex min-h-11 shrink-0 items-center rounded-field px-1"
        >
          <Wordmark className={`w-auto ${member ? "h-7 max-[24.3rem]:h-5.5" : "h-7"}`} />
        </a>
        <span className="grow" />
        <a href="/#fonctionnalites" className={`max-md:hidden ${LINK}`}>
          {copy.features}
        </a>
        <a href="/pricing" className={`max-md:hidden ${LINK}`}>
          {copy.pricing}
        </a>
        {member ? (
          <span className="flex items-center gap-1">{member}</span>
        ) : (
          <span className="for-visitors flex items-center gap-1">
            <a
              href="/auth"
              className={`whitespace-nowrap max-[22.4rem]:hidden max-sm:px-2 ${LINK}`}
            >
              {copy.signIn}
            </a>
            <a href="/auth/signup" className={`max-sm:hidden ${buttonClass()}`}>
              {copy.start}
            </a>
          </span>
        )}
        <button
          type="button"
          popoverTarget={SITE_MENU}
          aria-label={copy.open}
          className="-mr-2 grid size-11 shrink-0 cursor-pointer place-items-center rounded-field md:hidden"
        >
          <Menu aria-hidden="true" className="size-6" />
        </button>
        <div
          id={SITE_MENU}
          popover="auto"
          className="inset-auto top-17 right-4 min-w-56 rounded-card bg-surface p-2 shadow-card md:hidden"
        >
          <a href="/#fonctionnalites" className={ENTRY}>
            {copy.features}
          </a>
          <a href="/pricing" className={ENTRY}>
            {copy.pricing}
          </a>
          {member ? (
            <a href="/dashboard" className={`min-[22.4rem]:hidden ${ENTRY}`}>
              {copy.dashboard}
            </a>
          ) : (
            <>
              <a href="/auth" className={`for-visitors ${ENTRY}`}>
                {copy.signIn}
              </a>
              <a href="/auth/signup" className={`for-visitors sm:hidden ${ENTRY}`}>
                {copy.start}
              </a>
            </>
          )}
        </div>
      </nav>
    </header>
  );
}
