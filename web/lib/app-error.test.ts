import { describe, expect, test } from "vitest";
import { AppError, authError, dataError, errorMessage, functionError } from "./app-error.ts";
import { noteWait } from "./retry-after.ts";

function answered(status: number, body: string) {
  return { context: new Response(body, { status }) };
}

describe("errors of server functions", () => {
  test("keep the code, the status and the details of the answer", async () => {
    const details = { used_at: "2026-11-21T13:32:00Z", used_by: "Camille" };
    const error = await functionError(
      answered(409, JSON.stringify({ error: { code: "code_used", message: "…", details } })),
    );
    expect(error).toMatchObject({ code: "code_used", status: 409, details });
  });

  test("without an answer it is the network", async () => {
    expect((await functionError({ context: new TypeError("Failed to fetch") })).code).toBe(
      "network",
    );
    expect((await functionError({})).code).toBe("network");
  });

  test("an answer that is not ours is known by its status alone", async () => {
    expect((await functionError(answered(401, "<html>"))).code).toBe("unauthenticated");
    expect((await functionError(answered(503, "<html>"))).code).toBe("network");
    expect((await functionError(answered(500, "{}"))).code).toBe("unknown");
  });
});

describe("errors of the data API", () => {
  test.each([
    [{ error: { code: "" }, status: 0 }, "network"],
    [{ error: { code: "42501" }, status: 403 }, "forbidden"],
    [{ error: { code: "PGRST303" }, status: 401 }, "unauthenticated"],
    [{ error: {}, status: 401 }, "unauthenticated"],
    [{ error: { code: "23505" }, status: 409 }, "23505"],
    [{ error: {}, status: 500 }, "unknown"],
    [{ error: { code: "PGRST001" }, status: 503 }, "network"],
  ])("%o is %s", (answer, code) => {
    expect(dataError(answer).code).toBe(code);
  });
});

describe("errors of authentication", () => {
  test.each([
    [{ status: 0 }, "network"],
    [{}, "network"],
    [{ status: 400, code: "invalid_credentials" }, "invalid_credentials"],
    [{ status: 429, code: "over_request_rate_limit" }, "too_many_attempts"],
    [{ status: 500 }, "unknown"],
  ])("%o is %s", (error, code) => {
    expect(authError(error).code).toBe(code);
  });
});

describe("what a person reads", () => {
  test("comes from the code, the feature's own sentence first", () => {
    expect(errorMessage(new AppError("export_busy"))).toBe(
      "Un autre export est en cours. Réessayez dans un instant.",
    );
    expect(errorMessage(new AppError("export_busy"), { export_busy: "Trop tard" })).toBe(
      "Trop tard",
    );
    expect(errorMessage(new AppError("network"))).toBe(
      "Pas de connexion. Vérifiez le réseau, puis réessayez.",
    );
  });

  test("says of a refusal without words of its own what one may do, whatever was refused", () => {
    expect(errorMessage(new AppError("forbidden", { status: 403 }))).toBe(
      "Vous n'avez pas, ou plus, le droit de faire cela. Demandez-le à votre responsable.",
    );
  });

  test("is never the text of an error nobody foresaw", () => {
    expect(errorMessage(new Error("relation does not exist"))).toBe("Une erreur est survenue");
    expect(errorMessage(new AppError("toString"))).toBe("Une erreur est survenue");
    expect(errorMessage(new AppError("XX000"))).toBe("Une erreur est survenue");
  });
});

describe("too many attempts", () => {
  test.each([
    [1, "Trop d'essais. Réessayez dans 1 seconde."],
    [45, "Trop d'essais. Réessayez dans 45 secondes."],
    [91, "Trop d'essais. Réessayez dans 2 minutes."],
    [5400, "Trop d'essais. Réessayez dans 2 heures."],
    [null, "Trop d'essais. Patientez un instant, puis réessayez."],
  ])("with a wait of %s seconds say so", (retryAfter, sentence) => {
    expect(errorMessage(new AppError("too_many_attempts", { retryAfter }))).toBe(sentence);
  });

  test("take the wait from the answer that refused", () => {
    noteWait(new Response(null, { status: 429, headers: { "retry-after": "30" } }));
    const error = authError({ status: 429, code: "over_request_rate_limit" });
    expect([error.code, error.retryAfter]).toEqual(["too_many_attempts", 30]);
  });
});

describe("a session that is not enough", () => {
  test.each([
    ["TV010", "second_factor_required"],
    ["TV011", "unauthenticated"],
  ])("%s is %s", (sqlstate, code) => {
    expect(dataError({ error: { code: sqlstate }, status: 400 }).code).toBe(code);
  });

  test("is missing where the client finds none", () => {
    expect(authError({ name: "AuthSessionMissingError", status: 400 }).code).toBe(
      "unauthenticated",
    );
  });
});
