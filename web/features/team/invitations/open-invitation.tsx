import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { InvitationPage } from "#domain/schemas/team.ts";
import { ALREADY_MEMBER, AppError, errorMessage } from "../../../lib/app-error.ts";
import { needsSecondFactor } from "../../../lib/auth/auth.ts";
import { emailDraft } from "../../../lib/auth/email-draft.ts";
import { SIGNED_IN_HOME } from "../../../lib/auth/signed-in-home.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import { useSignOut } from "../../../lib/auth/use-sign-out.ts";
import { formatDate } from "../../../lib/format.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { Ticket } from "../../../ui/ticket.tsx";
import { Wordmark } from "../../../ui/wordmark.tsx";
import { RoleBadge } from "../roles/role-badge.tsx";
import { useAcceptInvitation } from "../team.mutations.ts";
import { roleText } from "../team-words.ts";
import { invitationCopy } from "./invitation.copy.ts";
import { refusalText } from "./refusal-text.ts";

const copy = invitationCopy.open;

/** An invitation that can be accepted. */
export type Open = Extract<InvitationPage, { state: "open" }>;

/** The invitation as a ticket, and below the tear line what this visitor can do with it. */
export function OpenInvitation({ token, invitation }: { token: string; invitation: Open }) {
  const {
    organization,
    inviter,
    role,
    role_name: roleName,
    store,
    email,
    expires_at: until,
    closed,
  } = invitation;
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-lg content-start gap-8 px-5 py-6 sm:content-center">
      <Link to="/" aria-label={invitationCopy.home} className="justify-self-start rounded-field">
        <Wordmark className="h-8 w-auto" />
      </Link>
      <Ticket stub={<Ways token={token} email={email} closed={closed} />}>
        <div className="grid gap-5">
          <div className="grid gap-2">
            <h1 className="text-2xl text-balance wrap-anywhere sm:text-3xl">
              {copy.title(organization)}
            </h1>
            <p className="text-lg text-pretty text-muted">
              {inviter ? copy.from(inviter) : copy.fromTeam}
            </p>
          </div>
          <dl className="grid gap-4">
            <Fact label={copy.role}>
              <RoleBadge role={role} name={roleName} />
              <span className="mt-1 block text-pretty text-muted">
                {roleText({ role, description: invitation.role_description })}
              </span>
            </Fact>
            {store && <Fact label={copy.store}>{store}</Fact>}
            <Fact label={copy.email}>{email}</Fact>
            <Fact label={copy.until}>{formatDate(new Date(until))}</Fact>
          </dl>
        </div>
      </Ticket>
    </main>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-1">
      <dt className="text-sm text-muted">{label}</dt>
      <dd className="font-medium wrap-anywhere">{children}</dd>
    </div>
  );
}

type WaysProps = {
  token: string;
  email: string;
  closed: Open["closed"];
};

/** Actions that depend on the visitor: not signed in, the invited person, or another user. */
function Ways({ token, email, closed }: WaysProps) {
  const session = useSession();
  const refusal = refusalText(closed);
  const mine = session && !needsSecondFactor(session) ? (session.user.email ?? "") : null;
  if (mine?.toLowerCase() === email) {
    return <AcceptInvitation token={token} email={email} closed={closed} />;
  }
  // Nobody makes an account, or changes to another, for nothing.
  if (refusal) return <Alert>{refusal}</Alert>;
  if (mine === null) return <VisitorWays token={token} email={email} />;
  return <StrangerNotice mine={mine} theirs={email} />;
}

/** The invited person joins, also once a closed organisation is open again; the guards then lead to what their role works with. */
function AcceptInvitation({ token, email, closed }: WaysProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const accept = useAcceptInvitation();
  const onJoined = async () => {
    queryClient.removeQueries({ queryKey: ["workspace"] });
    await navigate({ to: SIGNED_IN_HOME, replace: true });
  };
  const problem = refusalText(closed, accept.error);
  return (
    <div className="grid gap-4">
      {problem ? (
        <Alert>{problem}</Alert>
      ) : (
        <p className="text-muted wrap-anywhere">{invitationCopy.member.as(email)}</p>
      )}
      <Button
        size="lg"
        busy={accept.isPending}
        onClick={() => accept.mutate(token, { onSuccess: onJoined })}
      >
        {invitationCopy.member.accept}
      </Button>
      {accept.error instanceof AppError && accept.error.code === ALREADY_MEMBER && (
        <Link to="/settings/team" className={buttonClass({ variant: "secondary", size: "lg" })}>
          {invitationCopy.member.leave}
        </Link>
      )}
    </div>
  );
}

/** Signed in with another address than the invited one: says so, and the ways out. */
function StrangerNotice({ mine, theirs }: { mine: string; theirs: string }) {
  const signOut = useSignOut();
  return (
    <div className="grid gap-4">
      <Alert>
        <p className="wrap-anywhere">
          {mine
            ? invitationCopy.stranger.text(mine, theirs)
            : invitationCopy.stranger.noEmail(theirs)}
        </p>
        <p className="mt-1 font-normal">{invitationCopy.stranger.hint}</p>
      </Alert>
      {signOut.error && <Alert>{errorMessage(signOut.error)}</Alert>}
      <Button size="lg" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        {invitationCopy.stranger.signOut}
      </Button>
      <Link to="/dashboard" className={buttonClass({ variant: "secondary", size: "lg" })}>
        {invitationCopy.stranger.stay}
      </Link>
    </div>
  );
}

/** For visitors who are not signed in: to an account with the invited address, and back here. */
function VisitorWays({ token, email }: { token: string; email: string }) {
  const redirect = `/invitation?${new URLSearchParams({ token })}`;
  const keep = () => emailDraft.keep(email);
  return (
    <div className="grid gap-4">
      <p className="text-pretty text-muted">{invitationCopy.visitor.text}</p>
      <Link
        to="/auth"
        search={{ mode: "signup", redirect }}
        onClick={keep}
        className={buttonClass({ size: "lg" })}
      >
        {invitationCopy.visitor.signUp}
      </Link>
      <Link
        to="/auth"
        search={{ redirect }}
        onClick={keep}
        className={buttonClass({ variant: "secondary", size: "lg" })}
      >
        {invitationCopy.visitor.signIn}
      </Link>
    </div>
  );
}
