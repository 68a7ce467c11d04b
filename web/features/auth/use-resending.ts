import { useState } from "react";
import { AppError } from "../../lib/app-error.ts";
import { RESEND_SECONDS } from "../../lib/use-countdown.ts";
import type { useResend } from "./auth.mutations.ts";
import type { Credentials, Method } from "./auth.schema.ts";
import type { useCaptcha } from "./captcha/use-captcha.tsx";

/** Sends a confirmation again, once the proof is given, and begins the pause before the next. */
export function useResending(
  resend: ReturnType<typeof useResend>,
  captcha: ReturnType<typeof useCaptcha>,
  pause: (seconds: number) => void,
) {
  const [isUnproven, setIsUnproven] = useState(false);
  const send = (to: { method: Method; values: Credentials }) => {
    const isMissing = captcha.missing() !== null;
    setIsUnproven(isMissing);
    if (isMissing) return;
    resend.mutate(
      { ...to, captchaToken: captcha.take() },
      {
        onSuccess: () => pause(RESEND_SECONDS),
        onError: (error) => {
          if (error instanceof AppError && error.retryAfter) pause(error.retryAfter);
        },
      },
    );
  };
  return { send, isUnproven };
}
