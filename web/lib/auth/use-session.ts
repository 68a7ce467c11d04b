import type { Session } from "@supabase/auth-js";
import { useSyncExternalStore } from "react";
import { useApp } from "../app-context.ts";

/** The session, followed as it changes; `undefined` until it has been read. */
export function useSession(): Session | null | undefined {
  const { auth } = useApp();
  return useSyncExternalStore(auth.subscribe, auth.current, auth.current);
}

/** Whose session it is, for pages below the guard of `_member`; blank for the blink between signing out and leaving. */
export function useUserId(): string {
  return useSession()?.user.id ?? "";
}
