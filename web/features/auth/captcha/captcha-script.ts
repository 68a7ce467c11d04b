import type { PublicConfig } from "../../../lib/config.ts";

type Provider = NonNullable<PublicConfig["captcha"]>["provider"];

/** What both providers' scripts offer. */
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
export async function loadCaptcha(provider: Provider): Promise<CaptchaApi> {
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
