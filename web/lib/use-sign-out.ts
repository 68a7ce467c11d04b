import { useMutation } from "@tanstack/react-query";
import { useApp } from "./app-context.ts";
import { RECENT_KEY, tabMemory } from "./device-memory.ts";

/** Signs out on this device; the router's guards then lead away. */
export function useSignOut() {
  const { auth } = useApp();
  return useMutation({
    mutationFn: () => {
      tabMemory.write(RECENT_KEY, "");
      return auth.signOut();
    },
  });
}
