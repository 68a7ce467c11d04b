import { describe, expect, it } from "vitest";
import { NETWORK, TOO_MANY } from "./app-error.ts";
import { endsSession, OTHER_BROWSER, readArrival } from "./arrival.ts";

const SITE = "https://tournavis.example";

describe("an address that somebody arrives with", () => {
  it.each([
    "?error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid",
    "#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid&sb=",
    "?error=access_denied&error_code=otp_expired#error=access_denied&error_code=otp_expired",
  ])("says what went wrong: %s", (rest) => {
    expect(readArrival(`${SITE}/auth${rest}`, true)).toEqual({
      problem: { code: "otp_expired" },
      address: `${SITE}/auth`,
    });
  });

  it("names the error where there is no code, and keeps the rest of the address", () => {
    const { problem, address } = readArrival(
      `${SITE}/auth?redirect=%2Fstores&error=access_denied&error_description=No`,
      false,
    );
    expect(problem).toEqual({ code: "access_denied" });
    expect(address).toBe(`${SITE}/auth?redirect=%2Fstores`);
    expect(readArrival(`${SITE}/#error_description=No`, false).problem).toEqual({
      code: "unknown",
    });
  });

  it("with a code belongs to the browser that asked for it", () => {
    const address = `${SITE}/auth/reset-password?code=abc`;
    expect(readArrival(address, true)).toEqual({ problem: null, address });
    expect(readArrival(address, false)).toEqual({
      problem: { code: OTHER_BROWSER },
      address: `${SITE}/auth/reset-password`,
    });
  });

  it("with somebody's tokens is refused", () => {
    expect(readArrival(`${SITE}/auth#access_token=x.y.z&refresh_token=r`, true)).toEqual({
      problem: { code: "otp_expired" },
      address: `${SITE}/auth`,
    });
  });

  it("with nothing of this stays as it is", () => {
    const address = `${SITE}/stores?page=2#bas`;
    expect(readArrival(address, true)).toEqual({ problem: null, address });
  });
});

describe("what an address brings", () => {
  it.each([
    ["nothing", null, false],
    ["an identity that another account has", { code: "identity_already_exists" }, false],
    ["an identity that is none", { code: "identity_not_found" }, false],
    ["the last identity, which stays", { code: "single_identity_not_deletable" }, false],
    ["a code of another browser", { code: OTHER_BROWSER }, false],
    ["a network that fails", { code: NETWORK }, false],
    ["a limit that is reached", { code: TOO_MANY }, false],
    ["a link that is over", { code: "otp_expired" }, true],
    ["an error of any other code", { code: "access_denied" }, true],
  ])("ends the stored session or leaves it: %s", (_, problem, ends) => {
    expect(endsSession(problem)).toBe(ends);
  });
});
