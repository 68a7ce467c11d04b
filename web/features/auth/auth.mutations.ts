import { useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { useApp } from "../../lib/app-context.ts";
import { AppError, authError, NETWORK } from "../../lib/app-error.ts";
import { googleIntent } from "../../lib/auth/google-intent.ts";
import type { PublicConfig } from "../../lib/config.ts";
import { deviceMemory } from "../../lib/device-memory.ts";
import { internationalPhone } from "../../lib/phone-number.ts";
import { SESSION_KEY } from "../../lib/supabase.ts";
import type { Credentials, Method } from "./auth.schema.ts";
import { linkProof } from "./confirmation/link-proof.ts";

/**
 * Browsers hide `crypto.subtle` from pages of plain HTTP (`npm start -- --lan`). The platform's client would then send the
 * verifier of its sign-ins in the clear, which the service refuses: the one function that it asks for is given to it.
 */
export function provideDigest(): void {
  if (crypto.subtle) return;
  const digest = async (_algorithm: string, data: Uint8Array): Promise<Uint8Array> => {
    const { sha256 } = await import("@noble/hashes/sha2.js");
    return sha256(data);
  };
  Object.defineProperty(crypto, "subtle", { value: { digest }, configurable: true });
}

// All that begins a sign-in is in this file.
provideDigest();

/** Identifier of an account, in the form of the platform's client. */
function identity(method: Method, { email, phone }: Credentials) {
  return method === "email" ? { email } : { phone: internationalPhone(phone) };
}

type Attempt = { method: Method; values: Credentials; captchaToken: string | undefined };

function withCaptcha(captchaToken: string | undefined) {
  return captchaToken ? { captchaToken } : {};
}

/** Signs in by password; the session then moves the page on. */
export function useSignIn() {
  const { supabase, auth } = useApp();
  return useMutation({
    mutationFn: async ({ method, values, captchaToken }: Attempt) => {
      auth.forgetArrival();
      const { error } = await supabase.auth.signInWithPassword({
        ...identity(method, values),
        password: values.password,
        options: withCaptcha(captchaToken),
      });
      if (error) throw authError(error);
    },
  });
}

/** Signs up; answers whether the account can be used at once, without a confirmation. */
export function useSignUp(confirmUrl: string) {
  const { supabase, auth } = useApp();
  return useMutation({
    mutationFn: async ({ method, values, captchaToken }: Attempt) => {
      auth.forgetArrival();
      const { data, error } = await supabase.auth.signUp({
        ...identity(method, values),
        password: values.password,
        options: {
          data: { full_name: values.fullName },
          ...(method === "email" && { emailRedirectTo: confirmUrl }),
          ...withCaptcha(captchaToken),
        },
      });
      if (error) throw authError(error);
      return { isSignedIn: data.session !== null };
    },
  });
}

/** Where the platform's client keeps what proves to the service that this browser signed up. */
const VERIFIER_KEY = `${SESSION_KEY}-code-verifier`;

/** Sends the confirmation again: the mail with its link, or the text message with its code. */
export function useResend(confirmUrl: string) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ method, values, captchaToken }: Attempt) => {
      const options = withCaptcha(captchaToken);
      const verifier = deviceMemory.read(VERIFIER_KEY) ?? "";
      const { error } =
        method === "email"
          ? await supabase.auth.resend({
              type: "signup",
              email: values.email,
              options: { ...options, emailRedirectTo: confirmUrl },
            })
          : await supabase.auth.resend({
              type: "sms",
              phone: internationalPhone(values.phone),
              options,
            });
      // The client has made a new one, which proves that this browser asked again: not that it signed up.
      deviceMemory.write(VERIFIER_KEY, verifier);
      if (error) throw authError(error);
    },
  });
}

/** Confirms a phone number with the code of the text message, which also signs in. */
export function useConfirmPhone({ phone, password, fullName }: Credentials) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (token: string) => {
      const { data, error } = await supabase.auth.verifyOtp({
        type: "sms",
        phone: internationalPhone(phone),
        token: token.replace(/\s/g, ""),
      });
      if (error) throw authError(error);
      // Once several people signed up with this number, the service keeps nothing of any of them.
      if (data.user?.user_metadata.full_name !== undefined) return;
      const updated = await supabase.auth.updateUser({ password, data: { full_name: fullName } });
      if (updated.error) throw authError(updated.error);
    },
  });
}

/** Confirms the sign-up of a link that was opened in another browser, with a name and a password given here. */
export function useConfirmSignUp() {
  const { supabase, auth } = useApp();
  return useMutation({
    mutationFn: async ({ fullName, password }: Pick<Credentials, "fullName" | "password">) => {
      auth.forgetArrival();
      const token = linkProof.token();
      if (token) {
        const { error } = await supabase.auth.verifyOtp({ type: "signup", token_hash: token });
        if (error) throw authError(error);
        linkProof.spend();
      }
      const { error } = await supabase.auth.updateUser({ password, data: { full_name: fullName } });
      if (error) throw authError(error);
      linkProof.drop();
    },
  });
}

/** Opens the session of a link for a new password, whose token this uses up. */
export function useOpenRecovery() {
  const { supabase, auth } = useApp();
  return useMutation({
    mutationFn: async (token: string) => {
      const { error } = await supabase.auth.verifyOtp({ type: "recovery", token_hash: token });
      if (error) throw authError(error);
      auth.forgetArrival();
    },
  });
}

/** Leaves for Google to sign in, and comes back to `target`. */
export function useGoogle(target: string) {
  const { supabase, auth, config } = useApp();
  return useMutation({
    mutationFn: async () => {
      auth.forgetArrival();
      await checkGoogle(config);
      googleIntent.begin("sign-in");
      const { error } = await supabase.auth.signInWithOAuth({
        provider: "google",
        options: { redirectTo: window.location.origin + target },
      });
      if (!error) return;
      googleIntent.end();
      throw authError(error);
    },
  });
}

/** Sends a link to choose a new password; never reveals whether the account exists. */
export function useForgotPassword() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ email, captchaToken }: { email: string; captchaToken?: string }) => {
      const { error } = await supabase.auth.resetPasswordForEmail(email, {
        redirectTo: `${window.location.origin}/auth/reset-password`,
        ...withCaptcha(captchaToken),
      });
      if (error) throw authError(error);
    },
  });
}

/** Replaces a forgotten password, in the session that its link began. */
export function useResetPassword() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (password: string) => {
      const { error } = await supabase.auth.updateUser({ password });
      if (error) throw authError(error);
      // A copy of the earlier tokens is worthless from now on; if this fails, the next refresh does
      // it.
      await supabase.auth.refreshSession();
    },
  });
}

/** Timeout of the request before the page is left. */
const TIMEOUT_MS = 15_000;

const settings = z.object({ external: z.object({ google: z.boolean() }) });

/**
 * Asks the platform whether it would lead to Google, before the page is left for it: one that cannot be reached is told
 * here, beside what was typed, instead of on a page of the browser.
 */
async function checkGoogle(config: PublicConfig): Promise<void> {
  const response = await fetch(`${config.supabase_url}/auth/v1/settings`, {
    headers: { apikey: config.publishable_key },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw new AppError(NETWORK, { cause });
  });
  const { status } = response;
  const read = settings.safeParse(await response.json().catch(() => null));
  if (!response.ok || !read.success) throw new AppError("unknown", { status });
  if (!read.data.external.google) throw new AppError("provider_disabled", { status });
}
