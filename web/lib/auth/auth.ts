import type { Session } from "@supabase/auth-js";
import { authError, NETWORK } from "../app-error.ts";
import { keepUnsavedFor, RECENT_KEY, tabMemory, UNSAVED_KEY } from "../device-memory.ts";
import { SESSION_KEY, type Supabase } from "../supabase.ts";
import { readAccessToken } from "./access-token.ts";
import type { Arrival } from "./arrival-problem.ts";

type Listener = (now: Session | null, before: Session | null) => void;

export type Auth = ReturnType<typeof createAuth>;

/** Where a tab remembers whose forgotten password is being replaced: reloading must not lose that. */
const RECOVERY_KEY = "tournavis-recovery";

/** Whether this person has a second factor that this session was not given yet. */
export function needsSecondFactor(session: Session | null | undefined): boolean {
  if (!session?.user.factors?.some(({ status }) => status === "verified")) return false;
  return readAccessToken(session.access_token).aal !== "aal2";
}

/**
 * Standing that guards compare: the person, and whether enough was proven. The same text, the same
 * answer.
 */
export function standing(session: Session | null): string {
  return session ? `${session.user.id} ${needsSecondFactor(session) ? "half" : "whole"}` : "";
}

/**
 * Session of the signed-in person (specification, section 4.1): the stored one is read once, then
 * every change is followed, also those of other tabs.
 */
export function createAuth(supabase: Supabase, arrival: Arrival = { problem: null, intent: null }) {
  /** `undefined` until the stored session has been read. */
  let session: Session | null | undefined;
  let reading: Promise<Session | null> | undefined;
  /** The person is signing out here: no word is needed about it. */
  let isLeaving = false;
  /** A session ended that the person did not end here. */
  let hasEnded = false;
  let { problem } = arrival;
  const listeners = new Set<Listener>();

  const settle = (next: Session | null) => {
    const before = session;
    session = next;
    if (next) {
      hasEnded = false;
      keepUnsavedFor(next.user.id);
    }
    // An address's failure is no reason why a session that outlived it ends later.
    else if (before) problem = null;
    if (before === undefined) return;
    for (const listener of listeners) listener(next, before);
  };

  supabase.auth.onAuthStateChange((event, next) => {
    // The initial event also reports no session when the network failed: `ready` tells the two apart.
    if (event === "INITIAL_SESSION") return;
    if (event === "PASSWORD_RECOVERY" && next) tabMemory.write(RECOVERY_KEY, next.user.id);
    if (event === "SIGNED_OUT") {
      hasEnded = !isLeaving;
      // Customer data in this tab, and unsaved text, are cleared on sign-out, once that has succeeded.
      const gone = isLeaving ? [RECOVERY_KEY, RECENT_KEY, UNSAVED_KEY] : [RECOVERY_KEY];
      for (const key of gone) tabMemory.write(key, "");
    }
    settle(next);
  });

  async function readStored(): Promise<Session | null> {
    // Also takes the code of a link that was followed.
    const arrived = await supabase.auth.initialize();
    if (arrived.error) {
      problem ??= authError(arrived.error);
      // A code that was refused is spent: reloading would only have it refused again.
      (await import("./arrival.ts")).takeArrival(SESSION_KEY);
    }
    const { data, error } = await supabase.auth.getSession();
    if (error) {
      const reason = authError(error);
      if (reason.code === NETWORK) throw reason;
    }
    if (session === undefined) settle(data.session);
    return session ?? null;
  }

  /** Ends the session, on this device only or on all: with « local » other tills of the same person stay signed in. */
  async function forget(scope: "local" | "global"): Promise<void> {
    const { error } = await supabase.auth.signOut({ scope });
    if (error) throw authError(error);
  }

  return {
    /** The session where it is known at once, `null` when there is none, else `undefined`. */
    current: () => session,
    /** The session once it has been read; rejects when the network prevents that. */
    ready(): Promise<Session | null> {
      if (session !== undefined) return Promise.resolve(session);
      reading ??= readStored().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    /** Calls back at every change of the session, here or in another tab; answers how to stop. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Signs out here, or on every device of the person. */
    async signOut(scope: "local" | "global" = "local"): Promise<void> {
      isLeaving = true;
      await forget(scope).finally(() => {
        isLeaving = false;
      });
    },
    /** The platform refused the session: the person has to sign in again. */
    async expire(): Promise<void> {
      await forget("local").catch(() => {
        hasEnded = true;
        settle(null);
      });
    },
    /** The platform asks for a second factor: who has one is known anew, and the guards ask for it. */
    async requireSecondFactor(): Promise<void> {
      await supabase.auth.refreshSession();
    },
    /** Whether the last session expired, or was ended elsewhere. */
    hasEnded: () => hasEnded,
    /** Failure of the link that led here. */
    arrivalProblem: () => problem,
    /** Why this tab had left for Google; null unless it comes back from there. */
    googleIntent: () => arrival.intent,
    /** It was shown, and answered by another attempt. */
    forgetArrival(): void {
      problem = null;
    },
    /** Whether this session came from a link to choose a new password. */
    isRecovering: () => Boolean(session) && tabMemory.read(RECOVERY_KEY) === session?.user.id,
    /** The new password is chosen. */
    endRecovery(): void {
      tabMemory.write(RECOVERY_KEY, "");
    },
  };
}
