import { useMutation } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { useApp } from "../../lib/app-context.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { portalFailure } from "./portal-failure.ts";
import { settingsCopy } from "./settings.copy.ts";

const copy = settingsCopy.subscription;

/** Opens the payment provider's own pages in a new tab. */
export function PortalButton({ customerId }: { customerId: string }) {
  const { supabase } = useApp();
  const portal = useMutation({
    mutationFn: async (tab: Window | null) => {
      const { data, error } = await supabase.functions.invoke<{ portal_url?: string }>(
        "billing-portal",
        { body: { customer_id: customerId } },
      );
      if (error) throw new Error(await portalFailure(error));
      if (!data?.portal_url) throw new Error(settingsCopy.portal.noUrl);
      if (tab) tab.location.replace(data.portal_url);
      else window.location.assign(data.portal_url);
    },
    onError: (_, tab) => tab?.close(),
  });
  const open = () => {
    // Opened in the click itself, which no blocker of pop-ups stops; the address follows.
    const tab = window.open("", "_blank");
    if (tab) tab.opener = null;
    portal.mutate(tab);
  };
  return (
    <div className="grid gap-2">
      <Button variant="secondary" busy={portal.isPending} onClick={open}>
        {!portal.isPending && <ExternalLink aria-hidden="true" className="size-5" />}
        {copy.portal}
      </Button>
      <p className="text-sm text-pretty text-muted">{copy.portalHint}</p>
      {portal.isError && <Alert>{portal.error.message}</Alert>}
    </div>
  );
}
