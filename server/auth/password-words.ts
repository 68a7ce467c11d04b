import type { ISql } from "postgres";
import { trimEnds } from "#domain/text/trim-ends.ts";
import type { JsonObject } from "./json.ts";

/** Words that are refused as passwords. */
const OURS = ["Tournavis"];

/** Shortest part of a name that counts: shorter ones occur in half of all words. */
const PART_MIN_LENGTH = 3;

/** Whose password it is to be, as far as that is known. */
export type PasswordOwner = {
  emails?: readonly (string | null)[];
  metadata?: JsonObject | null;
  organizations?: readonly string[];
};

/** Names of a user's organisations. */
export async function organizationsOf(sql: ISql, userId: string): Promise<readonly string[]> {
  const [row] = await sql<{ names: string[] }[]>`
    select private.organization_names(${userId}) as names`;
  return row?.names ?? [];
}

/**
 * Whether a password is nothing but a word of its context: product, organisation, the person's own name or address, or a part.
 * Capitals, accents, signs, and figures at the ends do not count.
 */
export function isOfContext(password: string, owner: PasswordOwner): boolean {
  const chosen = core(password);
  return chosen !== "" && wordsOf(owner).has(chosen);
}

function wordsOf({ emails = [], metadata, organizations = [] }: PasswordOwner): Set<string> {
  const name = metadata?.full_name;
  const addresses = emails.flatMap((email) => (email ? [email, ...email.split("@")] : []));
  const texts = [
    ...OURS,
    ...organizations,
    ...(typeof name === "string" ? [name] : []),
    ...addresses,
  ];
  return new Set(texts.flatMap(formsOf).filter((form) => form !== ""));
}

/** A text as a whole, its parts, and these the other way round. */
function formsOf(text: string): string[] {
  const parts = text.split(/[^\p{L}\p{M}\p{N}]+/u).map(core);
  const long = parts.filter((part) => part.length >= PART_MIN_LENGTH);
  return [core(text), core(parts.toReversed().join("")), ...long];
}

/** Letters and figures alone, without capitals, accents, and figures at the ends. */
function core(text: string): string {
  const letters = text
    .normalize("NFD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .toLowerCase();
  return trimEnds(letters, (sign) => /\p{N}/u.test(sign));
}
