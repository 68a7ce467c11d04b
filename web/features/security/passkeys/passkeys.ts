import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useApp } from "../../../lib/app-context.ts";
import { authError } from "../../../lib/app-error.ts";
import { registerPasskey } from "../../../lib/auth/passkey-sign-in.ts";
import type { Supabase } from "../../../lib/supabase.ts";

const PASSKEYS = { queryKey: ["security", "passkeys"] };

/** A passkey of one's own. */
export type Passkey = { id: string; name: string; createdAt: Date; usedAt: Date | null };

/** One's passkeys, oldest first. */
export function passkeysQuery(supabase: Supabase) {
  return queryOptions({
    ...PASSKEYS,
    staleTime: 0,
    queryFn: async () => {
      const { data, error } = await supabase.auth.passkey.list();
      if (error) throw authError(error);
      return data.map(
        ({ id, friendly_name, created_at, last_used_at }): Passkey => ({
          id,
          name: friendly_name ?? "",
          createdAt: new Date(created_at),
          usedAt: last_used_at ? new Date(last_used_at) : null,
        }),
      );
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
