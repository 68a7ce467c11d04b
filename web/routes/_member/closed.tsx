import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { ClosedPage } from "../../features/billing/closed-page.tsx";
import { EndDialog } from "../../features/settings/end-dialog.tsx";
import { PortalButton } from "../../features/settings/portal-button.tsx";
import { EndingBanner } from "../../features/shell/ending-banner.tsx";
import { demandClosed } from "../../lib/back-office.ts";
import { useWorkspace } from "../../lib/workspace.ts";
import { LoadingScreen } from "../../ui/loading-screen.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";

export const Route = createFileRoute("/_member/closed")({
  beforeLoad: ({ context }) => demandClosed(context),
  component: Closed,
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
});

function Closed() {
  const [isAsked, setIsAsked] = useState(false);
  const organization = useWorkspace()?.organization;
  return (
    <>
      {organization?.erase_at && <EndingBanner eraseAt={organization.erase_at} />}
      <ClosedPage
        portal={(customerId) => <PortalButton customerId={customerId} />}
        onEnd={() => setIsAsked(true)}
      />
      {isAsked && organization && (
        <EndDialog
          orgId={organization.id}
          name={organization.name}
          onClose={() => setIsAsked(false)}
        />
      )}
    </>
  );
}
