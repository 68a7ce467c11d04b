import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { AppError } from "../../lib/app-error.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CUSTOMER_MISSING, portalFailure } from "./portal-failure.ts";
import { settingsCopy } from "./settings.copy.ts";
import { SETTINGS } from "./settings.queries.ts";
import { usePortal, useTestCustomer } from "./use-portal.ts";

const copy = settingsCopy.portal;

type PortalButtonProps = {
  customerId: string;
  /** Whether the address that led here asks for the portal: it then takes this page's place. */
  isAsked?: boolean;
};

/** Opens the payment provider's own pages in a new tab. */
export function PortalButton({ customerId, isAsked = false }: PortalButtonProps) {
  const queryClient = useQueryClient();
  const portal = usePortal();
  const create = useTestCustomer();
  const open = () => {
    // Opened in the click itself, which no blocker of pop-ups stops; the address follows.
    const tab = window.open("", "_blank");
    if (tab) tab.opener = null;
    portal.mutate({ customerId: create.data ?? customerId, tab });
  };
  usePortalAsked(isAsked, () => portal.mutate({ customerId, tab: null }));
  const isMissing = portal.error instanceof AppError && portal.error.code === CUSTOMER_MISSING;
  return (
    <div className="grid gap-2">
      <Button variant="secondary" busy={portal.isPending} onClick={open}>
        {!portal.isPending && <ExternalLink aria-hidden="true" className="size-5" />}
        {settingsCopy.subscription.portal}
      </Button>
      <p className="text-sm text-pretty text-muted">{settingsCopy.subscription.portalHint}</p>
      {portal.isError && !isMissing && <Alert>{portalFailure(portal.error)}</Alert>}
      {isMissing && (
        <ConfirmDialog
          title={copy.missingTitle}
          action={copy.create}
          busy={create.isPending}
          problem={create.isError ? testFailure(create.error) : null}
          onClose={portal.reset}
          onConfirm={() =>
            create.mutate(undefined, {
              onSuccess: () => {
                portal.reset();
                void queryClient.invalidateQueries({ queryKey: [SETTINGS] });
              },
            })
          }
        >
          {copy.missingText}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Goes on to the portal by itself, once: whoever comes back finds the page. */
function usePortalAsked(isAsked: boolean, open: () => void) {
  const navigate = useNavigate();
  const start = useEffectEvent(async () => {
    await navigate({ to: ".", search: ({ pay: _, ...search }) => search, replace: true });
    open();
  });
  useEffect(() => {
    if (isAsked) void start();
  }, [isAsked]);
}

/** Whatever went wrong, the customer was not made. */
function testFailure(error: unknown): string {
  const isNotSaved = error instanceof AppError && error.code === "test_customer_not_saved";
  return isNotSaved ? copy.testNotSaved : copy.testFailed;
}
