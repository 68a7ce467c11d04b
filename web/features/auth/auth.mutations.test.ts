import { createHash, webcrypto } from "node:crypto";
import { AuthClient } from "@supabase/auth-js";
import { afterEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { provideDigest } from "./auth.mutations.ts";

afterEach(() => vi.unstubAllGlobals());

it("on plain HTTP the platform's client hashes its verifier all the same", async () => {
  // Web Crypto as such a page has it.
  vi.stubGlobal("crypto", {
    getRandomValues: (array: Uint8Array<ArrayBuffer>) => webcrypto.getRandomValues(array),
  });
  provideDigest();
  const kept = new Map<string, string>();
  const bodies: unknown[] = [];
  const auth = new AuthClient({
    url: "http://192.168.1.20:3000/auth/v1",
    flowType: "pkce",
    storageKey: "session",
    autoRefreshToken: false,
    storage: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
    fetch: async (_address, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return Response.json({});
    },
  });
  await auth.signInWithOtp({ email: "nadia@exemple.fr" });
  const verifier = z.string().parse(JSON.parse(kept.get("session-code-verifier") ?? '""'));
  expect(verifier).not.toBe("");
  expect(bodies).toMatchObject([
    {
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "s256",
    },
  ]);
});
