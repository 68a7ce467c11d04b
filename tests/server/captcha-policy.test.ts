import { describe, expect, it } from "vitest";
import { applicationPolicy } from "../../server/http/security-headers.ts";

/** The directives of a policy, by name. */
function directives(policy: string): Map<string, string> {
  return new Map(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources.join(" ")];
    }),
  );
}

describe("what the application's pages may load", () => {
  it("is nothing from elsewhere without a captcha", () => {
    expect(applicationPolicy(null)).not.toContain("https:");
    expect(directives(applicationPolicy(null)).get("script-src")).toBe("'self' 'wasm-unsafe-eval'");
  });

  it.each([
    ["turnstile", "https://challenges.cloudflare.com", ["frame-src", "script-src"]],
    [
      "hcaptcha",
      "https://hcaptcha.com https://*.hcaptcha.com",
      ["connect-src", "frame-src", "script-src", "style-src"],
    ],
  ] as const)("is %s's own widget besides, and nothing more", (provider, from, widened) => {
    const plain = directives(applicationPolicy(null));
    const wide = directives(applicationPolicy(provider));
    const changed = [...wide].filter(([name, sources]) => plain.get(name) !== sources);
    expect(changed.map(([name]) => name).toSorted()).toEqual(widened);
    for (const [name, sources] of changed) {
      expect(sources).toBe([plain.get(name), from].filter(Boolean).join(" "));
    }
  });
});
