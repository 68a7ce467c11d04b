import { useMutation } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, authError } from "../../../lib/app-error.ts";
import { useUserId } from "../../../lib/auth/use-session.ts";
import { createSupabase, SESSION_KEY, type Supabase } from "../../../lib/supabase.ts";

/** Address or number of an account, in the form of the platform's client. */
export type Contact = { email: string } | { phone: string };

/** A passkey opened another account than the one that is signed in. */
export const OTHER_ACCOUNT = "other_account";

/**
 * Uses a session that has just begun. It answers whether something came of it; else that session is ended again, and the one
 * of this tab has not changed.
 */
export type OnProven = (client: Supabase) => Promise<boolean>;

/** Options of a session of a moment, which no tab, no reload and no address knows of. */
const PASSING = {
  storageKey: `${SESSION_KEY}-proof`,
  // No other browser shall take the code: it is typed.
  flowType: "implicit",
  persistSession: false,
  autoRefreshToken: false,
  detectSessionInUrl: false,
} as const;

function withCaptcha(captchaToken: string | undefined) {
  return captchaToken ? { captchaToken } : {};
}

/** Signs in a second time, for a moment, and does with it what follows. */
function useProof<Given>(
  onProven: OnProven,
  prove: (client: Supabase, given: Given) => Promise<void>,
) {
  const { config } = useApp();
  const userId = useUserId();
  return useMutation({
    mutationFn: async (given: Given) => {
      const client = createSupabase(config, PASSING);
      await prove(client, given);
      const { data } = await client.auth.getSession();
      const isOwn = data.session?.user.id === userId;
      if (isOwn && (await onProven(client))) return;
      // Should this get lost, it is in the list of devices.
      await client.auth.signOut({ scope: "local" });
      if (!isOwn) throw new AppError(OTHER_ACCOUNT);
    },
  });
}

type PasswordProof = { contact: Contact; password: string; captchaToken: string | undefined };

/** Proves it by the password. */
export function useProofByPassword(onProven: OnProven) {
  return useProof(onProven, async (client, { contact, password, captchaToken }: PasswordProof) => {
    const options = withCaptcha(captchaToken);
    const { error } = await client.auth.signInWithPassword({ ...contact, password, options });
    if (error) throw authError(error);
  });
}

/** Proves it by a passkey, which the browser lets the person choose. */
export function useProofByPasskey(onProven: OnProven) {
  return useProof(onProven, async (client, captchaToken: string | undefined) => {
    const { signInWithPasskey } = await import("../../../lib/auth/passkey-sign-in.ts");
    await signInWithPasskey(client, captchaToken);
  });
}

/** Proves it by a code of a mail or of a text message. */
export function useProofByCode(onProven: OnProven) {
  return useProof(
    onProven,
    async (client, { contact, code }: { contact: Contact; code: string }) => {
      const token = code.replace(/\s/g, "");
      const { error } = await client.auth.verifyOtp(
        "email" in contact
          ? { ...contact, token, type: "email" }
          : { ...contact, token, type: "sms" },
      );
      if (error) throw authError(error);
    },
  );
}

/** Sends that code. */
export function useSendProofCode() {
  const { config } = useApp();
  return useMutation({
    mutationFn: async (given: { contact: Contact; captchaToken: string | undefined }) => {
      const options = { shouldCreateUser: false, ...withCaptcha(given.captchaToken) };
      const client = createSupabase(config, PASSING);
      const { error } = await client.auth.signInWithOtp({ ...given.contact, options });
      if (error) throw authError(error);
    },
  });
}
