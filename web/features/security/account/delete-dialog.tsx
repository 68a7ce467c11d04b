import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useId } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { authErrorsCopy } from "../../../lib/auth/auth-errors.copy.ts";
import { useSession } from "../../../lib/auth/use-session.ts";
import type { Supabase } from "../../../lib/supabase.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button, ButtonRow } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { uiCopy } from "../../../ui/ui.copy.ts";
import { passkeysQuery } from "../security.queries.ts";
import { accountCopy } from "./account.copy.ts";
import { useDeleteAccount } from "./account.queries.ts";

const copy = accountCopy.end;

/** Asks for the proof that it is oneself, which belongs to another feature; it calls back with a session that has it. */
export type Proof = (ask: {
  action: string;
  hasPasskeys: boolean;
  onProven: (client: Supabase) => Promise<boolean>;
}) => ReactNode;

/** The last question before an account goes, and the proof that its own person answers. */
export function DeleteDialog({ proof, onClose }: { proof: Proof; onClose: () => void }) {
  const { supabase, auth } = useApp();
  const user = useSession()?.user;
  const navigate = useNavigate();
  const textId = useId();
  // Without them, the password and codes remain.
  const passkeys = useQuery(passkeysQuery(supabase));
  const deletion = useDeleteAccount(user?.id ?? "");
  const onProven = (client: Supabase) =>
    deletion.mutateAsync(client).then(
      async () => {
        await navigate({ to: "/auth/deleted", replace: true });
        // The session ended with the account. Without network this device learns so at the next call.
        await auth.signOut().catch(() => {});
        return true;
      },
      () => false,
    );
  return (
    <Dialog
      title={copy.ask.title}
      describedBy={textId}
      locked={deletion.isPending}
      onClose={onClose}
    >
      <p id={textId} className="text-pretty text-muted">
        {copy.ask.text(user?.email ?? "")}
      </p>
      {deletion.error && (
        <Alert>{errorMessage(deletion.error, { ...authErrorsCopy, ...copy.problems })}</Alert>
      )}
      {!passkeys.isPending &&
        proof({
          action: copy.ask.action,
          hasPasskeys: (passkeys.data ?? []).length > 0,
          onProven,
        })}
      <ButtonRow>
        <Button variant="secondary" waiting={deletion.isPending} onClick={onClose}>
          {uiCopy.cancel}
        </Button>
      </ButtonRow>
    </Dialog>
  );
}
