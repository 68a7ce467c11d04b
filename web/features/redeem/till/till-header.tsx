import { Link } from "@tanstack/react-router";
import { LayoutDashboard, LogOut, Store, UserRound } from "lucide-react";
import type { Workspace } from "#domain/schemas/workspace.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { useSignOut } from "../../../lib/auth/use-sign-out.ts";
import { useMay } from "../../../lib/use-may.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { NamedOptions } from "../../../ui/forms/named-options.tsx";
import { Wordmark } from "../../../ui/wordmark.tsx";
import { redeemCopy } from "../redeem.copy.ts";

const copy = redeemCopy.header;

type TillHeaderProps = {
  storeId: string;
  stores: Workspace["stores"];
  onStoreChange: (id: string) => void;
};

/** Whose till this is, and the way out. */
export function TillHeader({ storeId, stores, onStoreChange }: TillHeaderProps) {
  const signOut = useSignOut();
  const { mayOpen } = useMay();
  const store = stores.find(({ id }) => id === storeId);
  return (
    <header className="border-b border-line bg-surface">
      <div className="flex flex-wrap items-center gap-x-2 px-4 py-2 sm:gap-x-5 sm:px-8">
        <Link
          to="/"
          preload={false}
          aria-label={copy.home}
          className="-ml-1 flex min-h-11 items-center rounded-field px-1"
        >
          <Wordmark className="h-7 w-auto max-w-full" />
        </Link>
        <div className="order-last flex w-full items-center gap-2 text-muted sm:order-none sm:w-auto sm:border-l sm:border-line sm:pl-5">
          <Store aria-hidden="true" className="size-5 shrink-0" />
          {stores.length > 1 ? (
            <select
              aria-label={copy.store}
              value={storeId}
              onChange={(event) => onStoreChange(event.target.value)}
              className="min-h-11 w-full min-w-0 rounded-field bg-surface pr-2 text-base font-semibold text-ink"
            >
              <NamedOptions of={stores} />
            </select>
          ) : (
            <p className="min-w-0 py-2 font-semibold text-ink wrap-anywhere sm:py-0">
              {store?.name}
            </p>
          )}
        </div>
        {mayOpen("/dashboard") ? (
          <Link to="/dashboard" className={`ml-auto ${buttonClass({ variant: "quiet" })}`}>
            <LayoutDashboard aria-hidden="true" className="size-5" />
            <span className="sr-only sm:not-sr-only">{copy.office}</span>
          </Link>
        ) : (
          // Members of the till alone have no settings to find it in.
          <Link to="/settings/account" className={`ml-auto ${buttonClass({ variant: "quiet" })}`}>
            <UserRound aria-hidden="true" className="size-5" />
            <span className="sr-only sm:not-sr-only">{copy.account}</span>
          </Link>
        )}
        <Button
          variant="quiet"
          className="-mr-2"
          busy={signOut.isPending}
          onClick={() => signOut.mutate()}
        >
          <LogOut aria-hidden="true" className="size-5" />
          <span className="sr-only sm:not-sr-only">{copy.signOut}</span>
        </Button>
      </div>
      {signOut.isError && (
        <div className="px-4 pb-3 sm:px-8">
          <Alert>{errorMessage(signOut.error, { network: copy.signOutFailed })}</Alert>
        </div>
      )}
    </header>
  );
}
