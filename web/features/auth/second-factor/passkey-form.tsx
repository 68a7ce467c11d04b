import { useMutation } from "@tanstack/react-query";
import { FingerprintPattern } from "lucide-react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { givePasskey } from "../../../lib/auth/passkey.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";

type PasskeyFormProps = {
  factorId: string;
  onGiven: (() => Promise<void>) | undefined;
};

/** The key of a device as the second step. Browsers ask for it only after a touch of the page. */
export function PasskeyForm({ factorId, onGiven }: PasskeyFormProps) {
  const { supabase } = useApp();
  const give = useMutation({
    mutationFn: async () => {
      await givePasskey(supabase, factorId);
      await onGiven?.();
    },
  });
  return (
    <div className="grid gap-5">
      <p className="text-lg text-pretty text-muted">{passkeyCopy.give}</p>
      {give.error && <Alert>{errorMessage(give.error, passkeyCopy.problems)}</Alert>}
      <Button size="lg" className="w-full" busy={give.isPending} onClick={() => give.mutate()}>
        <FingerprintPattern aria-hidden="true" className="size-5" />
        {passkeyCopy.submit}
      </Button>
    </div>
  );
}
