import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { InvitationPage } from "#domain/schemas/team.ts";
import { needsSecondFactor } from "../../../lib/auth.ts";
import { formatDate } from "../../../lib/format.ts";
import { useSession } from "../../../lib/use-session.ts";
import { Ticket } from "../../../ui/ticket.tsx";
import { Wordmark } from "../../../ui/wordmark.tsx";
import { RoleBadge } from "../roles/role-badge.tsx";
import { roleText } from "../roles/role-words.ts";
import { AcceptInvitation } from "./accept-invitation.tsx";
import { invitationCopy } from "./invitation.copy.ts";
import { StrangerNotice } from "./stranger-notice.tsx";
import { VisitorWays } from "./visitor-ways.tsx";

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
  } = invitation;
  return (
    <main className="mx-auto grid min-h-dvh w-full max-w-lg content-start gap-8 px-5 py-6 sm:content-center">
      <Link to="/" aria-label={invitationCopy.home} className="justify-self-start rounded-field">
        <Wordmark className="h-8 w-auto" />
      </Link>
      <Ticket stub={<Ways token={token} email={email} />}>
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

/** What somebody can do depends on who they are here: nobody yet, the invited person, or somebody else. */
function Ways({ token, email }: { token: string; email: string }) {
  const session = useSession();
  if (!session || needsSecondFactor(session)) return <VisitorWays token={token} email={email} />;
  const mine = session.user.email ?? "";
  if (mine.toLowerCase() !== email) return <StrangerNotice mine={mine} theirs={email} />;
  return <AcceptInvitation token={token} email={email} />;
}
