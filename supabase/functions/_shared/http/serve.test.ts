import postgres from "postgres";
import { beforeEach, describe, expect, it } from "vitest";
import { errorCopy } from "../domain/errors/errors.copy.ts";
import { errorBody } from "../domain/errors/errors.ts";
import type { Deps, LogEntry } from "./deps.ts";
import { json, secondsUntil } from "./respond.ts";
import { FunctionFailure, serve } from "./serve.ts";

/** Shared frame around each function's own work: methods, failures, and their log. */

let log: LogEntry[];
let failed: unknown[];

beforeEach(() => {
  log = [];
  failed = [];
});

const depsOf = (more: Partial<Deps> = {}): Deps => ({
  // Nothing is asked of it: it never connects.
  sql: postgres("postgres://127.0.0.1:9/none"),
  now: () => new Date("2026-11-23T10:00:00Z"),
  verifyAccessToken: async () => null,
  signApiToken: null,
  keyedHash: (_, value) => value,
  clientAddress: () => "192.0.2.1",
  payments: null,
  logos: null,
  log: (line) => void log.push(line),
  databaseFailed: (cause) => void failed.push(cause),
  ...more,
});

const settings = { name: "campaign", method: "POST", failure: "campaign_failed" } as const;

async function answerOf(
  work: Parameters<typeof serve>[1],
  {
    method = "POST",
    headers = {},
    deps = depsOf(),
  }: { method?: string; headers?: Record<string, string>; deps?: Deps } = {},
) {
  const request = new Request("http://ici.exemple/functions/v1/campaign", { method, headers });
  const response = await serve(settings, work)(request, deps);
  const text = await response.text();
  const body: unknown = text === "" ? null : JSON.parse(text);
  return {
    status: response.status,
    headers: response.headers,
    body,
    error: errorBody.safeParse(body).data?.error,
  };
}

const throwing = (error: unknown) => async () => {
  throw error;
};

const failure = (facts: object) => Object.assign(new Error("Ana, 06 12 34 56 78"), facts);

describe("a function", () => {
  it("answers preflights and other methods without working", async () => {
    const never = throwing(new Error("worked"));
    expect(await answerOf(never, { method: "OPTIONS" })).toMatchObject({ status: 204, body: null });
    expect(await answerOf(never, { method: "GET" })).toMatchObject({
      status: 405,
      body: { error: { code: "method_not_allowed" } },
    });
    expect(log).toEqual([]);
    expect(await answerOf(async () => json({ done: true }))).toMatchObject({
      status: 200,
      body: { done: true },
    });
  });

  it("says its own failure, and writes down its code and request, nothing of what it was about", async () => {
    const cause = failure({
      code: "23505",
      constraint_name: "codes_key",
      detail: "Ana",
      table_name: "codes",
    });
    const headers = { "x-request-id": "abc" };
    expect(await answerOf(throwing(cause), { headers })).toMatchObject({
      status: 500,
      body: { error: { code: "campaign_failed", message: errorCopy.campaign_failed } },
    });
    expect(log).toEqual([
      {
        event: "function_failed",
        level: "error",
        function: "campaign",
        requestId: "abc",
        code: "23505",
        constraint: "codes_key",
      },
    ]);
    expect(failed).toEqual([]);
  });

  it("writes down no request that has no name, and the kind of an error that has no code", async () => {
    await answerOf(throwing(new TypeError("x")));
    await answerOf(throwing("x"));
    expect(log).toEqual([
      { event: "function_failed", level: "error", function: "campaign", code: "TypeError" },
      { event: "function_failed", level: "error", function: "campaign", code: "string" },
    ]);
  });

  it("has a better word where its work knows one, with what the sentence asks for", async () => {
    const known = new FunctionFailure("customer_failed", failure({ code: "23514" }), "e-mail");
    const { status, error } = await answerOf(throwing(known));
    expect([status, error]).toEqual([
      500,
      { code: "customer_failed", message: "Erreur lors de la création du client: e-mail" },
    ]);
    expect(log).toMatchObject([{ event: "function_failed", code: "23514" }]);
    const bare = await answerOf(throwing(new FunctionFailure("customer_failed", null)));
    expect(bare.error?.message).toBe("Erreur lors de la création du client: ");
  });

  it("asks to come again where the database is away, which another one writes down", async () => {
    const away = failure({ code: "ECONNREFUSED" });
    const full = new FunctionFailure("customer_failed", failure({ code: "53100" }));
    for (const error of [away, full]) {
      const { status, headers, error: told } = await answerOf(throwing(error));
      expect([status, told?.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("retry-after")).toBe("2");
    }
    expect(log).toEqual([]);
    expect(failed).toEqual([away, full.cause]);
    const { databaseFailed: _, ...alone } = depsOf();
    expect((await answerOf(throwing(away), { deps: alone })).status).toBe(503);
  });

  it("asks to come again where a time limit or a deadlock ended a statement, and writes it down", async () => {
    const late = failure({ code: "57014" });
    const crossed = new FunctionFailure("customer_failed", failure({ code: "40P01" }));
    for (const error of [late, crossed]) {
      const { status, headers, error: told } = await answerOf(throwing(error));
      expect([status, told?.code]).toEqual([503, "service_unavailable"]);
      expect(headers.get("retry-after")).toBe("2");
    }
    expect(log).toMatchObject([
      { event: "function_failed", level: "error", code: "57014" },
      { event: "function_failed", level: "error", code: "40P01" },
    ]);
    expect(failed).toEqual([]);
  });

  it("writes down what fails beside its answer, and whose fault that was", async () => {
    await answerOf(async (_request, _deps, fail) => {
      fail("export_broken", failure({ code: "ours" }));
      fail("export_left", failure({ code: "theirs" }), { isOurs: false });
      return json({});
    });
    expect(log).toEqual([
      { event: "export_broken", level: "error", function: "campaign", code: "ours" },
      { event: "export_left", function: "campaign", code: "theirs" },
    ]);
  });
});

it("somebody comes again in whole seconds, one at least, and a minute where nobody knows", () => {
  const now = new Date("2026-11-23T10:00:00.000Z");
  const at = (milliseconds: number) => secondsUntil(new Date(now.getTime() + milliseconds), now);
  expect([at(61_001), at(61_000), at(1), at(0), at(-5000)]).toEqual([62, 61, 1, 1, 1]);
  expect(secondsUntil(null, now)).toBe(60);
});
