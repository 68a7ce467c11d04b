import type { Session } from "@supabase/supabase-js";
import { authError } from "./app-error.ts";
import type { Supabase } from "./supabase.ts";

type Listener = (now: Session | null, before: Session | null) => void;

export type Auth = ReturnType<typeof createAuth>;

/**
 * Who is signed in (specification, section 4.1): the stored session is read once, then every
 * change is followed, also those of other tabs.
 */
export function createAuth(supabase: Supabase) {
  /** `undefined` until the stored session has been read. */
  let session: Session | null | undefined;
  let reading: Promise<Session | null> | undefined;
  const listeners = new Set<Listener>();

  const settle = (next: Session | null) => {
    const before = session;
    session = next;
    if (before === undefined || before?.user.id === next?.user.id) return;
    for (const listener of listeners) listener(next, before);
  };

  supabase.auth.onAuthStateChange((event, next) => {
    // The initial event also says « nobody » when the network failed: `ready` tells the two apart.
    if (event !== "INITIAL_SESSION") settle(next);
  });

  async function readStored(): Promise<Session | null> {
    const { data, error } = await supabase.auth.getSession();
    if (error) {
      const reason = authError(error);
      if (reason.code === "network") throw reason;
    }
    if (session === undefined) settle(data.session);
    return session ?? null;
  }

  /** Forgets the session on this device only: other tills of the same person stay signed in. */
  async function forget(): Promise<void> {
    const { error } = await supabase.auth.signOut({ scope: "local" });
    if (error) throw authError(error);
  }

  return {
    /** The session where it is known at once, `null` when nobody is signed in, else `undefined`. */
    current: () => session,
    /** The session once it has been read; rejects when the network prevents that. */
    ready(): Promise<Session | null> {
      if (session !== undefined) return Promise.resolve(session);
      reading ??= readStored().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    /** Calls back when somebody signs in or out, here or in another tab. */
    subscribe(listener: Listener): void {
      listeners.add(listener);
    },
    signOut: forget,
    /** The platform refused the session: the person has to sign in again. */
    async expire(): Promise<void> {
      await forget().catch(() => settle(null));
    },
  };
}
