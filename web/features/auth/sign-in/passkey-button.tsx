import { useMutation } from "@tanstack/react-query";
import { FingerprintPattern } from "lucide-react";
import { useSyncExternalStore } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { errorMessage } from "../../../lib/app-error.ts";
import { knowsPasskeys } from "../../../lib/auth/knows-passkeys.ts";
import { passkeyCopy } from "../../../lib/auth/passkey.copy.ts";
import { Alert } from "../../../ui/alert.tsx";
import { Button } from "../../../ui/button.tsx";
import type { Captcha } from "../captcha/use-captcha.tsx";

type PasskeyButtonProps = {
  captcha: Pick<Captcha, "missing" | "take">;
  onRobotUnproven: (isUnproven: boolean) => void;
};

const neverChanges = () => () => {};

/** Signing in with a passkey, where the browser can. */
export function PasskeyButton({ captcha, onRobotUnproven }: PasskeyButtonProps) {
  const { supabase, auth } = useApp();
  // Prerendered at build, where no browser is known yet: a press is held until the script is there.
  const isKnown = useSyncExternalStore(neverChanges, knowsPasskeys, () => true);
  const signIn = useMutation({
    mutationFn: async (captchaToken: string | undefined) => {
      auth.forgetArrival();
      const { signInWithPasskey } = await import("../../../lib/auth/passkey-sign-in.ts");
      await signInWithPasskey(supabase, captchaToken);
    },
  });
  if (!isKnown) return null;
  return (
    <div className="grid gap-4">
      {signIn.error && <Alert>{errorMessage(signIn.error, passkeyCopy.problems)}</Alert>}
      <Button
        variant="secondary"
        size="lg"
        className="w-full"
        busy={signIn.isPending}
        onClick={() => {
          const isMissing = captcha.missing() !== null;
          onRobotUnproven(isMissing);
          if (!isMissing) signIn.mutate(captcha.take());
        }}
      >
        <FingerprintPattern aria-hidden="true" className="size-5" />
        {passkeyCopy.signIn}
      </Button>
    </div>
  );
}
