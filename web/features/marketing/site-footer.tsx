import { Link, type LinkProps } from "@tanstack/react-router";
import { Wordmark } from "../../ui/wordmark.tsx";
import { landingCopy } from "./landing.copy.ts";
import { Soon } from "./soon.tsx";

const copy = landingCopy.footer;

type Target = NonNullable<LinkProps["to"]>;

/** Where a footer link leads; a path that is not in the route tree does not compile. */
const PLACES: Readonly<Record<string, { to: Target; hash?: string }>> = {
  "#fonctionnalites": { to: "/", hash: "fonctionnalites" },
  "/pricing": { to: "/pricing" },
  "/legal/terms": { to: "/legal/terms" },
  "/legal/privacy": { to: "/legal/privacy" },
};

/** One entry; what does not exist yet says so, and is no link. */
function Entry({ label, to }: { label: string; to: string | null }) {
  const place = to === null ? undefined : PLACES[to];
  if (place === undefined) {
    return (
      <span className="inline-flex min-h-11 items-center gap-2 text-muted">
        {label}
        <Soon />
      </span>
    );
  }
  return (
    <Link {...place} className="inline-flex min-h-11 items-center font-medium hover:text-violet">
      {label}
    </Link>
  );
}

/** Foot of the public pages. */
export function SiteFooter() {
  return (
    <footer className="border-t border-line bg-surface">
      <div className="mx-auto grid max-w-6xl gap-10 px-4 py-12 sm:px-8 md:grid-cols-[1.4fr_repeat(3,1fr)]">
        <div className="grid content-start gap-3">
          <Wordmark className="h-8 w-auto justify-self-start" />
          <p className="max-w-60 text-muted">{copy.tagline}</p>
          <p className="text-sm text-muted">{copy.rights(new Date().getFullYear())}</p>
        </div>
        {copy.columns.map(({ title, links }) => (
          <section key={title} aria-labelledby={`footer-${title}`}>
            <h2 id={`footer-${title}`} className="text-lg font-bold">
              {title}
            </h2>
            <ul className="mt-2">
              {links.map(({ label, to }) => (
                <li key={label}>
                  <Entry label={label} to={to} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </footer>
  );
}
