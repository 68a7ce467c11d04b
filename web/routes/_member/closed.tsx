import { useQuery } from "@tanstack/react-query";
import { createFileRoute, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { billingQuery } from "../../features/billing/billing.queries.ts";
import { ClosedPage } from "../../features/billing/closed-page.tsx";
import { EndDialog } from "../../features/settings/own-data/end-dialog.tsx";
import { PortalButton } from "../../features/settings/subscription/portal-button.tsx";
import { EndingBanner } from "../../features/shell/ending-banner.tsx";
import { useApp } from "../../lib/app-context.ts";
import { requireClosed } from "../../lib/back-office.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { LoadingScreen } from "../../ui/states/loading-screen.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";

export const Route = createFileRoute("/_member/closed")({
  beforeLoad: ({ context }) => requireClosed(context),
  component: Closed,
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
});

function Closed() {
  // Came from the mail of an open bill: the portal opens at once.
  const { pay } = useSearch({ strict: false });
  const [isAsked, setIsAsked] = useState(false);
  const { supabase } = useApp();
  const billing = useQuery({ ...billingQuery(supabase), enabled: isAsked });
  const organization = useWorkspace()?.organization;
  return (
    <>
      {organization?.erase_at && <EndingBanner eraseAt={organization.erase_at} />}
      <ClosedPage
        portal={(customerId) => (
          <PortalButton customerId={customerId} isAsked={pay === true} isFirst />
        )}
        onEnd={() => setIsAsked(true)}
      />
      {isAsked && organization && (
        <EndDialog
          orgId={organization.id}
          name={organization.name}
          customerId={billing.data?.customer_id ?? null}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}
