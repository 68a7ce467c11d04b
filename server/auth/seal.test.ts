import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { createKeyedHash } from "../../supabase/functions/_shared/http/keyed-hash.ts";
import { seal, unseal } from "./seal.ts";

const KEY = { keyedHash: createKeyedHash("a key of the tests") };
const ROW = "5f0c2a5e-6c5c-4e0c-9a7b-0c2e4f6a8b1d";

describe("a sealed secret", () => {
  it("says how it is sealed, and is read again", () => {
    const sealed = seal(KEY, ROW, "JBSWY3DPEHPK3PXP");
    expect(sealed).toMatch(/^1\.[A-Za-z0-9+/]+=*$/);
    expect(unseal(KEY, ROW, sealed)).toBe("JBSWY3DPEHPK3PXP");
  });

  it("from before versions is read as well", () => {
    // Written by the code of release 1.0.0 with this key and row.
    expect(unseal(KEY, ROW, "FvzjPsouy8pwd6oSXtLdVOqsW4itP2qdbFLVmBSlUL44pAp1w/4F8K91g5w=")).toBe(
      "JBSWY3DPEHPK3PXP",
    );
  });

  it("opens nothing under another key, for another row, changed, or of an unknown version", () => {
    const sealed = seal(KEY, ROW, "JBSWY3DPEHPK3PXP");
    const other = { keyedHash: createKeyedHash(randomBytes(8).toString("hex")) };
    expect(() => unseal(other, ROW, sealed)).toThrow();
    expect(() => unseal(KEY, "another row", sealed)).toThrow();
    expect(() =>
      unseal(
        KEY,
        ROW,
        sealed.replace(/.(?=.{4}$)/, (sign) => (sign === "A" ? "B" : "A")),
      ),
    ).toThrow();
    expect(() => unseal(KEY, ROW, sealed.replace("1.", "2."))).toThrow();
  });
});
