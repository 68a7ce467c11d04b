import { Link } from "@tanstack/react-router";
import { useSession } from "../../lib/use-session.ts";
import { Badge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { Wordmark } from "../../ui/wordmark.tsx";
import type { Subscribed } from "./plan-action.ts";
import { pricingCopy as copy } from "./pricing.copy.ts";

/** Top of the public pages about plans: signed in, it names the plan and leads to the dashboard. */
export function PublicHeader({ subscribed }: { subscribed: Subscribed }) {
  const session = useSession();
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex min-h-15 max-w-6xl items-center gap-3 px-4 sm:px-8">
        <Link
          to="/"
          preload={false}
          aria-label={copy.home}
          className="-ml-1 flex min-h-11 shrink-0 items-center rounded-field px-1"
        >
          <Wordmark className="h-7 w-auto" />
        </Link>
        <div className="ml-auto flex items-center gap-2">
          {subscribed && (
            <Badge tone="violet">
              <span className="sr-only">{copy.planLabel} : </span>
              {copy.names[subscribed.plan]}
            </Badge>
          )}
          {session ? (
            <Link
              to="/dashboard"
              preload={false}
              className={`-mr-3 ${buttonClass({ variant: "quiet" })}`}
            >
              {copy.dashboard}
            </Link>
          ) : (
            <Link to="/auth" className={`-mr-3 ${buttonClass({ variant: "quiet" })}`}>
              {copy.signIn}
            </Link>
          )}
        </div>
      </div>
    </header>
  );
}
