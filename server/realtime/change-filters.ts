/** A condition of a subscription to a table's changes; a list has several values, the others one. */
export type Filter = {
  column: string;
  operator: (typeof OPERATORS)[number];
  negated: boolean;
  values: string[];
};

/**
 * Operators that `realtime.passes` knows. Regular expressions are left out: a stranger's can run
 * for ever.
 */
const OPERATORS = [
  "eq",
  "neq",
  "lt",
  "lte",
  "gt",
  "gte",
  "in",
  "is",
  "isdistinct",
  "like",
  "ilike",
] as const;

/** Conditions of one subscription. */
const MAX_CONDITIONS = 5;

/** Reads `column=operator.value,…`, all of which have to hold, or the reason for which it cannot be read. */
export function parseFilters(text: string): { filters: Filter[] } | { reason: string } {
  if (text.trim() === "") return { filters: [] };
  const parts = splitOutside(text);
  if (parts.length > MAX_CONDITIONS) return { reason: "Too many conditions in `filter`" };
  const filters: Filter[] = [];
  for (const part of parts) {
    const [, column, not, named, value] = /^\s*([^=]+)=(not\.)?([a-z]+)\.(.*)$/s.exec(part) ?? [];
    const operator = OPERATORS.find((known) => known === named);
    const values = value === undefined || !operator ? null : valuesOf(operator, value.trim());
    if (!column || !operator || !values) {
      return { reason: `Error parsing \`filter\` params: ${JSON.stringify(part)}` };
    }
    filters.push({ column, operator, negated: not !== undefined, values });
  }
  return { filters };
}

function valuesOf(operator: Filter["operator"], value: string): string[] | null {
  if (operator !== "in") return [unquoted(value)];
  if (!value.startsWith("(") || !value.endsWith(")")) return null;
  return splitOutside(value.slice(1, -1)).map((item) => unquoted(item.trim()));
}

/** Parts between commas, but for those in parentheses or in quotes. */
function splitOutside(text: string): string[] {
  const parts = [""];
  let depth = 0;
  let isQuoted = false;
  let before = ",";
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (isQuoted && character === "\\") {
      parts.push(`${parts.pop()}${text.slice(i, i + 2)}`);
      i += 1;
      continue;
    }
    if (character === '"' && (isQuoted || /[.(,]/.test(before))) isQuoted = !isQuoted;
    else if (!isQuoted && character === "(") depth += 1;
    else if (!isQuoted && character === ")") depth -= 1;
    if (character === "," && !isQuoted && depth <= 0) parts.push("");
    else parts.push(`${parts.pop()}${character}`);
    // Spaces around an item are none of its signs.
    if (character !== " ") before = character;
  }
  return parts;
}

function unquoted(value: string): string {
  const [, inner] = /^"(.*)"$/s.exec(value) ?? [];
  return inner === undefined ? value : inner.replace(/\\(.)/gs, "$1");
}
