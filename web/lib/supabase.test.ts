import { createClient } from "@supabase/supabase-js";
import { afterEach, expect, it, vi } from "vitest";
import { unknownOperator } from "#domain/schemas/operator.ts";
import type { Database } from "../../supabase/types/database.types.ts";
import type { PublicConfig } from "./config.ts";
import { createSupabase, type Supabase } from "./supabase.ts";

const config: PublicConfig = {
  supabase_url: "http://localhost:9",
  publishable_key: "anon",
  local: false,
  mailbox: false,
  google: false,
  phone: false,
  captcha: null,
  payments: null,
  push_key: null,
  public_rating: false,
  operator: unknownOperator,
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("a read that the network loses fails at once: trying again is the query client's", async () => {
  const lost = vi.fn(async () => {
    throw new TypeError("Failed to fetch");
  });
  vi.stubGlobal("fetch", lost);
  const { error, status } = await createSupabase(config).from("stores").select("id");
  expect(error?.message).toContain("Failed to fetch");
  expect(status).toBe(0);
  expect(lost).toHaveBeenCalledTimes(1);
});

/** Patience that ends when the test says so, and a network on which no answer comes to what it was asked. */
function hangingNetwork() {
  const patience = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(patience.signal);
  const asked = new Promise<void>((resolve) => {
    vi.stubGlobal("fetch", (_: RequestInfo, init?: RequestInit) => {
      resolve();
      return new Promise<Response>((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    });
  });
  return { patience, asked };
}

it("a read that hangs is given up, also where the screen can call it off", async () => {
  const { patience, asked } = hangingNetwork();
  const { signal } = new AbortController();
  const read = createSupabase(config).from("stores").select("id").abortSignal(signal).then();
  await asked;
  patience.abort(new DOMException("The operation timed out.", "TimeoutError"));
  expect(await read).toMatchObject({ data: null, status: 0 });
});

it("a read that nobody waits for is called off before", async () => {
  const { asked } = hangingNetwork();
  const screen = new AbortController();
  const read = createSupabase(config).from("stores").select("id").abortSignal(screen.signal).then();
  await asked;
  screen.abort();
  expect(await read).toMatchObject({ data: null, status: 0 });
});

it("asks the platform for the same as its official client does", async () => {
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    const headers = Object.fromEntries(request.headers);
    // Each of the libraries names itself.
    delete headers["x-client-info"];
    asked.push([request.method, request.url, headers, await request.text()]);
    throw new TypeError("Failed to fetch");
  });
  // The authentication client tells the console of what the network lost.
  vi.spyOn(console, "error").mockImplementation(() => {});
  // The official client's socket looks for one, which Node 20 does not have.
  vi.stubGlobal("WebSocket", class {});
  const requestsOf = async (client: Pick<Supabase, "auth" | "functions" | "from" | "rpc">) => {
    await client.from("stores").select("id").eq("name", "Chez Léa").retry(false);
    await client.from("stores").update({ name: "Chez Léa" }).eq("id", "1");
    await client.rpc("my_workspace");
    await client.functions.invoke("redeem", { body: { code: "TRN-1" } });
    await client.auth.signInWithPassword({ email: "lea@exemple.fr", password: "roue-des-cadeaux" });
    return asked.splice(0);
  };
  const official = createClient<Database>(config.supabase_url, config.publishable_key);
  const expected = await requestsOf(official);
  expect(expected).toHaveLength(5);
  expect(await requestsOf(createSupabase(config))).toEqual(expected);
});
