import { createFileRoute } from "@tanstack/react-router";
import * as z from "zod/mini";
import { InvitationPage } from "../features/team/invitations/invitation-page.tsx";
import { LoadingScreen } from "../ui/states/loading-screen.tsx";
import { uiCopy } from "../ui/ui.copy.ts";

/** Public: the invited person may have no account yet. */
export const Route = createFileRoute("/invitation")({
  validateSearch: z.object({ token: z.catch(z.string(), "") }),
  // Offline the session is unknown, and the page says so.
  loader: ({ context: { auth } }) =>
    auth.ready().then(
      () => null,
      () => null,
    ),
  component: Invitation,
  pendingComponent: () => <LoadingScreen text={uiCopy.loading} />,
});

function Invitation() {
  const { token } = Route.useSearch();
  return <InvitationPage key={token} token={token} />;
}
