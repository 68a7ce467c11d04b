import { describe, expect, it } from "vitest";
import { readArrival } from "./arrival.ts";
import { OTHER_BROWSER } from "./arrival-problem.ts";

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

  it.each([
    "/auth#access_token=x.y.z&refresh_token=r",
    "/auth?access_token=x.y.z&refresh_token=r&expires_in=3600&token_type=bearer&type=recovery",
    "/auth?code=abc#access_token=x.y.z",
  ])("with somebody's tokens is refused: %s", (rest) => {
    expect(readArrival(SITE + rest, true)).toEqual({
      problem: { code: "otp_expired" },
      address: `${SITE}/auth`,
    });
  });

  it("with nothing of this stays as it is", () => {
    const address = `${SITE}/stores?page=2#bas`;
    expect(readArrival(address, true)).toEqual({ problem: null, address });
  });
});
