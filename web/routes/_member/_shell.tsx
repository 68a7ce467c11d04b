import { createFileRoute, Outlet } from "@tanstack/react-router";
import { ScreenGate, Shell } from "../../features/shell/shell.tsx";
import { withWorkspace } from "../../lib/back-office.ts";
import { LoadingScreen } from "../../ui/states/loading-screen.tsx";
import { uiCopy } from "../../ui/ui.copy.ts";

/** The layout of the screens below it, and the gate that checks who may see them. */
export const Route = createFileRoute("/_member/_shell")({
  beforeLoad: ({ context }) => withWorkspace(context, () => {}),
  component: () => (
    <Shell>
      <ScreenGate>
        <Outlet />
      </ScreenGate>
    </Shell>
  ),
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
  pendingMs: 0,
  pendingMinMs: 0,
});
