import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useApp } from "../../../lib/app-context.ts";
import { SIGNED_IN_HOME } from "../../../lib/auth/signed-in-home.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { loadFailure } from "../../../lib/load-failure.ts";
import { usePageTitle } from "../../../lib/page-title.ts";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { LoadingScreen } from "../../../ui/states/loading-screen.tsx";
import { MessageScreen } from "../../../ui/states/message-screen.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { invitationQuery } from "../team.queries.ts";
import { invitationCopy as copy } from "./invitation.copy.ts";
import { OpenInvitation } from "./open-invitation.tsx";

/** `/invitation?token=…`: who invites, to what, and the way in; or why it is no longer valid. */
export function InvitationPage({ token }: { token: string }) {
  usePageTitle(copy.pageTitle);
  const { supabase } = useApp();
  const session = useSession();
  const query = useQuery(invitationQuery(supabase, token));
  if (query.isPending) return <LoadingScreen text={copy.loading} />;
  if (!query.data) {
    return (
      <MessageScreen title={copy.loadFailed} text={loadFailure(query.error, uiCopy.loadFailed)}>
        <Button busy={query.isFetching} onClick={() => query.refetch()}>
          {uiCopy.retry}
        </Button>
      </MessageScreen>
    );
  }
  if (query.data.state === "open") {
    return <OpenInvitation token={token} invitation={query.data} />;
  }
  const { title, text } = copy.closed[query.data.state];
  return (
    <MessageScreen title={title} text={text}>
      {query.data.state === "accepted" ? (
        <Link to={session ? SIGNED_IN_HOME : "/auth"} className={buttonClass()}>
          {session ? copy.enter : copy.signIn}
        </Link>
      ) : (
        <Link to="/" className={buttonClass()}>
          {copy.home}
        </Link>
      )}
    </MessageScreen>
  );
}
