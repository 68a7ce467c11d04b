import { useMutation } from "@tanstack/react-query";
import { useApp } from "../../lib/app-context.ts";
import { authError } from "../../lib/app-error.ts";
import type { SignInValues } from "./sign-in.schema.ts";

/** Signs in by e-mail and password; the session then moves the router on. */
export function useSignIn() {
  const { supabase } = useApp();
  return useMutation({
    mutationFn: async (values: SignInValues) => {
      const { error } = await supabase.auth.signInWithPassword(values);
      if (error) throw authError(error);
    },
  });
}
