import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/button-class.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import { landingCopy } from "./landing.copy.ts";

const copy = landingCopy.header;

const LINK =
  "inline-flex min-h-11 items-center rounded-field px-3 font-semibold text-muted transition-colors duration-150 hover:text-ink";

/** Top of the public pages: what there is to read, and the two ways in. */
export function SiteHeader() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <nav
        aria-label={copy.menu}
        className="mx-auto flex min-h-16 max-w-6xl items-center gap-1 px-4 sm:px-8"
      >
        <Link
          to="/"
          aria-label={copy.home}
          className="-ml-1 flex min-h-11 shrink-0 items-center rounded-field px-1"
        >
          <Wordmark className="h-7 w-auto" />
        </Link>
        <span className="grow" />
        <Link to="/" hash="fonctionnalites" className={`max-md:hidden ${LINK}`}>
          {copy.features}
        </Link>
        <Link to="/pricing" className={`max-sm:hidden ${LINK}`}>
          {copy.pricing}
        </Link>
        <Link to="/auth" className={LINK}>
          {copy.signIn}
        </Link>
        <Link to="/auth/signup" className={`max-sm:hidden ${buttonClass()}`}>
          {copy.start}
        </Link>
      </nav>
    </header>
  );
}
