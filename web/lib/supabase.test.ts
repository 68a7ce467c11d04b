import { afterEach, expect, it, vi } from "vitest";
import { unknownOperator } from "#domain/schemas/operator.ts";
import { createSupabase } from "./supabase.ts";

afterEach(() => vi.unstubAllGlobals());

it("a read that the network loses is told at once: trying again is the query client's", async () => {
  const lost = vi.fn(async () => {
    throw new TypeError("Failed to fetch");
  });
  vi.stubGlobal("fetch", lost);
  // The socket's client, which the application leaves out, looks for one at once.
  vi.stubGlobal("WebSocket", class {});
  const supabase = createSupabase({
    supabase_url: "http://localhost:9",
    publishable_key: "anon",
    local: false,
    mailbox: false,
    google: false,
    phone: false,
    captcha: null,
    payments: null,
    operator: unknownOperator,
  });
  const { error, status } = await supabase.from("stores").select("id");
  expect(error?.message).toContain("Failed to fetch");
  expect(status).toBe(0);
  expect(lost).toHaveBeenCalledTimes(1);
});
