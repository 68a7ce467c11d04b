import { useMutation } from "@tanstack/react-query";
import { portalResponse } from "#domain/schemas/billing.ts";
import { useApp } from "../../lib/app-context.ts";
import { AppError, functionError } from "../../lib/app-error.ts";
import { useSession } from "../../lib/auth/use-session.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { NO_URL } from "./portal-failure.ts";

/** Asks for the address of the payment provider's portal, and opens it in a tab that is there already. */
export function usePortal() {
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
export function useTestCustomer() {
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
