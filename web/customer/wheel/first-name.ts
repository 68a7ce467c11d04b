/** Longest first name by which a customer is addressed. */
const MAX_LENGTH = 24;

/** Title before a name: a person who gives « M. Roy » is not called « Roy ». */
const TITLE = /^(\p{L}{1,3}\.|m|mme|mlle|mr)$/iu;

/**
 * First name in a single field: its first word; empty where that is no first name.
 */
export function firstNameIn(name: string): string {
  const [first = ""] = name.trim().split(/\s+/);
  return first.length <= MAX_LENGTH && !TITLE.test(first) ? first : "";
}
