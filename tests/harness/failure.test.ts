import { describe, expect, it, type TestError } from "vitest";

import { tellFailure } from "./failure.ts";

describe("a failure in the list at the end of a run", () => {
  it("shows what was expected and what came, without colours", () => {
    const error: TestError = {
      message: "expected [ Array(1) ] to deeply equal []",
      diff: '\u001b[32m- Expected\u001b[39m\n\u001b[31m+ Received\u001b[39m\n\n- []\n+ [\n+   "502 /c/roue",\n+ ]',
    };
    expect(tellFailure(error)).toBe(
      [
        "expected [ Array(1) ] to deeply equal []",
        "- Expected",
        "+ Received",
        "",
        "- []",
        "+ [",
        '+   "502 /c/roue",',
        "+ ]",
      ].join("\n    "),
    );
  });

  it("shows the whole of a message of several lines", () => {
    const error: TestError = {
      message:
        "locator.click: Timeout\nCall log:\n\u001b[2m  - waiting for getByRole('button')\u001b[22m\n",
    };
    expect(tellFailure(error)).toBe(
      "locator.click: Timeout\n    Call log:\n      - waiting for getByRole('button')",
    );
  });

  it("ends after 1,500 characters, so that one failure does not hide the next", () => {
    const shown = tellFailure({ message: "expected a to be b", diff: "x".repeat(9_000) });
    expect(shown).toMatch(/^expected a to be b\n {4}x+…$/);
    expect(shown.length).toBeLessThanOrEqual(1_500 + "    ".length + 1);
  });

  it("names what is no error", () => {
    expect(tellFailure("gone")).toBe("gone");
    expect(tellFailure(undefined)).toBe("undefined");
  });
});
