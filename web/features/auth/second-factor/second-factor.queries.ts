import { queryOptions, useMutation } from "@tanstack/react-query";
import * as z from "zod/mini";
import { useApp } from "../../../lib/app-context.ts";
import { AppError, authError, dataError, TOO_MANY } from "../../../lib/app-error.ts";
import type { Supabase } from "../../../lib/supabase.ts";

/** A factor that can be asked for. */
export type SecondFactor = {
  id: string;
  type: "totp" | "phone" | "webauthn";
  name: string;
  phone: string;
};

/** The verified factors of the person, and whether they hold recovery codes. */
export function secondFactorsQuery(supabase: Supabase, userId: string) {
  return queryOptions({
    queryKey: ["second-factors", userId],
    // Another device may have added or removed one a moment ago.
    staleTime: 0,
    queryFn: async () => {
      const [listed, counted] = await Promise.all([
        supabase.auth.mfa.listFactors(),
        supabase.rpc("count_recovery_codes"),
      ]);
      if (listed.error) throw authError(listed.error);
      if (counted.error) throw dataError(counted);
      const { totp, phone, webauthn } = listed.data;
      const factors: SecondFactor[] = [
        ...[...webauthn, ...totp].map(({ id, factor_type, friendly_name }) => ({
          id,
          type: factor_type,
          name: friendly_name ?? "",
          phone: "",
        })),
        ...phone.map((factor) => ({
          id: factor.id,
          type: "phone" as const,
          name: factor.friendly_name ?? "",
          phone: phoneOf(factor),
        })),
      ];
      return { factors, hasRecoveryCodes: counted.data > 0 };
    },
  });
}

const withPhone = z.object({ phone: z.optional(z.string()) });

/** The number of a phone factor, which the client's types leave out. */
function phoneOf(factor: object): string {
  const read = withPhone.safeParse(factor);
  return (read.success && read.data.phone) || "";
}

/** Sends a text message with a code; answers the challenge that the code belongs to. */
export function useSendFactorCode() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (factorId: string) => {
      const { data, error } = await supabase.auth.mfa.challenge({ factorId, channel: "sms" });
      if (error) throw authError(error);
      return data.id;
    },
  });
}

/** Gives the second factor; the session is then worth more, and the guards let pass. What follows at once belongs to it. */
export function useGiveFactor(onGiven?: () => Promise<void>) {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (given: { factorId: string; challengeId: string | null; code: string }) => {
      const { factorId, challengeId } = given;
      const code = given.code.replace(/\s/g, "");
      const { error } = challengeId
        ? await supabase.auth.mfa.verify({ factorId, challengeId, code })
        : await supabase.auth.mfa.challengeAndVerify({ factorId, code });
      if (error) throw authError(error);
      await onGiven?.();
    },
  });
}

const recovery = z.object({
  outcome: z.enum(["recovered", "unknown", TOO_MANY]),
  retry_after: z.nullish(z.number()),
});

/** Gives a recovery code instead: all factors go, and the session is as good as any. */
export function useGiveRecoveryCode() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (code: string) => {
      const answer = await supabase.rpc("use_recovery_code", { p_code: code });
      if (answer.error) throw dataError(answer);
      const { outcome, retry_after } = recovery.parse(answer.data);
      if (outcome === "unknown") throw new AppError("recovery_code_refused");
      if (outcome !== "recovered")
        throw new AppError(TOO_MANY, { retryAfter: retry_after ?? null });
      const { error } = await supabase.auth.refreshSession();
      if (error) throw authError(error);
    },
  });
}
