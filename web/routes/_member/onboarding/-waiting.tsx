import { LoadingScreen } from "../../../ui/states/loading-screen.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";

/** Waiting and failure of all pages of the onboarding. */
export const waiting = {
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
  pendingMs: 0,
  pendingMinMs: 0,
};
