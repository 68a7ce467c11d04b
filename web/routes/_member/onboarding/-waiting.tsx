import { LoadingScreen } from "../../../ui/states/loading-screen.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";

/** What the pages of the onboarding share while they load, and when they cannot. */
export const waiting = {
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
  pendingMs: 0,
  pendingMinMs: 0,
};
