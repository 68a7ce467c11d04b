import { useMutation } from "@tanstack/react-query";
import { useApp } from "../app-context.ts";

/** Signs out on this device; the router's guards then lead away. */
export function useSignOut() {
  const { auth } = useApp();
  return useMutation({
    mutationFn: () => auth.signOut(),
  });
}
