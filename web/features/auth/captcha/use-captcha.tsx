import { type ReactNode, useRef, useState } from "react";
import { useApp } from "../../../lib/app-context.ts";
import { DeploymentValue } from "../../../ui/deployment-value.tsx";
import { authCopy } from "../auth.copy.ts";
import { CaptchaWidget } from "./captcha-widget.tsx";

export type Captcha = {
  /** Widget for the proof; empty where none is required. */
  widget: ReactNode;
  /** Sentence about a missing proof, before sending; null where there is one. */
  missing: () => string | null;
  /** The proof, for one call: the next one needs another. */
  take: () => string | undefined;
};

/** The proof that one is no robot, in forms that the platform demands it of. */
export function useCaptcha(): Captcha {
  const { captcha } = useApp().config;
  const token = useRef<string | null>(null);
  const [round, setRound] = useState(0);
  if (!captcha) return { widget: null, missing: () => null, take: () => undefined };
  return {
    widget: (
      <DeploymentValue entry="captcha" value={captcha}>
        {() => (
          <CaptchaWidget
            captcha={captcha}
            round={round}
            onToken={(given) => {
              token.current = given;
            }}
          />
        )}
      </DeploymentValue>
    ),
    missing: () => (token.current ? null : authCopy.captcha.missing),
    take: () => {
      const taken = token.current ?? undefined;
      token.current = null;
      setRound((before) => before + 1);
      return taken;
    },
  };
}
