import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { portalResponse } from "#domain/schemas/billing.ts";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, errorMessage, functionError, NETWORK } from "../../../lib/app-error.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { useWorkspace } from "../../../lib/workspace.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { settingsCopy } from "../settings.copy.ts";
import { SETTINGS } from "../settings.queries.ts";

const copy = settingsCopy.portal;

type PortalButtonProps = {
  customerId: string;
  /** Whether the address that led here asks for the portal: it then takes this page's place. */
  isAsked?: boolean;
  /** Whether it is what the person has to do next. */
  isFirst?: boolean;
};

/** Opens the payment provider's own pages in a new tab. */
export function PortalButton({ customerId, isAsked = false, isFirst = false }: PortalButtonProps) {
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
      <Button variant={isFirst ? "primary" : "secondary"} busy={portal.isPending} onClick={open}>
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

/** Opens the portal automatically, once: a user who comes back finds the page. */
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

/** Asks for the address of the payment provider's portal, and opens it in a tab that is there already. */
function usePortal() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ customerId, tab }: { customerId: string; tab: Window | null }) => {
      const { data, error } = await supabase.functions.invoke("billing-portal", {
        body: { customer_id: customerId },
      });
      if (error) throw await functionError(error);
      const url = portalResponse.safeParse(data).data?.portal_url;
      if (!url) throw new AppError(NO_URL);
      if (tab) tab.location.replace(url);
      else window.location.assign(url);
    },
    onError: (_, { tab }) => tab?.close(),
  });
}

/** In the provider's test mode: makes a customer for an organisation whose own is not known there. */
function useTestCustomer() {
  const { supabase } = useApp();
  const session = useSession();
  const name = useWorkspace()?.organization?.name ?? "";
  return useMutation({
    mutationFn: async () => {
      const { data, error } = await supabase.functions.invoke<{ customer_id: string }>(
        "create-test-customer",
        { body: { email: session?.user.email ?? "", name } },
      );
      if (error) throw await functionError(error);
      if (!data) throw new AppError("test_customer_failed");
      return data.customer_id;
    },
  });
}

/** The provider does not know the organisation's customer. */
const CUSTOMER_MISSING = "customer_missing";

/** No address came back. */
const NO_URL = "portal_url_missing";

/**
 * Refusal by the portal itself; any other refusal is one of the call (specification, section 8).
 */
const FORBIDDEN_HERE = "billing_forbidden";

/** Sentences of the specification (section 8), by the code that they explain. */
const SENTENCES: Readonly<Record<string, string>> = {
  payments_off: copy.notConfigured,
  portal_failed: copy.failed,
  test_customer_failed: copy.testFailed,
  test_customer_not_saved: copy.testNotSaved,
  [NO_URL]: copy.noUrl,
  [NETWORK]: copy.failed,
  unknown: copy.failed,
  internal_error: copy.failed,
};

/** Why the portal did not open. */
function portalFailure(error: unknown): string {
  if (!(error instanceof AppError)) return copy.failed;
  const sentence = SENTENCES[error.code];
  if (sentence) return sentence;
  const said = errorMessage(error);
  return error.code === FORBIDDEN_HERE ? copy.named(said) : copy.other(said);
}
