import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { errorMessage } from "../../../lib/app-error.ts";
import { SIGNED_IN_HOME } from "../../../lib/signed-in-home.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import { useAcceptInvitation } from "../team.mutations.ts";
import { invitationCopy } from "./invitation.copy.ts";

const copy = invitationCopy.member;

/** The invited person joins; the guards then lead to what their role works with. */
export function AcceptInvitation({ token, email }: { token: string; email: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const accept = useAcceptInvitation();
  const onJoined = async () => {
    queryClient.removeQueries({ queryKey: ["workspace"] });
    await navigate({ to: SIGNED_IN_HOME, replace: true });
  };
  return (
    <div className="grid gap-4">
      {accept.error ? (
        <Alert>{errorMessage(accept.error, invitationCopy.failures)}</Alert>
      ) : (
        <p className="text-muted wrap-anywhere">{copy.as(email)}</p>
      )}
      <Button
        size="lg"
        busy={accept.isPending}
        onClick={() => accept.mutate(token, { onSuccess: onJoined })}
      >
        {copy.accept}
      </Button>
    </div>
  );
}
