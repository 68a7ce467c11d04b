import { Link } from "@tanstack/react-router";
import { errorMessage } from "../../../lib/app-error.ts";
import { useSignOut } from "../../../lib/use-sign-out.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { buttonClass } from "../../../ui/button-class.ts";
import { invitationCopy } from "./invitation.copy.ts";

const copy = invitationCopy.stranger;

/** Signed in with another address than the invited one: says so, and the ways out. */
export function StrangerNotice({ mine, theirs }: { mine: string; theirs: string }) {
  const signOut = useSignOut();
  return (
    <div className="grid gap-4">
      <Alert>
        <p className="wrap-anywhere">{mine ? copy.text(mine, theirs) : copy.noEmail(theirs)}</p>
        <p className="mt-1 font-normal">{copy.hint}</p>
      </Alert>
      {signOut.error && <Alert>{errorMessage(signOut.error)}</Alert>}
      <Button size="lg" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        {copy.signOut}
      </Button>
      <Link to="/dashboard" className={buttonClass({ variant: "secondary", size: "lg" })}>
        {copy.stay}
      </Link>
    </div>
  );
}
