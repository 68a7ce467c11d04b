import { randomUUID } from "node:crypto";
import { type AuthChangeEvent, createClient } from "@supabase/supabase-js";
import { vi } from "vitest";
import type { Bench } from "./service.ts";

/** The official client as a page has it: its address, its storage, what happened to it. */
export type Page = {
  auth: ReturnType<typeof createClient>["auth"];
  /** Auth events in order, as the application hears them. */
  events: AuthChangeEvent[];
  /** Entries of the storage; the session stands under `key`. */
  storage: Map<string, string>;
  key: string;
  /** Result of the client's reading of its address. */
  opened: ReturnType<ReturnType<typeof createClient>["auth"]["initialize"]>;
};

/**
 * Opens a page: as much of a browser as the client looks at. `storage` goes on from an earlier
 * page, `fetch` stands between the client and the service. Call `vi.unstubAllGlobals()` afterwards.
 */
export function openPage(
  bench: Bench,
  {
    url = "https://tournavis.exemple.fr/dashboard",
    flowType = "implicit",
    previous,
    fetch = async (input, init) => bench.service.fetch(new Request(input, init)),
  }: {
    url?: string;
    flowType?: "implicit" | "pkce";
    previous?: Pick<Page, "storage" | "key">;
    fetch?: typeof globalThis.fetch;
  } = {},
): Page {
  const { storage, key } = previous ?? { storage: new Map<string, string>(), key: randomUUID() };
  vi.stubGlobal("window", { location: { href: url, hash: "" }, history: { replaceState() {} } });
  vi.stubGlobal("document", { visibilityState: "visible" });
  vi.stubGlobal("BroadcastChannel", undefined);
  const { auth } = createClient(bench.settings.siteUrl, bench.deps.secrets.publishableKey, {
    auth: {
      flowType,
      storageKey: key,
      persistSession: true,
      // Settings of the application; nothing may happen on its own here.
      autoRefreshToken: false,
      detectSessionInUrl: true,
      storage: {
        getItem: (name) => storage.get(name) ?? null,
        setItem: (name, value) => void storage.set(name, value),
        removeItem: (name) => void storage.delete(name),
      },
    },
    global: { fetch },
  });
  const events: AuthChangeEvent[] = [];
  auth.onAuthStateChange((event) => void events.push(event));
  return { auth, events, storage, key, opened: auth.initialize() };
}
