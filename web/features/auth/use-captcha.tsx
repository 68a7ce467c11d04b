import { type ReactNode, useEffect, useRef, useState } from "react";
import { useApp } from "../../lib/app-context.ts";
import type { PublicConfig } from "../../lib/config.ts";
import { Alert } from "../../ui/alert.tsx";
import { Button } from "../../ui/button.tsx";
import { DeploymentValue } from "../../ui/deployment-value.tsx";
import { authCopy } from "./auth.copy.ts";

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

const copy = authCopy.captcha;

type CaptchaWidgetProps = {
  captcha: NonNullable<PublicConfig["captcha"]>;
  /** Another number asks for another proof. */
  round: number;
  onToken: (token: string | null) => void;
};

/** The provider's own widget. Its script loads only where this shows. */
function CaptchaWidget({ captcha, round, onToken }: CaptchaWidgetProps) {
  const container = useRef<HTMLDivElement>(null);
  const report = useRef(onToken);
  const [hasFailed, setHasFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  report.current = onToken;

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round or attempt starts anew.
  useEffect(() => {
    let leave = () => {};
    let isCurrent = true;
    const start = async () => {
      const api = await loadCaptcha(captcha.provider);
      if (!isCurrent || !container.current) return;
      const widget = api.render(container.current, {
        sitekey: captcha.site_key,
        theme: document.documentElement.classList.contains("dark") ? "dark" : "light",
        callback: (token) => report.current(token),
        "expired-callback": () => report.current(null),
        "error-callback": () => {
          report.current(null);
          setHasFailed(true);
        },
      });
      leave = () => api.remove(widget);
    };
    start().catch(() => isCurrent && setHasFailed(true));
    return () => {
      isCurrent = false;
      leave();
    };
  }, [captcha.provider, captcha.site_key, round, attempt]);

  return (
    // Asked for before anything is touched: the page starts by itself (`server/build/start-later.js`).
    <fieldset data-starts className="grid gap-3">
      <legend className="sr-only">{copy.label}</legend>
      {hasFailed && (
        <Alert>
          <p>{copy.failed}</p>
          <Button
            variant="secondary"
            className="mt-3"
            onClick={() => {
              setHasFailed(false);
              setAttempt(attempt + 1);
            }}
          >
            {copy.retry}
          </Button>
        </Alert>
      )}
      <div ref={container} className="min-h-16" />
    </fieldset>
  );
}

type Provider = NonNullable<PublicConfig["captcha"]>["provider"];

/** Interface of both providers' scripts. */
type CaptchaApi = {
  render: (
    container: HTMLElement,
    options: {
      sitekey: string;
      theme: "light" | "dark";
      callback: (token: string) => void;
      "expired-callback": () => void;
      "error-callback": () => void;
    },
  ) => string;
  reset: (widget: string) => void;
  remove: (widget: string) => void;
};

declare global {
  /** There once Cloudflare's script has loaded. */
  var turnstile: CaptchaApi | undefined;
  /** There once hCaptcha's script has loaded. */
  var hcaptcha: CaptchaApi | undefined;
}

/** Where each provider's script is; the server's content security policy names the same places. */
const SCRIPTS: Readonly<Record<Provider, string>> = {
  turnstile: "https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit",
  hcaptcha: "https://js.hcaptcha.com/1/api.js?render=explicit&hl=fr",
};

const apiOf = (provider: Provider) =>
  provider === "turnstile" ? globalThis.turnstile : globalThis.hcaptcha;

/** Loads the provider's script, once a page; a failure may be tried again. */
async function loadCaptcha(provider: Provider): Promise<CaptchaApi> {
  const present = apiOf(provider);
  if (present) return present;
  await new Promise<void>((resolve, reject) => {
    const script = document.createElement("script");
    script.src = SCRIPTS[provider];
    script.async = true;
    script.onload = () => resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error("captcha_unavailable"));
    };
    document.head.append(script);
  });
  const loaded = apiOf(provider);
  if (!loaded) throw new Error("captcha_unavailable");
  return loaded;
}
