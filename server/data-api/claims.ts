import { z } from "zod";
import type { Tokens } from "../tokens/tokens.ts";

/** Role that a request acts as in the database, and the claims of its token. */
export type Asker = {
  role: z.infer<typeof asking>["role"];
  /** The whole payload of the token, as policies read it. */
  claims: Readonly<Record<string, unknown>>;
};

const asking = z.looseObject({
  /** Roles that a request may take on. */
  role: z.enum(["anon", "authenticated", "service_role"]),
  sub: z.string().optional(),
});

/** Asker named by claims; null where they name no known role. */
export function askerOfClaims(claims: unknown): Asker | null {
  const { data } = asking.safeParse(claims);
  return data ? { role: data.role, claims: data } : null;
}

/**
 * Asker named by a token; null for every token that is not plainly valid now. The library
 * finds and words the reason.
 */
export function readAsker(tokens: Pick<Tokens, "check">, token: string): Asker | null {
  return askerOfClaims(tokens.check(token));
}
