import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { AppError, errorMessage } from "../../lib/app-error.ts";
import { authErrorsCopy } from "../../lib/auth/auth-errors.copy.ts";
import { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { isCashier } from "../../lib/back-office.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { BackLink } from "../../ui/back-link.tsx";
import { Button } from "../../ui/button.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { securityCopy } from "./security.copy.ts";

const copy = securityCopy.nav;

const PAGES = [
  { to: "/settings/password", label: copy.password },
  { to: "/settings/2fa", label: copy.factors },
  { to: "/settings/sessions", label: copy.sessions },
  { to: "/settings/account", label: copy.account },
] as const;

type SecurityFrameProps = { title: string; text: string; children: ReactNode };

/** The pages about one's own account, side by side. */
export function SecurityFrame({ title, text, children }: SecurityFrameProps) {
  usePageTitle(title);
  const workspace = useWorkspace();
  return (
    <div className="mx-auto grid w-full max-w-3xl gap-8">
      {/* Members who work at the till alone, and whoever is in no organisation, have no settings above them. */}
      {workspace?.organization && !isCashier(workspace) && (
        <BackLink to="/settings" label={copy.settings} />
      )}
      <nav aria-label={copy.label} className="-mx-2">
        <ul className="grid grid-cols-2 gap-1 sm:flex sm:flex-wrap">
          {PAGES.map(({ to, label }) => (
            <li key={to}>
              <Link
                to={to}
                className="flex min-h-11 items-center rounded-full px-4 font-semibold text-muted max-sm:justify-center max-sm:px-2 max-sm:text-center max-sm:text-sm max-sm:leading-tight sm:whitespace-nowrap hover:text-ink aria-[current=page]:bg-violet-soft aria-[current=page]:text-ink"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <PageHeader title={title} text={text} />
      {children}
    </div>
  );
}

/** A group of what belongs together. */
export function Card({ children }: { children: ReactNode }) {
  return (
    <section className="grid gap-5 rounded-card bg-surface p-5 shadow-card sm:p-6">
      {children}
    </section>
  );
}

type LoadingProps = {
  of: { error: Error | null; isPending: boolean; isFetching: boolean; refetch: () => unknown };
  /** How many lines to expect. */
  lines?: number;
};

/** Placeholder lines while data loads, or why it could not be loaded and the way to try again. */
export function Loading({
  of: { error, isPending, isFetching, refetch },
  lines = 2,
}: LoadingProps) {
  if (error) {
    return (
      <Alert>
        <p>{securityCopy.loadFailed}</p>
        <p className="font-normal">{errorMessage(error, authErrorsCopy)}</p>
        <Button variant="secondary" className="mt-3" busy={isFetching} onClick={() => refetch()}>
          {securityCopy.retry}
        </Button>
      </Alert>
    );
  }
  if (!isPending) return null;
  return (
    <div aria-hidden="true" className="grid gap-3">
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same.
        <div key={line} className="h-12 animate-pulse rounded-field bg-line/60" />
      ))}
    </div>
  );
}

type EnrolProblemProps = {
  error: Error | null;
  words?: Readonly<Record<string, string>>;
  /** That a sign-in of the last day is needed. */
  signInAgain?: string;
};

/** Why a factor or passkey cannot be added. That may need a sign-in of the last day: the way there and back is offered. */
export function EnrolProblem(props: EnrolProblemProps) {
  const { error, words = authErrorsCopy, signInAgain = securityCopy.factors.signInAgain } = props;
  const signOut = useSignOut();
  if (!error) return null;
  const isOld = error instanceof AppError && error.code === "recent_sign_in_needed";
  return (
    <Alert>
      <p>{isOld ? signInAgain : errorMessage(error, words)}</p>
      {isOld && (
        <Button
          variant="secondary"
          className="mt-3"
          busy={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          {securityCopy.factors.signInAgainAction}
        </Button>
      )}
    </Alert>
  );
}
