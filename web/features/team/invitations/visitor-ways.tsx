import { Link } from "@tanstack/react-router";
import { emailDraft } from "../../../lib/email-draft.ts";
import { buttonClass } from "../../../ui/button-class.ts";
import { invitationCopy } from "./invitation.copy.ts";

const copy = invitationCopy.visitor;

/** For somebody who is not signed in: to an account with the invited address, and back here. */
export function VisitorWays({ token, email }: { token: string; email: string }) {
  const redirect = `/invitation?${new URLSearchParams({ token })}`;
  const keep = () => emailDraft.keep(email);
  return (
    <div className="grid gap-4">
      <p className="text-pretty text-muted">{copy.text}</p>
      <Link
        to="/auth"
        search={{ mode: "signup", redirect }}
        onClick={keep}
        className={buttonClass({ size: "lg" })}
      >
        {copy.signUp}
      </Link>
      <Link
        to="/auth"
        search={{ redirect }}
        onClick={keep}
        className={buttonClass({ variant: "secondary", size: "lg" })}
      >
        {copy.signIn}
      </Link>
    </div>
  );
}
