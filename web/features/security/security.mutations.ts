import type { UserIdentity } from "@supabase/auth-js";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../lib/app-context.ts";
import { authError, dataError } from "../../lib/app-error.ts";
import { googleIntent } from "../../lib/auth/google-intent.ts";
import { addPasskey } from "../../lib/auth/passkey.ts";
import { registerPasskey } from "../../lib/auth/passkey-sign-in.ts";
import { internationalPhone } from "../../lib/phone-number.ts";
import type { Supabase } from "../../lib/supabase.ts";
import type { Factor } from "./security.queries.ts";

const SECURITY = { queryKey: ["security"] };
const PASSKEYS = { queryKey: ["security", "passkeys"] };

/** Issuer of the factors, as authenticator applications show it. */
const ISSUER = "Tournavis";

type PasswordChange = { current: string; password: string; nonce: string };

/** Changes one's own password; the platform says what it wants proven first. */
export function useChangePassword() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ current, password, nonce }: PasswordChange) => {
      const { error } = await supabase.auth.updateUser({
        password,
        ...(current && { current_password: current }),
        ...(nonce.trim() && { nonce: nonce.trim() }),
      });
      if (error) throw authError(error);
      // A copy of the earlier tokens is worthless from now on; if this fails, the next refresh does
      // it.
      await supabase.auth.refreshSession();
      // A first password is a further way in.
      await queryClient.invalidateQueries(SECURITY);
    },
  });
}

/** Sends the code that proves that it is oneself who asks. */
export function useReauthenticate() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async () => {
      const { error } = await supabase.auth.reauthenticate();
      if (error) throw authError(error);
    },
  });
}

/** Leaves for Google to get a further way in, and comes back to this page. */
export function useLinkGoogle() {
  const { supabase, auth } = useApp();
  return useMutation({
    mutationFn: async () => {
      auth.forgetArrival();
      googleIntent.begin("linking");
      const { error } = await supabase.auth.linkIdentity({
        provider: "google",
        options: { redirectTo: window.location.origin + window.location.pathname },
      });
      if (!error) return;
      googleIntent.end();
      throw authError(error);
    },
  });
}

/** Takes a way in away; the session is then told who its person is anew. */
export function useUnlink() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (identity: UserIdentity) => {
      const { error } = await supabase.auth.unlinkIdentity(identity);
      if (error) throw authError(error);
      await supabase.auth.refreshSession();
      await queryClient.invalidateQueries(SECURITY);
    },
  });
}

/** Lets this device make a passkey. */
export function useAddPasskey() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await registerPasskey(supabase);
      await queryClient.invalidateQueries(PASSKEYS);
    },
  });
}

/** Gives a passkey another name. */
export function useRenamePasskey() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (passkey: { passkeyId: string; friendlyName: string }) => {
      const { error } = await supabase.auth.passkey.update(passkey);
      if (error) throw authError(error);
      await queryClient.invalidateQueries(PASSKEYS);
    },
  });
}

/** Removes a passkey. */
export function useRemovePasskey() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (passkeyId: string) => {
      const { error } = await supabase.auth.passkey.delete({ passkeyId });
      if (error) throw authError(error);
      await queryClient.invalidateQueries(PASSKEYS);
    },
  });
}

/** Factors that were begun and never finished would prevent a new one. */
async function dropUnfinished(supabase: Supabase, factors: readonly Factor[]): Promise<void> {
  for (const { id, isVerified } of factors) {
    if (isVerified) continue;
    const { error } = await supabase.auth.mfa.unenroll({ factorId: id });
    if (error) throw authError(error);
  }
}

/** Begins a factor with an authenticator application: its key, as a picture and as letters. */
export function useEnrolTotp() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ name, factors }: { name: string; factors: readonly Factor[] }) => {
      await dropUnfinished(supabase, factors);
      const { data, error } = await supabase.auth.mfa.enroll({
        factorType: "totp",
        friendlyName: name,
        issuer: ISSUER,
      });
      if (error) throw authError(error);
      return { factorId: data.id, secret: data.totp.secret, uri: data.totp.uri };
    },
  });
}

/** Adds the key of a device, which asks its owner itself. */
export function useEnrolPasskey() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ name, factors }: { name: string; factors: readonly Factor[] }) => {
      await dropUnfinished(supabase, factors);
      await addPasskey(supabase, name);
    },
    // An unfinished factor has to go before the next try.
    onSettled: () => queryClient.invalidateQueries(SECURITY),
  });
}

type PhoneEnrolment = { name: string; phone: string; factors: readonly Factor[] };

/** Begins a factor with a phone, and sends it the first code. */
export function useEnrolPhone() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async ({ name, phone, factors }: PhoneEnrolment) => {
      await dropUnfinished(supabase, factors);
      const enrolled = await supabase.auth.mfa.enroll({
        factorType: "phone",
        friendlyName: name,
        phone: internationalPhone(phone),
      });
      if (enrolled.error) throw authError(enrolled.error);
      return {
        factorId: enrolled.data.id,
        challengeId: await challenge(supabase, enrolled.data.id),
      };
    },
  });
}

/** Sends another code to a phone that is being added. */
export function useSendCode() {
  const { supabase } = useApp();
  return useMutation({ mutationFn: (factorId: string) => challenge(supabase, factorId) });
}

async function challenge(supabase: Supabase, factorId: string): Promise<string> {
  const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: "sms" });
  if (error) throw authError(error);
  return data.id;
}

/** Finishes a factor with its first code. */
export function useVerifyFactor() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (given: { factorId: string; challengeId?: string; code: string }) => {
      const { factorId, challengeId } = given;
      const code = given.code.replace(/\s/g, "");
      const { error } = challengeId
        ? await supabase.auth.mfa.verify({ factorId, challengeId, code })
        : await supabase.auth.mfa.challengeAndVerify({ factorId, code });
      if (error) throw authError(error);
      await queryClient.invalidateQueries(SECURITY);
    },
  });
}

/** Removes a factor; the session is then told who its person is anew. */
export function useRemoveFactor() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (factorId: string) => {
      const { error } = await supabase.auth.mfa.unenroll({ factorId });
      if (error) throw authError(error);
      await supabase.auth.refreshSession();
      await queryClient.invalidateQueries(SECURITY);
    },
  });
}

/** Makes ten recovery codes; those before are worth nothing any more. */
export function useCreateRecoveryCodes() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      const answer = await supabase.rpc("create_recovery_codes");
      if (answer.error) throw dataError(answer);
      await queryClient.invalidateQueries(SECURITY);
      return answer.data;
    },
  });
}

/** Signs one device out; false when it was out already. */
export function useEndSession() {
  const { supabase } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (id: string) => {
      const answer = await supabase.rpc("end_session", { p_id: id });
      if (answer.error) throw dataError(answer);
      await queryClient.invalidateQueries(SECURITY);
      return answer.data;
    },
  });
}

/** Signs out everywhere else, or everywhere. */
export function useEndSessions() {
  const { supabase, auth } = useApp();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (scope: "others" | "global") => {
      if (scope === "global") return auth.signOut(scope);
      const { error } = await supabase.auth.signOut({ scope });
      if (error) throw authError(error);
      await queryClient.invalidateQueries(SECURITY);
    },
  });
}
