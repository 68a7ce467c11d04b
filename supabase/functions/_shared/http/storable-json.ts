/** Deeper than any real value: readers of a value are recursive, and would run out of stack. */
const DEEPEST = 50;

/** Why a body cannot be stored, though it is JSON: it holds NUL, nests too deep, or holds an object without a text. */
export class NotStorableError extends Error {
  override readonly name = "NotStorableError";
}

/**
 * Reads JSON as PostgreSQL can store it. Half a surrogate pair, which is what a form leaves of an emoji that it cuts,
 * becomes U+FFFD: nobody loses a comment for it. NUL, which nobody types, is refused as the sender's mistake, not met as a
 * failure of ours; so is an object with a field `toString`, at which whatever compares it with a number fails (zod does, with
 * the length that a text shall have). Throws a `SyntaxError` for what is no JSON, a `NotStorableError` for what cannot be mended.
 */
export function parseStorable(text: string): unknown {
  return storable(JSON.parse(text), 0);
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value === "string") return mended(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= DEEPEST) throw new NotStorableError("too deep");
  if (Array.isArray(value)) return value.map((inner) => storable(inner, depth + 1));
  if (Object.hasOwn(value, "toString")) throw new NotStorableError("toString");
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [mended(name), storable(inner, depth + 1)]),
  );
}

function mended(text: string): string {
  if (text.includes("\0")) throw new NotStorableError("NUL");
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
