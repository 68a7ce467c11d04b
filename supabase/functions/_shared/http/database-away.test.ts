import { expect, it } from "vitest";
import { isDatabaseAway, isDatabaseUnable, isDiskFull, isGivenUp } from "./database-away.ts";

/** Which failures are the database's, and pass: whoever asked is told to try again. */

const failure = (code: string) => Object.assign(new Error("x"), { code });

it.each([
  "CONNECTION_CLOSED",
  "CONNECTION_ENDED",
  "CONNECTION_DESTROYED",
  "CONNECT_TIMEOUT",
  "DATABASE_AWAY",
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  "08000",
  "08006",
  "08P01",
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "25006",
])("%s is a database that does not answer", (code) => {
  expect(isDatabaseAway(failure(code))).toBe(true);
  expect(isDiskFull(failure(code))).toBe(false);
  expect(isDatabaseUnable(failure(code))).toBe(true);
});

it("a full disk is another failure that passes", () => {
  expect(isDatabaseAway(failure("53100"))).toBe(false);
  expect(isDiskFull(failure("53100"))).toBe(true);
  expect(isDatabaseUnable(failure("53100"))).toBe(true);
});

it.each([
  ["a row that exists", failure("23505")],
  ["a lock that others wait for", failure("40P01")],
  ["a code that only begins so", failure("080061")],
  ["a code that begins with less", failure("0800")],
  ["a code that only ends so", failure("X57P01")],
  ["a shutdown of another kind", failure("57P05")],
  ["a longer word", failure("ECONNREFUSED_TWICE")],
  ["a word with more before", failure("NO_ECONNREFUSED")],
  ["a failure without a code", new Error("ECONNREFUSED")],
  ["no error at all", "53100"],
])("%s is no failure of the database's", (_, error) => {
  expect(isDatabaseAway(error)).toBe(false);
  expect(isDiskFull(error)).toBe(false);
  expect(isDatabaseUnable(error)).toBe(false);
});

it.each(["57014", "40001", "40P01", "55P03"])(
  "%s is a statement that may be sent again",
  (code) => {
    expect(isGivenUp(failure(code))).toBe(true);
    expect(isDatabaseUnable(failure(code))).toBe(false);
  },
);

it.each(["57P01", "23505", "157014", "570140"])("%s is none", (code) => {
  expect(isGivenUp(failure(code))).toBe(false);
});
