/**
 * Letters that Unicode decomposition leaves whole, spelled in ASCII.
 * The same list is in the SQL function `private.slugify`; a test compares the two.
 */
const LIGATURES: Readonly<Record<string, string>> = {
  œ: "oe",
  Œ: "oe",
  æ: "ae",
  Æ: "ae",
  ß: "ss",
  ø: "o",
  Ø: "o",
  ł: "l",
  Ł: "l",
  đ: "d",
  Đ: "d",
};

/**
 * Derives a slug (specification, section 5): lowercase, accents removed, runs of
 * non-alphanumerics become one hyphen, edge hyphens trimmed. May return "".
 */
export function slugify(text: string): string {
  return text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[œŒæÆßøØłŁđĐ]/g, (letter) => LIGATURES[letter] ?? "")
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
}

/** Longest slug, in characters. */
const SLUG_MAX_LENGTH = 80;

/** Tells whether a text is a slug: lowercase letters, digits and single inner hyphens, not too long. */
export function isSlug(text: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text) && text.length <= SLUG_MAX_LENGTH;
}

/** The slug that a name suggests, cut to the longest that is allowed. */
export function suggestSlug(name: string): string {
  return slugify(name).slice(0, SLUG_MAX_LENGTH).replace(/-+$/, "");
}
