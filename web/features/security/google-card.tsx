import type { UserIdentity } from "@supabase/auth-js";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import { AppError, errorMessage, NETWORK } from "../../lib/app-error.ts";
import { authErrorsCopy } from "../../lib/auth/auth-errors.copy.ts";
import { useRestored } from "../../lib/input/use-restored.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { GoogleMark } from "../../ui/google-mark.tsx";
import { Notice } from "../../ui/notice.tsx";
import { securityCopy } from "./security.copy.ts";
import { useLinkGoogle, useUnlink } from "./security.mutations.ts";
import { identitiesQuery } from "./security.queries.ts";
import { Card, Loading } from "./security-frame.tsx";

const copy = securityCopy.google;

/** A sentence for what Google, or the platform, refused. */
function sentence(error: AppError): string {
  const own: Readonly<Record<string, string>> = copy.codes;
  const known = { ...authErrorsCopy, ...own };
  return Object.hasOwn(known, error.code) || error.code === NETWORK
    ? errorMessage(error, known)
    : copy.failed;
}

/** Google as a way in beside the password: linking it, and taking it away again. */
export function GoogleCard() {
  const { supabase, config } = useApp();
  const identities = useQuery(identitiesQuery(supabase));
  const [isUnlinked, setIsUnlinked] = useState(false);
  const google = identities.data?.find(({ provider }) => provider === "google");
  if (!config.google && !google) return null;
  return (
    <Card>
      <h2 className="flex items-center gap-3 text-xl">
        <GoogleMark />
        {copy.title}
      </h2>
      <Loading of={identities} lines={1} />
      {identities.data &&
        (google ? (
          <Linked
            identity={google}
            isOnly={identities.data.length === 1}
            onUnlinked={() => setIsUnlinked(true)}
          />
        ) : (
          <>
            {isUnlinked && <Notice tone="done">{copy.unlinked}</Notice>}
            <Unlinked />
          </>
        ))}
    </Card>
  );
}

function Unlinked() {
  const { auth } = useApp();
  const link = useLinkGoogle();
  useRestored(link.reset);
  const brought = auth.googleIntent() === "linking" ? auth.arrivalProblem() : null;
  const problem = link.error ?? (brought && new AppError(brought.code));
  return (
    <>
      <p className="max-w-[60ch] text-pretty text-muted">{copy.text}</p>
      {problem instanceof AppError && <Alert>{sentence(problem)}</Alert>}
      <Button
        variant="secondary"
        className="justify-self-start"
        // Google's page follows: the button stays busy until then.
        busy={link.isPending || link.isSuccess}
        onClick={() => link.mutate()}
      >
        {copy.link}
      </Button>
    </>
  );
}

type LinkedProps = {
  identity: UserIdentity;
  /** There is no other way in. */
  isOnly: boolean;
  onUnlinked: () => void;
};

function Linked({ identity, isOnly, onUnlinked }: LinkedProps) {
  const { auth } = useApp();
  const unlink = useUnlink();
  const [isAsking, setIsAsking] = useState(false);
  const account: unknown = identity.identity_data?.email;
  const isNew = auth.googleIntent() === "linking" && !auth.arrivalProblem();
  return (
    <>
      {isNew && <Notice tone="done">{copy.done}</Notice>}
      <p className="max-w-[60ch]">
        {typeof account === "string" ? copy.linkedTo(account) : copy.linked}
      </p>
      {isOnly ? (
        <p className="max-w-[60ch] text-pretty text-muted">{copy.only}</p>
      ) : (
        <Button
          variant="secondary"
          className="justify-self-start"
          onClick={() => {
            unlink.reset();
            setIsAsking(true);
          }}
        >
          {copy.unlink}
        </Button>
      )}
      {isAsking && (
        <ConfirmDialog
          title={copy.unlinkTitle}
          action={copy.unlink}
          busy={unlink.isPending}
          problem={unlink.error instanceof AppError ? sentence(unlink.error) : null}
          onClose={() => setIsAsking(false)}
          // Not a callback of `mutate`: what is shown here goes with the identity.
          onConfirm={() => unlink.mutateAsync(identity).then(onUnlinked, () => {})}
        >
          {copy.unlinkText}
        </ConfirmDialog>
      )}
    </>
  );
}
