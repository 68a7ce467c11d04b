import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useApp } from "../../lib/app-context.ts";
import { errorMessage } from "../../lib/app-error.ts";
import { useSignOut } from "../../lib/auth/use-sign-out.ts";
import { useLive } from "../../lib/live/use-live.ts";
import { usePageTitle } from "../../lib/page-title.ts";
import { isUnpaid, useWorkspace } from "../../lib/workspace.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { buttonClass } from "../../ui/button-class.ts";
import { MessageScreen } from "../../ui/states/message-screen.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";
import { billingQuery } from "./billing.queries.ts";
import { closedCopy as copy } from "./closed.copy.ts";

type ClosedPageProps = {
  /** Link to an open bill, if there is one: it belongs to the settings. */
  portal: (customerId: string) => ReactNode;
  /** Asks the owner for the end of the organisation. */
  onEnd: () => void;
};

/** `/closed`: the only page of the back-office once nothing was paid for 30 days. */
export function ClosedPage({ portal, onEnd }: ClosedPageProps) {
  usePageTitle(copy.title);
  const workspace = useWorkspace();
  const may = (permission: string) => workspace?.permissions.includes(permission) ?? false;
  const mayPay = may("billing.manage");
  const owes = isUnpaid(workspace?.plan);
  const why = (owes ? copy.openBill : copy.text)(workspace?.organization?.name ?? "");
  const signOut = useSignOut();
  const check = useCheck();
  // Paid on another device, or by somebody else.
  useLive(workspace?.organization?.id ?? null, "plan", () => check.mutate());
  return (
    <MessageScreen title={copy.title} text={mayPay ? why : `${why} ${copy.others}`}>
      <div className="grid w-full max-w-xs gap-3">
        {mayPay && owes && <OpenBill {...{ portal, check }} />}
        {mayPay && !owes && (
          <Link to="/pricing" className={buttonClass({ size: "lg" })}>
            {copy.plans}
          </Link>
        )}
        {may("organization.delete") && !workspace?.organization?.erase_at && (
          <Button variant="secondary" onClick={onEnd}>
            <span className="text-coral-ink">{copy.end}</span>
          </Button>
        )}
        <Link to="/settings/account" className={buttonClass({ variant: "quiet" })}>
          {copy.account}
        </Link>
        <Button variant="quiet" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {copy.signOut}
        </Button>
        {signOut.isError && <Alert>{errorMessage(signOut.error)}</Alert>}
      </div>
    </MessageScreen>
  );
}

/** Asks whether it is still closed, and leads to the back-office where it is not. */
function useCheck() {
  const queryClient = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: async () => {
      await queryClient.refetchQueries({ queryKey: ["workspace"] }, { throwOnError: true });
      await router.invalidate();
    },
  });
}

type OpenBillProps = Pick<ClosedPageProps, "portal"> & { check: ReturnType<typeof useCheck> };

/** Way to pay an open bill at the provider, and back. */
function OpenBill({ portal, check }: OpenBillProps) {
  const { supabase } = useApp();
  const query = useQuery(billingQuery(supabase));
  const customer = query.data?.customer_id;
  return (
    <>
      {customer && portal(customer)}
      {query.isError && (
        <Alert>
          <p>{errorMessage(query.error)}</p>
          <Button
            variant="secondary"
            className="mt-3"
            busy={query.isFetching}
            onClick={() => query.refetch()}
          >
            {uiCopy.retry}
          </Button>
        </Alert>
      )}
      <Button variant="secondary" busy={check.isPending} onClick={() => check.mutate()}>
        {copy.check}
      </Button>
      {check.isError && <Alert>{errorMessage(check.error)}</Alert>}
    </>
  );
}
