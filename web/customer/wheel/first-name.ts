/** A longer one is no name to call somebody by. */
const LONGEST = 24;

/** What stands before a name: whoever gives « M. Roy » is not to be called « Roy ». */
const TITLE = /^(\p{L}{1,3}\.|m|mme|mlle|mr)$/iu;

/** What to call a person who gave one name: its first word; empty where that is none to call somebody by. */
export function firstNameIn(name: string): string {
  const [first = ""] = name.trim().split(/\s+/);
  return first.length <= LONGEST && !TITLE.test(first) ? first : "";
}
